package release

import (
	"encoding/json"
	"reflect"
	"testing"
)

// FuzzAppendJSON holds it to json.Marshal: what is read back from both is the same.
func FuzzAppendJSON(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-0,0,1.5,1e20,9007199254740993,-3,1e-7],"b":null,"c":true,"":"é\u2028<&>\\\" \u0000"}`, `{"a":{"b":{},"c":[{}]}}`, `"\ud800"`, "\"\u007f\"",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var value any
		if json.Unmarshal([]byte(text), &value) != nil {
			return
		}
		got, err := appendJSON(nil, value)
		if err != nil {
			t.Fatal(err)
		}
		if number, ok := value.(float64); ok {
			want, _ := json.Marshal(number)
			if string(got) != string(want) {
				t.Fatalf("%s, want %s", got, want)
			}
		}
		var back any
		if err := json.Unmarshal(got, &back); err != nil || !reflect.DeepEqual(back, value) {
			t.Fatalf("%s of %s: %v", got, text, err)
		}
	})
}
