package yamledit

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	kyaml "sigs.k8s.io/yaml"
)

var seeds = []string{
	"a: 1\nb: {c: [1, 'x', \"y\"]}\n---\n- d\n- e: |\n    f: 1\n",
	"x: &x {a: 1}\ny1: *x\nz:\n  <<: *x\n  b: 2 # c\n",
	"\ufeff# c\r\na: >-\r\n  b\r\n\r\n  c\r\n? d\r\n: e\r\n",
	"{\n\t\"a\": 1,\n\t\"b\": {\"c\": null}\n}\n{\"d\": []}",
	"%YAML 1.1\n---\na: !!str 1\n&b c: *b\n...\n",
	"y: 1\n0x10: 2\n'it''s': 3\n\"\\u0061\": plain\n  of two lines\nl:\n- - 1\n- k: v\n  t: |2+\n     x\n\n",
	"spec:\n  install:\n  upgrade: ~\n  test: {}\n  l: []\n",
	"a: \u2028\nä: \u0085 ö\n",
	"\u2028!\u2028",
	" \ufeff:",
}

func addSeeds(f *testing.F, more ...any) {
	for i, seed := range seeds {
		f.Add(append([]any{[]byte(seed)}, more...)...)
		f.Add(append([]any{[]byte(strings.ReplaceAll(seed, "\n", "\r\n"))}, more...)...)
		f.Add(append([]any{[]byte(seed + seeds[(i+1)%len(seeds)])}, more...)...)
	}
}

// differs matches what kustomize and sigs.k8s.io/yaml read differently: merge
// keys and the tag without a name.
var differs = regexp.MustCompile(`<<|!([\s\x{85}\x{2028}\x{2029},\]}]|$)`)

// FuzzParse checks that errors lie inside the file, and that the values are
// those of sigs.k8s.io/yaml, except in text that matches differs.
func FuzzParse(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("f", data)
		if err != nil {
			return
		}
		for _, d := range file.Documents {
			if d.Line < 1 || d.Line > len(file.lines().starts) {
				t.Fatalf("document on line %d of %d", d.Line, len(file.lines().starts))
			}
			got, err := d.Decode()
			if err != nil {
				syntax := new(SyntaxError)
				if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Line > len(file.lines().starts) || syntax.Column < 1 {
					t.Fatalf("error %#v outside of the file", err)
				}
				continue
			}
			want, err := jsonOf(d.bytes())
			if err == nil && !differs.Match(d.bytes()) && !reflect.DeepEqual(got, want) {
				t.Fatalf("%q\n got %v\nwant %v", d.bytes(), got, want)
			}
		}
	})
}

func jsonOf(text []byte) (any, error) {
	data, err := kyaml.YAMLToJSON(text)
	if err != nil {
		return nil, err
	}
	return jsonShape(json.RawMessage(data))
}

// FuzzFind checks that every field of the decoded object is found, and that the
// text there is its key, in embedded files too.
func FuzzFind(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Parse("f", data)
		if err != nil {
			return
		}
		for _, d := range file.Documents {
			value, err := d.Decode()
			if err != nil {
				continue
			}
			for _, path := range paths(value) {
				checkFound(t, d, path)
				if inner, ok := d.Embedded(path...); ok {
					for _, d := range inner.Documents {
						if value, err := d.Decode(); err == nil {
							for _, path := range paths(value) {
								checkEmbedded(t, d, path)
							}
						}
					}
				}
			}
		}
	})
}

func checkFound(t *testing.T, d *Document, path []any) {
	t.Helper()
	pos, exact := d.Find(path...)
	if !exact {
		t.Fatalf("%v is not found: %v", path, pos)
	}
	if missing, exact := d.Find(append(slices.Clone(path), "no such key")...); exact || missing != pos {
		t.Fatalf("below %v: found %v %v, want %v", path, missing, exact, pos)
	}
	key, ok := path[len(path)-1].(string)
	if !ok {
		return
	}
	node, _, _ := walk(d.root(), path)
	text := string(d.bytes()[d.tree().offset(node):d.tree().end(node)])
	alone := text + ": 0"
	if strings.ContainsAny(text, "\r\n") || strings.HasPrefix(text, string(bom)) {
		alone = "? " + text + "\n: 0"
	}
	if got, err := jsonOf([]byte(alone)); key != "" && !strings.HasPrefix(text, "*") &&
		(err != nil || !reflect.DeepEqual(got, map[string]any{key: int64(0)})) {
		t.Fatalf("%v: text %q is %v %v", path, text, got, err)
	}
	if at := offsetOf(d.File.Data(), pos); !strings.HasPrefix(string(d.File.Data()[at:]), text) {
		t.Fatalf("%v at %v, where %q is not", path, pos, text)
	}
}

func checkEmbedded(t *testing.T, d *Document, path []any) {
	t.Helper()
	pos, exact := d.Find(path...)
	if _, ok := path[len(path)-1].(string); !ok || !exact {
		return
	}
	node, _, _ := walk(d.root(), path)
	text := string(trimBreak(d.bytes()[d.tree().offset(node):d.tree().end(node)]))
	outer := d.File.origin.doc.File.Data()
	if at := offsetOf(outer, pos); !strings.HasPrefix(string(outer[at:]), text) {
		t.Fatalf("%v at %v, where %q is not", path, pos, text)
	}
}

// offsetOf returns the offset of a position, counted as in an editor.
func offsetOf(data []byte, p Position) int {
	data, marked := bytes.CutPrefix(data, bom)
	line, column, skipped := 1, 1, 0
	if marked {
		skipped = len(bom)
	}
	for i, r := range string(data) {
		if line == p.Line && column == p.Column {
			return skipped + i
		}
		if column++; r == '\n' || r == '\r' && !bytes.HasPrefix(data[i+1:], []byte("\n")) {
			line, column = line+1, 1
		}
	}
	return skipped + len(data)
}

// paths returns the path of each field and item below a value.
func paths(value any) [][]any {
	var all [][]any
	add := func(step, child any) {
		all = append(all, []any{step})
		for _, p := range paths(child) {
			all = append(all, append([]any{step}, p...))
		}
	}
	switch v := value.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			add(k, v[k])
		}
	case []any:
		for i, item := range v {
			add(i, item)
		}
	}
	return all
}

// FuzzSet checks that an edit that is not refused makes exactly one change, and
// nothing when it is made again.
func FuzzSet(f *testing.F) {
	addSeeds(f, uint8(3), "new", `{"a": [1, "y", {"b": null}]}`)
	addSeeds(f, uint8(1), "", `"text"`)
	addSeeds(f, uint8(5), "k", `"a\n b\n"`)
	f.Fuzz(func(t *testing.T, data []byte, pick uint8, key, valueJSON string) {
		var value any
		if json.Unmarshal([]byte(valueJSON), &value) != nil {
			return
		}
		file, err := Parse("f", data)
		if err != nil || len(file.Documents) == 0 {
			return
		}
		index := int(pick) % len(file.Documents)
		before, err := file.Documents[index].Decode()
		all := append(paths(before), nil)
		path := slices.Clone(all[int(pick)%len(all)])
		if key != "" {
			path = append(path, key)
		}
		if err != nil {
			return
		}
		checkSet(t, data, index, path, before, value)
		checkDelete(t, data, index, path, before)
	})
}

func checkSet(t *testing.T, data []byte, index int, path []any, before, value any) {
	out, err := SetAt(data, Address{{index, path}}, value, Order{})
	if err != nil {
		return
	}
	file, err := Parse("f", out)
	if err != nil {
		t.Fatal(err)
	}
	after, err := file.Documents[index].Decode()
	shaped, _ := jsonShape(value)
	want, _ := withField(before, path, shaped)
	if err != nil || !reflect.DeepEqual(after, want) {
		t.Fatalf("%q %v: %v\n got %v\nwant %v", out, path, err, after, want)
	}
	again, err := SetAt(out, Address{{index, path}}, value, Order{})
	if err != nil || !bytes.Equal(again, out) {
		t.Fatalf("again: %v\n%q\n%q", err, out, again)
	}
}

func checkDelete(t *testing.T, data []byte, index int, path []any, before any) {
	out, err := removeAt(data, Address{{index, path}})
	if err != nil {
		return
	}
	file, err := Parse("f", out)
	if err != nil {
		t.Fatal(err)
	}
	if after, err := file.Documents[index].Decode(); err != nil || !reflect.DeepEqual(after, withoutField(before, path)) {
		t.Fatalf("delete %v: %v\n%q\n%q", path, err, data, out)
	}
}
