package effective

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// failureFields are the fields of spec that decide what a failure does, to show them.
var failureFields = []string{
	"driftDetection", "install", "interval", "maxHistory", "rollback", "suspend",
	"test", "timeout", "uninstall", "upgrade", "waitStrategy",
}

// Decision is an effective failure setting with the place that sets it.
type Decision struct {
	Path  release.Path
	Value any
	By    Location
}

// Decided lists the failure settings that are set, in order of their paths.
func (r *Release) Decided() []Decision {
	var out []Decision
	r.eachSetting(func(at release.Path, v any) {
		out = append(out, Decision{Path: at, Value: v, By: r.Locate(at)})
	})
	return out
}

// DecidedIn lists the documents that decide for the release: its own, if that is known, and those that
// [Release.Decided] names, without looking for the lines.
func (r *Release) DecidedIn() []*yamledit.Document {
	var out []*yamledit.Document
	add := func(d *yamledit.Document) {
		if d != nil && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	add(r.own.Doc)
	r.eachSetting(func(at release.Path, _ any) {
		o, n := Subject{&r.origins, r.Object}.decider(at)
		if n == 0 {
			return
		}
		if source, ok := r.variable(o); ok && n == len(at) {
			add(source.doc)
		} else {
			add(o.Doc)
		}
	})
	return out
}

func (r *Release) eachSetting(do func(at release.Path, v any)) {
	for _, name := range failureFields {
		object.Leaves(release.Path{"spec", name}, object.At(r.Object, "spec", name), do)
	}
}

// Override is a failure setting of the release's own document that something else
// replaces or removes, with both places.
type Override struct {
	release.Override
	// At is where the release writes it, By where it is overridden.
	At, By Location
}

// overridesOf lists the failure settings of the release's own document that something else
// replaces or removes.
func overridesOf(r *Release) []Override {
	own := r.own
	if own.Doc == nil || r.shadow == nil {
		return nil
	}
	value, err := own.Doc.Shared()
	if err != nil {
		return nil
	}
	var out []Override
	for _, name := range failureFields {
		written, _ := object.Follow(value, append(slices.Clone(own.Path), "spec", name))
		object.Leaves(release.Path{"spec", name}, written, func(at release.Path, v any) {
			if o, ok := override(r, at, v); ok {
				out = append(out, o)
			}
		})
	}
	return out
}

// override compares a value of the own document with the effective one, and reports
// whether something else replaced or removed it.
func override(r *Release, at release.Path, written any) (Override, bool) {
	effective, _ := object.Follow(r.Object, at)
	if o, ok := r.writerOf(at); ok && r.isOwn(o) {
		return Override{}, false
	}
	if text, ok := written.(string); ok && variables.Use().MatchString(text) || same(written, effective) {
		return Override{}, false
	}
	own := r.own
	pos, exact := own.Doc.Find(append(slices.Clone(own.Path), at...)...)
	return Override{
		Override: release.Override{Path: at, Written: written, Effective: effective},
		At:       Location{File: r.File, Line: pos.Line, Column: pos.Column, Exact: exact}, By: r.Locate(at),
	}, true
}
