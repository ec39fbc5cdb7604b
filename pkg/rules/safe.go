package rules

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Corrects reports whether the rule's repairs correct what has no effect as it is written: the
// API server refuses it, or the controller ignores it. Only these may replace or remove a
// written value and be safe.
func (r Rule) Corrects() bool { return r.Refuses || r.Ignored }

// of returns the fix that a rule reports for a release. It is safe only if it replaces nothing
// that has an effect, whatever the rule says.
func (made reportFix) of(rule Rule, r *release.Release) (*Fix, error) {
	fix := &Fix{Corrects: rule.Corrects()}
	var err error
	if fix.Set, err = editsOf(made.Set); err != nil {
		return nil, err
	}
	if made.Other != nil {
		fix.Other = &OtherFix{Class: made.Other.Class}
		if fix.Other.Set, err = editsOf(made.Other.Set); err != nil {
			return nil, err
		}
		fix.Other.Safe = made.Other.Safe && adds(fix.Other.Set, r)
	}
	fix.Safe = made.Safe && (fix.Corrects || adds(fix.Set, r))
	return fix, nil
}

func editsOf(all []reportEdit) ([]Edit, error) {
	var out []Edit
	for _, set := range all {
		path, err := release.ParsePath(set.Path)
		if err != nil {
			return nil, err
		}
		out = append(out, Edit{Object: set.Object, Path: path, Value: set.Value})
	}
	return out, nil
}

// adds reports whether edits only write fields that their objects do not set.
func adds(set []Edit, r *release.Release) bool {
	return !slices.ContainsFunc(set, func(e Edit) bool {
		of, known := objectOfEdit(e, r)
		return !known || e.Value == nil || occupied(of, e.Path)
	})
}

// objectOfEdit returns the object that an edit is of, and reports whether it is known.
func objectOfEdit(e Edit, r *release.Release) (map[string]any, bool) {
	switch {
	case e.Object == "":
		return r.Object, true
	case r.Above != nil && e.Object == "Kustomization/"+r.Above.Kustomization:
		return r.Above.Object, r.Above.Object != nil
	}
	return nil, false
}

// occupied reports whether a value is set at a path, or in the place of one of its parents.
func occupied(object any, path release.Path) bool {
	for _, step := range path {
		switch at := object.(type) {
		case map[string]any:
			key, _ := step.(string)
			object = at[key]
		case []any:
			i, ok := step.(int)
			if !ok || i < 0 || i >= len(at) {
				return !ok
			}
			object = at[i]
		default:
			return object != nil
		}
	}
	return object != nil
}
