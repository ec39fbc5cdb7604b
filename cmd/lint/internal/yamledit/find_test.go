package yamledit

import (
	"fmt"
	"strings"
	"testing"
)

// TestFind marks positions in the text: «1» stands where the first path must be
// found, and so on. A path that ends in "?" is not written.
func TestFind(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		paths      []string // keys and indexes with / between them
	}{
		{
			"block",
			"«1»kind: x\n«2»spec:\n  # c\n  install: {«3»retries: 3}\n  list:\n  - «4»name: a\n    «5»b:\n  - «6»plain\n",
			[]string{"", "spec", "spec/install/retries", "spec/list/0", "spec/list/0/b", "spec/list/1"},
		},
		{
			"not written",
			"kind: x\n«1»spec:\n  «2»install:\n    a: 1\n  «3»none:\n  list:\n  - «4»a\n",
			[]string{"spec/upgrade/x?", "spec/install/strategy/name?", "spec/none/x?", "spec/list/0/x?"},
		},
		{"no written parent", "---\n# c\n«1»kind: x\n", []string{"spec/install?"}},
		{"json", "{\n\t\"a\": 1,\n\t«1»\"spec\": {«2»\"b\": [«3»\"c\", «4»{\"d\": null}]}\n}\n", []string{"spec", "spec/b", "spec/b/0", "spec/b/1"}},
		{"quoted keys", "'a': 1\n«1»\"b\\u0063\": 1\n«2»'it''s': 1\n", []string{"bc", "it's"}},
		{"wide characters", "{ä: é, «1»b: \"日本\", «2»c: 1}\n", []string{"b", "c"}},
		{"windows", "a:\r\n  «1»b: 1\r\n  «2»c:\r\n", []string{"a/b", "a/c"}},
		{"old mac", "a:\r  «1»b: 1\r", []string{"a/b"}},
		{"byte order mark", "\ufeff«1»a: 1\n«2»b: 1\n", []string{"a", "b"}},
		{"line breaks of YAML alone", "a: x # \u2028«1»b: 1\nc: \"\u2028\"\n«2»d: 1\n", []string{"b", "d"}},
		{"keys that are not strings", "«1»y: 1\n«2»1: 1\n«3»0x10: 1\n«4»no: 1\n", []string{"true", "1", "16", "false"}},
		{"explicit key", "? «1»a\n: «2»b: 1\n", []string{"a", "a/b"}},
		{"anchored and tagged keys", "&k «1»a: 1\n!!str «2»b: 1\n", []string{"a", "b"}},
		{"an alias as key", "- &k «1»a\n- «2»*k : 1\n", []string{"0", "1/a"}},
		{
			"anchor",
			"x-common: &c\n  «1»a: 1\n«2»spec: *c\nlist:\n- «3»*c\n",
			[]string{"spec/a", "spec", "list/0"},
		},
		{
			"an anchor defined twice",
			"a: &c\n  «1»v: 1\nb: *c\nc: &c\n  «2»v: 2\nd: *c\n",
			[]string{"b/v", "d/v"},
		},
		{
			"merge key",
			"x: &x {«1»a: 1, b: 1}\ny: &y {b: 2, «2»c: 1}\n«5»spec:\n  «3»b: 3\n  <<: [*x, *y]\n«4»z: {<<: *x}\n",
			[]string{"spec/a", "spec/c", "spec/b", "z/none?", "spec/none?"},
		},
		{"merge of a merge", "x: &x {«1»a: 1}\ny: &y\n  <<: *x\nz:\n  <<: *y\n", []string{"z/a"}},
		{"the first of two merged mappings wins", "x: &x {«1»a: 1}\nz: {<<: [*x, {a: 2}]}\n", []string{"z/a"}},
		{"root that is a list", "# c\n- «1»op: add\n  «2»path: /a\n", []string{"0", "0/path"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text, want := marks(tc.text)
			d := mustParse(t, text).Documents[0]
			if d.Err != nil {
				t.Fatal(d.Err)
			}
			for i, p := range tc.paths {
				p, missing := strings.CutSuffix(p, "?")
				pos, exact := d.Find(pathOf(p)...)
				if pos != want[i+1] || exact == missing {
					t.Errorf("Find(%s) = %v %v, want %v %v", p, pos, exact, want[i+1], !missing)
				}
			}
		})
	}
}

func TestFindInLaterDocument(t *testing.T) {
	text, want := marks("a: 1\n---\n# c\n«1»b:\n  «2»c: 1\n--- {«3»d: 1}\n")
	f := mustParse(t, text)
	for i, tc := range []struct {
		document int
		path     []any
	}{{1, nil}, {1, []any{"b", "c"}}, {2, []any{"d"}}} {
		if pos, _ := f.Documents[tc.document].Find(tc.path...); pos != want[i+1] {
			t.Errorf("%v = %v, want %v", tc.path, pos, want[i+1])
		}
	}
	text, want = marks("{\"a\": 1}\n {«1»\"b\": 1}\n{\n«2»\"c\": 1}")
	f = mustParse(t, text)
	for i, key := range []string{"b", "c"} {
		if pos, exact := f.Documents[i+1].Find(key); !exact || pos != want[i+1] {
			t.Errorf("%s = %v %v, want %v", key, pos, exact, want[i+1])
		}
	}
}

func TestValue(t *testing.T) {
	text, want := marks("a: &a «1»x\nb: «2»|\n  text\nc:\n  «3»d: «4»[1, «5»2]\n")
	d := mustParse(t, text).Documents[0]
	for i, p := range []string{"a", "b", "c", "c/d", "c/d/1"} {
		if pos, ok := d.Value(pathOf(p)...); !ok || pos != want[i+1] {
			t.Errorf("Value(%s) = %v %v, want %v", p, pos, ok, want[i+1])
		}
	}
	if _, ok := d.Value("none"); ok {
		t.Error("value of a field that is not written")
	}
}

func TestEach(t *testing.T) {
	text, want := marks("kind: List\nitems:\n- «1»kind: A\n  «2»spec: 1\n- «3»{«4»spec: 2}\n")
	items := mustParse(t, text).Documents[0].Each("items")
	if len(items) != 2 || items[0].Line != 3 || items[1].Line != 5 {
		t.Fatalf("items %+v", items)
	}
	for i, d := range items {
		object, err := d.Object()
		if err != nil || object["spec"] != int64(i+1) {
			t.Errorf("item %d: %v, %v", i, object, err)
		}
		if pos, exact := d.Find("spec"); !exact || pos != want[2*i+2] {
			t.Errorf("item %d: spec at %v, want %v", i, pos, want[2*i+2])
		}
	}
	if pos, exact := items[0].Find("none"); exact || pos != want[1] {
		t.Errorf("missing field at %v, want %v", pos, want[1])
	}
	d := mustParse(t, "a: 1").Documents[0]
	if len(d.Each("a")) != 0 || len(d.Each("b")) != 0 || len(d.Each()) != 0 {
		t.Error("items without a list")
	}
}

func TestEmptyDocuments(t *testing.T) {
	for _, d := range mustParse(t, "---\n# none\n---\n").Documents {
		if object, err := d.Object(); object != nil || err != nil {
			t.Errorf("object %v, error %v", object, err)
		}
		if pos, exact := d.Find("a"); exact || pos.Column != 1 {
			t.Errorf("found %v %v", pos, exact)
		}
		if _, ok := d.Embedded("a"); ok || len(d.Each()) != 0 {
			t.Error("something in an empty document")
		}
	}
}

// TestObject pins the meaning of scalars and merge keys.
func TestObject(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"{a: 1, b: 1.5, c: 1.0, d: 1e3, e: 9223372036854775807, f: 18446744073709551616}", "map[a:int64:1 b:float64:1.5 c:int64:1 d:int64:1000 e:int64:9223372036854775807 f:float64:1.8446744073709552e+19]"},
		{"{a: y, b: on, c: 'y', d: ~, e: , f: 010, g: 0x10, h: 1_000, i: 12:30}", "map[a:bool:true b:bool:true c:string:y d:<nil>:<nil> e:<nil>:<nil> f:int64:8 g:int64:16 h:int64:1000 i:string:12:30]"},
		{"{a: !!str 1, b: !!int '1', c: ! x, d: !mine x, e: 2001-01-01, f: !!binary aGk=}", "map[a:string:1 b:int64:1 c:string:x d:string:x e:string:2001-01-01 f:string:hi]"},
		{"{x: &x {k: 2, m: 3}, z: {k: 1, <<: *x}}", "map[x:map[k:int64:2 m:int64:3] z:map[k:int64:1 m:int64:3]]"},
		{"{z: {<<: [{k: 1}, {k: 2, m: 2}]}}", "map[z:map[k:int64:1 m:int64:2]]"},
		{"a: |\n  x\n   y\nb: >-\n  x\n  y\nc: x\n  y\n", "map[a:string:x\n y\n b:string:x y c:string:x y]"},
	} {
		object, err := mustParse(t, tc.text).Documents[0].Object()
		if got := typed(object); err != nil || got != tc.want {
			t.Errorf("%s\n got %s, %v\nwant %s", tc.text, got, err, tc.want)
		}
	}
	for text, want := range map[string]string{"a: .inf": "line 1, column 4", "- a": "no mapping", "a": "no mapping"} {
		if _, err := mustParse(t, text).Documents[0].Object(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
}

// typed prints a value with the types of its scalars.
func typed(v any) string {
	switch v := v.(type) {
	case map[string]any:
		texts := map[string]string{}
		for k, item := range v {
			texts[k] = typed(item)
		}
		return fmt.Sprint(texts)
	default:
		return fmt.Sprintf("%T:%v", v, v)
	}
}

// marks removes each «n» from a text and returns where it stood.
func marks(marked string) (text string, places map[int]Position) {
	places = map[int]Position{}
	p := Position{1, 1}
	var b strings.Builder
	for rest := marked; rest != ""; {
		if n := 0; strings.HasPrefix(rest, "«") {
			end := strings.Index(rest, "»")
			_, _ = fmt.Sscan(rest[len("«"):end], &n)
			places[n], rest = p, rest[end+len("»"):]
			continue
		}
		r := []rune(rest)[0]
		b.WriteRune(r)
		rest = rest[len(string(r)):]
		switch {
		case r == '\n' || r == '\r' && !strings.HasPrefix(rest, "\n"):
			p = Position{p.Line + 1, 1}
		case r != '\r' && r != '\ufeff':
			p.Column++
		}
	}
	return b.String(), places
}

// pathOf splits a path at each slash. A step of one digit is an index, but the
// path "1" is a key.
func pathOf(s string) []any {
	if s == "" {
		return nil
	}
	var path []any
	for step := range strings.SplitSeq(s, "/") {
		if n := 0; len(step) == 1 && step >= "0" && step <= "9" && s != "1" {
			_, _ = fmt.Sscan(step, &n)
			path = append(path, n)
			continue
		}
		path = append(path, step)
	}
	return path
}
