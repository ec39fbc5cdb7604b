package slim

import (
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

var tree = &Node{Inner: map[string]*Node{
	"spec":     {Inner: map[string]*Node{"values": {Digest: true}}},
	"metadata": {Inner: map[string]*Node{"managedFields": {Drop: true}}},
	"items":    {Each: &Node{Inner: map[string]*Node{"values": {Drop: true}}}},
}}

// read reads a document byte for byte, so that every place where a source may pause
// is met.
func read(text string) (Copy, error) {
	return Read(iotest.OneByteReader(strings.NewReader(text)), tree, Limits{Bytes: 1 << 20, Values: 1 << 20})
}

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing to leave out", ` {"a": [1, {"spec": {"values": 2}}], "spec": {}} `, `{"a":[1,{"spec":{"values":2}}],"spec":{}}`},
		{"values", `{"spec":{"values": {"a": [1]},"b":1}}`, `{"spec":{"values":"`},
		{"dropped", `{"metadata":{"managedFields":[{"a":"b"}],"name":"x"}}`, `{"metadata":{"managedFields":null,"name":"x"}}`},
		{"in a list", `{"items":[{"values":1,"a":2}, 3,{"values":[4]}],"values":5}`, `{"items":[{"values":null,"a":2},3,{"values":null}],"values":5}`},
		{"no list where one is expected", `{"items":{"values":1}}`, `{"items":{"values":1}}`},
		{"an escaped key", `{"sp\u0065c":{"v\u0061lues":[]}}`, `{"spec":{"values":"`},
		{"no object where one is expected", `{"spec":[{"values":1}],"metadata":"x"}`, `{"spec":[{"values":1}],"metadata":"x"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := read(c.text)
			if err != nil || !json.Valid(got.Text) {
				t.Fatalf("%s: %v", got.Text, err)
			}
			if !strings.HasPrefix(string(got.Text), c.want) {
				t.Errorf("%s, want %s...", got.Text, c.want)
			}
		})
	}
}

// TestDigest holds that equal values give equal text, and others do not.
func TestDigest(t *testing.T) {
	digest := func(values string) string {
		got, err := read(`{"spec":{"values":` + values + `}}`)
		if err != nil {
			t.Fatal(err)
		}
		return string(got.Text)
	}
	one, again := digest(`{"a":1}`), digest(`{"a":1}`)
	if one != again || one == digest(`{"a":2}`) || digest(`"1"`) == digest(`1`) {
		t.Error("the digest does not tell values apart")
	}
}

// TestDepth holds the depth to that of encoding/json, which the API server has.
func TestDepth(t *testing.T) {
	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	if _, err := read(nested(10_000)); err != nil {
		t.Error(err)
	}
	if _, err := read(nested(10_001)); !errors.Is(err, ErrSyntax) {
		t.Error(err)
	}
}

func TestLimits(t *testing.T) {
	asked := 0
	limits := Limits{Bytes: 1000, Values: 100, Above: 100, Grow: func() error { asked++; return nil }}
	long := func(n int) io.Reader { return strings.NewReader(`{"a":"` + strings.Repeat("x", n) + `"}`) }
	list := func(n int) string { return "[" + strings.Repeat("1,", n-1) + "1]" }
	values := func(n int) io.Reader { return strings.NewReader(`{"spec":{"values":` + list(n) + `}}`) }
	for _, c := range []struct {
		source io.Reader
		asked  int
		err    error
	}{
		{long(50), 0, nil},
		{long(500), 1, nil},
		{long(5000), 1, ErrLarge},
		{values(1_000_000), 0, nil},
		{strings.NewReader(list(99)), 1, nil},
		{strings.NewReader(list(100)), 1, ErrLarge},
	} {
		asked = 0
		if _, err := Read(c.source, tree, limits); !errors.Is(err, c.err) || asked != c.asked {
			t.Errorf("%v, asked %d times; want %v, %d", err, asked, c.err, c.asked)
		}
	}
	full := errors.New("full")
	limits.Grow = func() error { return full }
	if _, err := Read(long(500), tree, limits); !errors.Is(err, full) {
		t.Error(err)
	}
}

// TestSource holds that an error of the source is not one of the document.
func TestSource(t *testing.T) {
	_, err := Read(io.MultiReader(strings.NewReader(`{"a":`), iotest.ErrReader(io.ErrUnexpectedEOF)), tree, Limits{Bytes: 100, Values: 100})
	if !errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, ErrSyntax) {
		t.Error(err)
	}
}

// FuzzRead holds it to encoding/json: the same documents are accepted, and what is
// left of one says the same as the whole, without what is left out.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		`{"spec":{"values":{"a":[1,{}],"b":null}},"metadata":{"managedFields":[]}}`, `{"a":"\u00e9\n\ud800","spec":{"v\u0061lues":1}}`,
		`[1.5e+3,-0,0.1,true,false,null]`, `{"spec":{"values":1,"values":2},"spec":{"a":1}}`, `"x"`, `01`, `{"a":1,}`, `[1,]`, "{\"a\":\"\x01\"}",
		`{"spec":{"values":nul}}`, `{"a":1}}`, ` `, `-`, `1.`, `{"":{"":""}}`, "\"\xff\"", `{"a" 1}`, `{1:2}`, `{"spec" : {"values" : [ ] } } `,
		`{"items":[{"values":[1]},2,[]]}`, `{"items":[1,]}`, `{"items":[}`, `{"items":[ ]}`, `{"items":[1 2]}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := read(text)
		if valid := json.Valid([]byte(text)); valid != (err == nil) {
			t.Fatalf("%q: %v; valid: %t", text, err, valid)
		}
		if err != nil {
			return
		}
		var whole, left any
		if err := json.Unmarshal([]byte(text), &whole); err != nil {
			return // a number that fits into no type
		}
		if err := json.Unmarshal(got.Text, &left); err != nil {
			t.Fatalf("%q: %q: %v", text, got.Text, err)
		}
		forget(whole)
		forget(left)
		if !reflect.DeepEqual(whole, left) {
			t.Fatalf("%q: left is %q", text, got.Text)
		}
	})
}

// forget deletes what the tree leaves out.
func forget(document any) {
	object, _ := document.(map[string]any)
	for key, inner := range tree.Inner {
		part, _ := object[key].(map[string]any)
		for name := range inner.Inner {
			if _, ok := part[name]; ok {
				part[name] = "left out"
			}
		}
	}
	items, _ := object["items"].([]any)
	for _, item := range items {
		if one, ok := item.(map[string]any); ok {
			if _, ok := one["values"]; ok {
				one["values"] = "left out"
			}
		}
	}
}
