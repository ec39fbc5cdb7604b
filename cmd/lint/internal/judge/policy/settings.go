package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// setting is a field of the configuration that a change sets, removes or changes.
type setting struct {
	path []any // below spec, in the new configuration if it is there
	report.PolicyChange
}

// is reports whether a setting is at or below a path of spec.
func (s setting) is(path ...any) bool {
	return len(s.path) >= len(path) && slices.Equal(s.path[:len(path)], path)
}

// settings lists what differs between two configurations, field by field. It knows no
// field: whatever a configuration holds is part of the policy.
func settings(before, after judge.Configuration) []setting {
	var out []setting
	place := func(path []any) (string, int) {
		if after.File != "" {
			return after.Place(path...)
		}
		return before.Name(), 0
	}
	differences([]any{"spec"}, specOf(before.Config), specOf(after.Config), func(path []any, was, is string) {
		s := setting{path: path[1:], PolicyChange: report.PolicyChange{What: dotted(path), Before: was, After: is}}
		s.File, s.Line = place(path)
		out = append(out, s)
	})
	if before.Name() != after.Name() && before.File != "" {
		s := setting{PolicyChange: report.PolicyChange{What: "configuration", Before: before.Name(), After: orNone(after.Name())}}
		s.File, s.Line = place(nil)
		out = append([]setting{s}, out...)
	}
	return out
}

// Settings lists what differs between two configurations, but for what is below fields of
// spec that are left out.
func Settings(before, after judge.Configuration, without ...string) []report.PolicyChange {
	var out []report.PolicyChange
	for _, s := range settings(before, after) {
		if len(s.path) > 0 && !slices.ContainsFunc(without, func(field string) bool { return s.is(field) }) {
			out = append(out, s.PolicyChange)
		}
	}
	return out
}

// specOf returns spec in the shapes of JSON.
func specOf(config *rules.Config) map[string]any {
	raw, err := json.Marshal(config.Spec)
	if err != nil {
		return nil // it was read from JSON
	}
	spec := map[string]any{}
	_ = json.Unmarshal(raw, &spec)
	return spec
}

// differences calls found with each path at which two values differ, and with what was
// and is there, for people.
func differences(path []any, before, after any, found func(path []any, was, is string)) {
	old, isMap := before.(map[string]any)
	now, stillMap := after.(map[string]any)
	oldList, isList := before.([]any)
	nowList, stillList := after.([]any)
	switch {
	case reflect.DeepEqual(before, after):
	case (isMap || before == nil) && (stillMap || after == nil) && (isMap || stillMap):
		for _, key := range keysOf(old, now) {
			differences(append(slices.Clone(path), key), old[key], now[key], found)
		}
	case (isList || before == nil) && (stillList || after == nil):
		listDifferences(path, oldList, nowList, found)
	default:
		found(path, text(before), text(after))
	}
}

// listDifferences compares lists without what they have in common. What is left is
// compared in pairs if there is as much of it on both sides.
func listDifferences(path []any, before, after []any, found func(path []any, was, is string)) {
	gone, come := without(before, after), without(after, before)
	at := func(i int) []any { return append(slices.Clone(path), i) }
	switch {
	case len(gone) == 0 && len(come) == 0:
		found(path, text(before), "the same in another order")
	case len(gone) == len(come):
		for n := range gone {
			pairDifferences(at(come[n]), before[gone[n]], after[come[n]], found)
		}
	default:
		for _, i := range gone {
			found(path, text(before[i]), "")
		}
		for _, i := range come {
			found(at(i), "", text(after[i]))
		}
	}
}

// pairDifferences compares two items of lists. Items that share nothing are not a
// change of one into the other.
func pairDifferences(path []any, before, after any, found func(path []any, was, is string)) {
	old, isMap := before.(map[string]any)
	now, stillMap := after.(map[string]any)
	if isMap && stillMap && share(old, now) {
		differences(path, before, after, found)
		return
	}
	found(path, text(before), text(after))
}

func share(a, b map[string]any) bool {
	for key, value := range a {
		if reflect.DeepEqual(value, b[key]) {
			return true
		}
	}
	return false
}

// without returns the indexes of the items of a list that another one lacks; an item
// that is there twice must be there twice.
func without(list, other []any) []int {
	other = slices.Clone(other)
	var out []int
	for i, item := range list {
		at := slices.IndexFunc(other, func(o any) bool { return reflect.DeepEqual(o, item) })
		if at < 0 {
			out = append(out, i)
			continue
		}
		other = slices.Delete(other, at, at+1)
	}
	return out
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// keysOf returns the keys of two maps, each once, in order.
func keysOf[V any](a, b map[string]V) []string {
	all := slices.Concat(sortedKeys(a), sortedKeys(b))
	slices.Sort(all)
	return slices.Compact(all)
}

// text writes a value in one line, of a long one the beginning; "" for none.
func text(v any) string {
	const most = 160
	var s string
	switch v := v.(type) {
	case nil:
	case string:
		s = v
	default:
		raw, _ := json.Marshal(v) // it came from JSON
		s = string(raw)
	}
	if all := []rune(s); len(all) > most {
		return string(all[:most]) + "…"
	}
	return s
}

// dotted writes a path: spec.tiers[0].tier.
func dotted(path []any) string {
	var b strings.Builder
	for _, step := range path {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		default:
			fmt.Fprintf(&b, ".%v", step)
		}
	}
	return strings.TrimPrefix(b.String(), ".")
}

func orNone(name string) string {
	if name == "" {
		return "none"
	}
	return name
}
