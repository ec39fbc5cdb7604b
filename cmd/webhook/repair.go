package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// maxRepairs is how many findings are repaired one after the other.
const maxRepairs = 12

// fix is how to repair what is denied.
type fix struct {
	edits []rules.Edit
	// but are the rules that still deny after the edits; nobody but a person can tell what
	// they want.
	but []string
	// names are those of the release that it depends on.
	names rules.NameSet
}

// repair returns the edits after which the object is admitted, or after which nothing is
// left that can be repaired. It makes one fix at a time and judges the result: one repair
// may bring up another, and fixes that are made from the same state may contradict each
// other. If there is no end of it, or the time runs out, it returns none.
func (p *ruleset) repair(ctx context.Context, d *decision, r *review, now time.Time) fix {
	mended := *r
	mended.Object = runtime.DeepCopyJSON(r.Object)
	var names rules.NameSet
	for range maxRepairs {
		next := slices.IndexFunc(d.denied, func(f rules.Finding) bool { return f.Fix != nil })
		if next < 0 {
			return fix{changes(nil, r.Object, mended.Object), ids(d.denied), names}
		}
		for _, e := range d.denied[next].Fix.Set {
			names |= rules.NamesTouched(e.Path)
			if !edit(mended.Object, e.Path, e.Value) {
				return fix{names: names}
			}
		}
		var err error
		if d, err = p.weigh(ctx, &mended, d.tier, now); err != nil {
			return fix{names: rules.AllNames}
		}
		names |= d.names
	}
	return fix{names: names}
}

// edit sets a field of an object, or removes it if the value is nil, and reports whether
// there is such a place.
func edit(object map[string]any, path release.Path, value any) bool {
	var place any = object
	for i, step := range path {
		last := i == len(path)-1
		switch key := step.(type) {
		case string:
			inner, ok := place.(map[string]any)
			switch {
			case !ok:
				return false
			case last && value == nil:
				delete(inner, key)
			case last:
				inner[key] = value
			case inner[key] == nil && value == nil:
				return true
			case inner[key] == nil:
				inner[key] = map[string]any{}
			}
			place = inner[key]
		case int:
			list, ok := place.([]any)
			if !ok || key >= len(list) || last && value == nil {
				return false
			}
			if last {
				list[key] = value
			}
			place = list[key]
		}
	}
	return true
}

// changes returns the edits that make one value another, the shortest paths that do.
func changes(path release.Path, from, to any) (edits []rules.Edit) {
	before, ok := from.(map[string]any)
	after, both := to.(map[string]any)
	switch {
	case ok && both:
	case equal(from, to):
		return nil
	default:
		return []rules.Edit{{Path: path, Value: to}}
	}
	for _, key := range slices.Sorted(keys(before, after)) {
		edits = append(edits, changes(append(slices.Clip(path), key), before[key], after[key])...)
	}
	return edits
}

// keys yields the keys of two objects, each once.
func keys(a, b map[string]any) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for key := range a {
			if !yield(key) {
				return
			}
		}
		for key := range b {
			if _, ok := a[key]; !ok && !yield(key) {
				return
			}
		}
	}
}

// text returns the edits as YAML and lines "remove PATH". It is empty if there are none, or
// if they need more than half of the message.
func (f fix) text() string {
	fields := map[string]any{}
	var lines, removed []string
	for _, e := range f.edits {
		if e.Value == nil {
			removed = append(removed, "remove "+e.Path.String())
		} else {
			edit(fields, e.Path, e.Value) // paths of changes have no index
		}
	}
	if len(fields) > 0 {
		yaml, _ := yaml.Marshal(fields) // values come from JSON, so it cannot fail
		lines = strings.Split(strings.TrimSpace(string(yaml)), "\n")
	}
	text := strings.Join(append(lines, removed...), "\n")
	switch {
	case text == "" || len(text) > maxDenial/2:
		return ""
	case len(f.but) > 0:
		return "\nFix of all but " + strings.Join(f.but, ", ") + ":\n" + text
	}
	return "\nFix:\n" + text
}
