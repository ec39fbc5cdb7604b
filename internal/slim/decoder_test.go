package slim

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// decode reads a document with a Decoder, and reports whether it is sure.
func decode(text string) (any, bool) {
	d := NewDecoder([]byte(text))
	value := d.Value()
	return value, d.Sure()
}

func TestDecoder(t *testing.T) {
	for text, sure := range map[string]bool{
		` {"a" : [1, -2.5e3, {"b": null}, [ ], { }], "c":"\u00e9\n","d":true,"e":false , "f":"é"} `: true,
		`-0`: true, `0.1`: true, `9007199254740993`: true, `"` + "\xff" + `"`: true, `"\ud800"`: true, `null`: true,
		`{"a":1,"a":2}`: false, `{"a":{"b":1,"b":1}}`: false, `{"\u0061":1}`: false, `{"é":1}`: false, `1e999`: false, `[1e999]`: false,
		strings.Repeat("[", maxSure) + strings.Repeat("]", maxSure):               true,
		strings.Repeat("[", maxSure+1) + strings.Repeat("]", maxSure+1):           false,
		strings.Repeat(`{"a":`, maxSure+1) + "1" + strings.Repeat("}", maxSure+1): false,
	} {
		got, ok := decode(text)
		if ok != sure {
			t.Errorf("%.50s: sure: %t", text, ok)
		}
		var want any
		if err := json.Unmarshal([]byte(text), &want); ok && (err != nil || !reflect.DeepEqual(got, want)) {
			t.Errorf("%.50s: got %v, want %v, %v", text, got, want, err)
		}
	}
}

// TestDecoderFields holds that a field is read once and by its own name only.
func TestDecoderFields(t *testing.T) {
	for text, want := range map[string]string{
		`{"x":{"b":"no"},"b":"1","a":"2","y":["b"],"c":null}`: "b=1 a=2 ",
		`{}`: "", `{"a":"1","A":"2"}`: "unsure", `{"A":"1"}`: "unsure", `{"a":"1","a":"2"}`: "unsure", `{"a":1}`: "unsure", `{"a":null}`: "unsure",
		`[]`: "unsure", `null`: "unsure", `{"\u0061":"1"}`: "unsure", `{"x":{"\u0061":"1"}}`: "unsure", "{\"\u017f\":1}": "unsure",
	} {
		d := NewDecoder([]byte(text))
		got, names := "", []string{"a", "b", "s"}
		d.Fields(names, func(at int) { got += names[at] + "=" + d.Text() + " " })
		if !d.Sure() {
			got = "unsure"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// FuzzDecoder holds it to encoding/json wherever it is sure.
func FuzzDecoder(f *testing.F) {
	for _, text := range []string{
		`{"spec":{"values":{"a":[1,{}],"b":null}},"metadata":{"name":"x"}}`, `{"a":"\u00e9\n\ud800","A":1}`, `[1.5e+3,-0,0.1,true,false,null]`,
		`{"a":1,"a":2}`, `{"":{"":""}}`, "\"\xff\"", ` { "a" : [ ] , "b" : { } } `, `1e999`, `[[[]],[{}]]`, `{"\u0061":1}`, "\"\u2028\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := read(text); err != nil {
			return // only what Read accepts is decoded
		}
		got, sure := decode(text)
		var want any
		err := json.Unmarshal([]byte(text), &want)
		if sure && (err != nil || !reflect.DeepEqual(got, want)) {
			t.Fatalf("%q: got %v, want %v, %v", text, got, want, err)
		}
	})
}
