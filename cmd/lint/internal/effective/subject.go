package effective

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Subject returns what the edits of an object are of, and reports whether that is known: the release
// for "", for Kustomization the one that applies it, and for Kustomization/namespace/name that or one further out.
func (r *Release) Subject(of string) (Subject, bool) {
	if of == "" {
		return Subject{&r.origins, r.Object}, true
	}
	kind, name, named := strings.Cut(of, "/")
	for i, k := range r.chain {
		if kind != applierKind || k.Folder || named && name != r.by[i] {
			continue
		}
		if r.appliers == nil {
			r.appliers = make([]*Subject, len(r.chain))
		}
		if r.appliers[i] == nil {
			r.appliers[i] = r.applierAt(i)
		}
		return *r.appliers[i], true
	}
	return Subject{}, false
}

// applierKind is the kind of what applies releases.
const applierKind = "Kustomization"

func (r *Release) applierAt(i int) *Subject {
	k := r.cluster.Current(r.chain[i])
	of := &origins{
		File: k.File, Line: k.Line, AppliedBy: r.AppliedBy[i+1:], chain: r.chain[i+1:],
		table: r.table, shadow: trace.Of(k.Object), fleet: r.fleet, cluster: r.cluster,
	}
	if own, traced := r.table.Document(k.Object); traced {
		of.own = own
	} else if all := r.writtenAs(r.Cluster, applierKind+"/"+k.FullName()); len(all) > 0 {
		of.own = trace.Origin{Doc: all[0].Doc, Writer: &trace.Writer{}}
	}
	return &Subject{of, resource.Readable(k.Object)}
}

// SubjectOf returns what edits are of, which all have one object.
func (r *Release) SubjectOf(set []rules.Edit) (Subject, bool) {
	if len(set) == 0 {
		return r.Subject("")
	}
	return r.Subject(set[0].Object)
}

// Unnamed returns edits that are of the Kustomization that applies a release, whichever that is.
func Unnamed(set []rules.Edit) []rules.Edit {
	out := slices.Clone(set)
	for i := range out {
		out[i].Object, _, _ = strings.Cut(out[i].Object, "/")
	}
	return out
}

// ValueIn returns the value at a path of an object of [Release.Subject], and reports whether it is set.
func (r *Release) ValueIn(of string, at release.Path) (any, bool) {
	s, known := r.Subject(of)
	if !known {
		return nil, false
	}
	return s.Value(at)
}
