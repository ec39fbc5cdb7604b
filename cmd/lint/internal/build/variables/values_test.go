package variables

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Ordinary texts are substituted one by one.
func TestSubstituteValues(t *testing.T) {
	v := Variables{On: true, Values: map[string]string{"A": "10m"}}
	got, _, ok := v.InValues(map[string]any{"a": []any{"${A}", "x"}, "b": "in-${A}.${B:=d}", "c": 1.0})
	if want := map[string]any{"a": []any{"10m", "x"}, "b": "in-10m.d", "c": 1.0}; !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, ok)
	}
	if got, reasons, ok := v.InValues(map[string]any{"a": "a: ${C}\n"}); !ok || got["a"] != "a: "+markerOf(marker, "C")+"\n" || reasons["C"] != Undefined {
		t.Errorf("got %v for %v, %v", got, reasons, ok)
	}
	if _, _, ok := v.InValues(map[string]any{"a": "${C}", "b": "${C:-d}"}); ok {
		t.Error("a default counts beside a use without one")
	}
	v.unknown = map[string]string{"U": "encrypted"}
	got, reasons, ok := v.InValues(map[string]any{"a": "in-${U}", "b": "${A}"})
	if want := map[string]any{"a": "in-" + markerOf(marker, "U"), "b": "10m"}; !ok || !reflect.DeepEqual(got, want) || !maps.Equal(reasons, v.unknown) {
		t.Errorf("got %v for %v, %v", got, reasons, ok)
	}
	v.Values["A"] = strings.Repeat("a", 1000)
	if _, _, ok := v.InValues(map[string]any{"a": slices.Repeat([]any{"${A}"}, 100)}); ok {
		t.Error("what may become large is not measured first")
	}
}
