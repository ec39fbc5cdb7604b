package flux

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Decision is an effective failure setting and who decided it.
type Decision struct {
	Path  release.Path
	Value any
	By    Location
}

// Decided lists the failure settings that are written, in order of their paths.
func (r *Release) Decided() []Decision {
	var out []Decision
	for _, name := range failureFields {
		leaves(release.Path{"spec", name}, nested(r.Object, "spec", name), func(at release.Path, v any) {
			out = append(out, Decision{Path: at, Value: v, By: r.Locate(at)})
		})
	}
	return out
}

// Override is a failure setting that the release writes in vain, with the places.
type Override struct {
	release.Override
	// At is where the release writes it, By where it is overridden.
	At, By Location
}

// Overrides lists the failure settings that the release writes in vain.
func (r *Release) Overrides() []Override {
	if r.own.doc == nil || r.trace == nil {
		return nil
	}
	value, err := r.own.doc.Decode()
	if err != nil {
		return nil
	}
	var out []Override
	for _, name := range failureFields {
		own := append(slices.Clone(r.own.path), "spec", name)
		written, _ := follow(value, own)
		leaves(release.Path{"spec", name}, written, func(at release.Path, v any) {
			effective, _ := follow(r.Object, at)
			if f, ok := r.writerOf(at); ok && f.doc == r.own.doc {
				return
			}
			if text, ok := v.(string); ok && variableUse.MatchString(text) || same(v, effective) {
				return
			}
			pos, exact := r.own.doc.Find(append(slices.Clone(r.own.path), at...)...)
			out = append(out, Override{
				Override: release.Override{Path: at, Written: v, Effective: effective},
				At:       Location{File: r.File, Line: pos.Line, Column: pos.Column, Exact: exact}, By: r.Locate(at),
			})
		})
	}
	return out
}

// same compares values, of which one may have come through JSON.
func same(a, b any) bool {
	return reflect.DeepEqual(a, b) || fmt.Sprint(a) == fmt.Sprint(b)
}
