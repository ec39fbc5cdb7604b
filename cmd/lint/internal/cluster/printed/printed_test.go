package printed

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// names reads a stream, and returns the names of its objects and the errors.
func names(text string) (all, errs []string) {
	for object, err := range Objects("x", strings.NewReader(text)) {
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		meta, _ := object["metadata"].(map[string]any)
		all = append(all, fmt.Sprintf("%v/%v", object["kind"], meta["name"]))
	}
	return all, errs
}

func TestObjects(t *testing.T) {
	const a, b = "kind: A\nmetadata: {name: a}\n", "kind: B\nmetadata:\n  name: b\n  text: |\n    items:\n    - kind: no\n"
	indented := func(text string, by int) string {
		text = strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+strings.Repeat(" ", by))
		return strings.Repeat(" ", by-2) + "- " + text + "\n"
	}
	list := "apiVersion: v1\nitems:\n" + indented(a, 2) + indented(b, 2) + "kind: List\nmetadata:\n  resourceVersion: \"\"\n"
	for name, c := range map[string]struct{ text, want, err string }{
		"one":              {a, "A/a", ""},
		"documents":        {a + "---\n" + b, "A/a B/b", ""},
		"a list":           {list, "A/a B/b List/<nil>", ""},
		"lists":            {list + "---\n" + list, "A/a B/b List/<nil> A/a B/b List/<nil>", ""},
		"indented":         {"kind: List\nitems:\n# all\n\n" + indented(a, 6) + indented(b, 6), "A/a B/b List/<nil>", ""},
		"empty":            {"kind: List\nitems: []\n", "", ""},
		"null":             {"items:\nkind: List\n", "List/<nil>", ""},
		"flow":             {"items: [{kind: A, metadata: {name: a}}, 1]\n", "A/a", ""},
		"JSON":             {`{"kind": "List", "items": [{"kind": "A", "metadata": {"name": "a"}}]}`, "A/a", ""},
		"nested":           {"items:\n- kind: List\n  items: [{kind: A, metadata: {name: a}}]\n", "A/a", ""},
		"nothing":          {"", "", ""},
		"an error":         {"items:\n" + indented("kind: [", 2) + indented(b, 2) + "---\n" + a, "B/b A/a", "read x: in what begins on line 2: "},
		"no list":          {"items:\n  a: b\nkind: C\nmetadata: {name: c}\n", "C/c", ""},
		"a line too long":  {"a: " + strings.Repeat("x", yamledit.MaxDocumentSize), "", "longer than"},
		"an item too long": {"items:\n- a:\n" + strings.Repeat("  - aaaaaaaaaaaaaaa\n", yamledit.MaxDocumentSize/18) + indented(b, 2), "B/b", "larger than the limit"},
	} {
		t.Run(name, func(t *testing.T) {
			all, errs := names(c.text)
			if got := strings.Join(all, " "); got != c.want || (len(errs) > 0) != (c.err != "") || !strings.Contains(strings.Join(errs, " "), c.err) {
				t.Errorf("%s, %q", got, errs)
			}
		})
	}
}

// Large JSON is read one item after another, to its end.
func TestJSON(t *testing.T) {
	item := fmt.Sprintf(`{"kind": "A", "metadata": {"name": "a"}, "text": %q}`, strings.Repeat("x", 1<<20))
	list := `{"kind": "List", "items": [` + item + "," + item + "," + item + `, 1], "metadata": {}}`
	for name, c := range map[string]struct{ text, want, err string }{
		"a list":   {list, "A/a A/a A/a List/<nil>", ""},
		"objects":  {item + "\n" + item + item + item, "A/a A/a A/a A/a", ""},
		"null":     {`{"items": null, "text": ` + strings.Repeat(" ", 4<<20) + `""}` + item, "<nil>/<nil> A/a", ""},
		"cut off":  {list[:len(list)-20], "A/a A/a A/a", "unexpected EOF"},
		"no list":  {`{"items": {}, "x": ` + item + item + item + item + "}", "", "items are no list"},
		"no JSON":  {list + "nonsense", "A/a A/a A/a List/<nil>", "invalid character"},
		"no keys":  {strings.Replace(list, `"items"`, `items`, 1), "", "invalid character"},
		"a number": {item + item + item + item + "3", "A/a A/a A/a A/a", "want JSON objects"},
	} {
		t.Run(name, func(t *testing.T) {
			all, errs := names(c.text)
			if got := strings.Join(all, " "); got != c.want || (len(errs) > 0) != (c.err != "") || !strings.Contains(strings.Join(errs, " "), c.err) {
				t.Errorf("%s, %q", got, errs)
			}
		})
	}
}

// Whoever has enough stops the reading.
func TestStops(t *testing.T) {
	item := fmt.Sprintf(`{"kind": "A", "text": %q}`, strings.Repeat("x", 1<<20))
	for _, text := range []string{"a: 1\n---\nb: 1\n---\n- c", "items:\n- a: 1\n- b: 1\n- [\n", `{"items": [` + strings.Repeat(item+",", 5) + "nonsense"} {
		n := 0
		for range Objects("x", strings.NewReader(text)) {
			if n++; n == 2 {
				break
			}
		}
		if n != 2 {
			t.Errorf("%d of %.20q", n, text)
		}
	}
}

// What a list holds is not in memory as a whole.
func TestMemory(t *testing.T) {
	const objects = 300
	item := fmt.Sprintf("- kind: A\n  text: %q\n", strings.Repeat("x", 50_000))
	text := "items:\n" + strings.Repeat(item, objects) + "kind: List\n"
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	n := 0
	for _, err := range Objects("x", strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n == objects {
			break
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&now)
	if grown := int64(now.HeapAlloc) - int64(before.HeapAlloc); n != objects || grown > 16<<20 {
		t.Errorf("%d objects, %d bytes are kept", n, grown)
	}
	runtime.KeepAlive(text)
}

// A list that is cut into its items holds what it held as a whole.
func FuzzObjects(f *testing.F) {
	f.Add("apiVersion: v1\nitems:\n- kind: A\n  text: |\n    - a\n- kind: B\nkind: List\n")
	f.Add("items:\n  - a: 'x\n\n    y'\n  - {b: 1}\nkind: List\n---\na: b\n")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := yamledit.Parse("x", []byte(text))
		if err != nil || strings.Contains(text, "...") {
			return
		}
		var want []map[string]any
		for _, document := range file.Documents {
			object, err := document.Object()
			if err != nil {
				return
			}
			list, isList := object["items"].([]any)
			if !isList && object["items"] != nil || strings.ContainsAny(text, "&*%\ufeff") || len(items(object)) < len(list) || isList && object["kind"] != nil {
				return // anchors are of a document, and not of an item
			}
			for _, one := range items(object) {
				if _, list := object["items"].([]any); list {
					want = append(want, one)
				}
			}
		}
		var got []map[string]any
		for object, err := range Objects("x", strings.NewReader(text)) {
			if err != nil {
				t.Fatalf("%v in %q", err, text)
			}
			got = append(got, object)
		}
		for _, one := range want {
			if !holds(got, one) {
				t.Errorf("%v is not among %v of %q", one, got, text)
			}
		}
	})
}

func holds(all []map[string]any, want map[string]any) bool {
	wanted, _ := json.Marshal(want)
	for _, one := range all {
		if got, _ := json.Marshal(one); string(got) == string(wanted) {
			return true
		}
	}
	return false
}
