package rules

import (
	"reflect"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// What is made of the input only when rules need it has equal texts just where what would be made has.
func TestTextsOfWhatIsNotMade(t *testing.T) {
	var lists, settings []map[string]any
	for _, spec := range []any{
		nil,
		map[string]any{},
		map[string]any{"a": "1"},
		map[string]any{"a": 1},
		map[string]any{"a": 2},
		map[string]any{"a": nil},
		map[string]any{"b": 1, "a": 1},
		map[string]any{"a": map[string]any{"b": 1}},
		map[string]any{"a.b": 1},
		map[string]any{"a": []any{1, nil, "x"}},
		map[string]any{"a": []any{"x", 1, nil}},
		[]any{},
		"a",
	} {
		object := map[string]any{"spec": spec}
		lists = append(lists, map[string]any{"fields": valuesOf(object), "places": placesOf(object)})
	}
	for _, s := range []*release.Settings{nil, {}, {MaxHistory: 3}, {Suspend: true}, {Install: release.Half{Retries: 2}}, {Install: release.Half{Retries: 3}}, {Upgrade: release.Half{Retries: 3}}} {
		settings = append(settings, map[string]any{"effective": reflect.ValueOf(s)})
	}
	checkTexts(t, lists, place{"fields"}, place{"places"}, place{"fields", "a"}, place{"places", "a"}, place{"places", nil, 0}, place{"fields", "a.*", 1, "value"})
	checkTexts(t, settings, place{"effective"}, place{"effective", nil, "retries"}, place{"effective", "install"}, place{"effective", "install", "retries"}, place{"effective", "maxHistory"}, place{"effective", "none"})
}

func checkTexts(t *testing.T, inputs []map[string]any, places ...place) {
	t.Helper()
	made := func(input map[string]any) map[string]any {
		term, err := termOf(input)
		if err != nil {
			t.Fatal(err)
		}
		var out map[string]any
		if err := decode(term, &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, at := range places {
		for _, a := range inputs {
			for _, b := range inputs {
				same := string(appendPlace(nil, a, at)) == string(appendPlace(nil, b, at))
				want := string(appendPlace(nil, made(a), at)) == string(appendPlace(nil, made(b), at))
				if same != want {
					t.Errorf("%s: texts are equal: %t, want %t for\n%v\n%v", at, same, want, made(a), made(b))
				}
			}
		}
	}
}
