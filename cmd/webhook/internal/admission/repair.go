package admission

import (
	"context"
	"slices"
	"strings"

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
}

// repair returns the edits after which the object is admitted, or after which nothing is
// left that can be repaired. It makes one fix at a time and judges the result: one repair
// may bring up another, and fixes that are made from the same state may contradict each
// other. If there is no end of it, or the time runs out, it returns none.
func (c *hearing) repair(ctx context.Context, d *Decision) fix {
	review, mended := *c.Review, *c
	mended.Review = &review
	review.Object = runtime.DeepCopyJSON(c.Object)
	for range maxRepairs {
		next := slices.IndexFunc(d.Denied, func(f rules.Finding) bool { return f.Fix != nil && f.Fix.OfRelease() })
		if next < 0 {
			return fix{changes(nil, c.Object, review.Object), ids(d.Denied)}
		}
		for _, e := range d.Denied[next].Fix.Set {
			if !edit(review.Object, e.Path, e.Value) {
				return fix{}
			}
		}
		var err error
		if d, err = mended.weigh(ctx); err != nil {
			return fix{}
		}
	}
	return fix{}
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
