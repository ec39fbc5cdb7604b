package rules

import (
	"reflect"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/places"

	"github.com/open-policy-agent/opa/v1/ast"
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
	checkTexts(t, lists, places.Place{"fields"}, places.Place{"places"}, places.Place{"fields", "a"}, places.Place{"places", "a"}, places.Place{"places", nil, 0}, places.Place{"fields", "a.*", 1, "value"})
	checkTexts(t, settings, places.Place{"effective"}, places.Place{"effective", nil, "retries"}, places.Place{"effective", "install"}, places.Place{"effective", "install", "retries"}, places.Place{"effective", "maxHistory"}, places.Place{"effective", "none"})
}

func checkTexts(t *testing.T, inputs []map[string]any, all ...places.Place) {
	t.Helper()
	made := func(input map[string]any) map[string]any {
		term, err := places.TermOf(input)
		if err != nil {
			t.Fatal(err)
		}
		out, err := ast.JSON(term.Value)
		if err != nil {
			t.Fatal(err)
		}
		return out.(map[string]any)
	}
	for _, at := range all {
		for _, a := range inputs {
			for _, b := range inputs {
				same := string(places.Append(nil, a, at)) == string(places.Append(nil, b, at))
				want := string(places.Append(nil, made(a), at)) == string(places.Append(nil, made(b), at))
				if same != want {
					t.Errorf("%s: texts are equal: %t, want %t for\n%v\n%v", at, same, want, made(a), made(b))
				}
			}
		}
	}
}
