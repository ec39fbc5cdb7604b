package effective

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// origins are where a release and its fields are written, and what applies it.
type origins struct {
	// File and Line are those of its own document.
	File string
	Line int
	// AppliedBy are the Flux Kustomizations that apply it: first the one that applies
	// it itself, last the entry of the cluster. Empty if nothing applies it.
	AppliedBy []Writer
	// Entries are keys of the same Flux Kustomizations within its cluster, which stay
	// when they apply to another one.
	Entries []string

	own      trace.Origin   // its own document
	template map[string]any // the ResourceSet that renders it; nil if none does
	shadow   map[string]any // tags of the writers, in the shape of spec
	table    *trace.Table
	chain    []*entries.Kustomization // the Kustomizations that apply it, innermost first
	fleet    *fleet.Fleet
	cluster  *fleet.Resolved // nil for a release that nothing applies
}

// writerOf returns the place that wrote the field at a path. For an object with several
// writers that is the own document, if any field of it is still there, else the first
// other one.
func (r *origins) writerOf(at release.Path) (trace.Origin, bool) {
	if !traced(at) {
		return trace.Origin{}, false
	}
	v, ok := object.Follow(r.shadow, at[1:])
	if !ok {
		return trace.Origin{}, false
	}
	if origin, ok := r.table.Origin(v); ok {
		return origin, true
	}
	var found []trace.Origin
	object.Leaves(nil, v, func(below release.Path, tag any) {
		if origin, ok := r.table.Origin(tag); ok && len(origin.Path) > len(below) {
			origin.Path, origin.Value = origin.Path[:len(origin.Path)-len(below)], nil
			found = append(found, origin)
		}
	})
	if len(found) == 0 {
		return trace.Origin{}, false
	}
	if i := slices.IndexFunc(found, r.isOwn); i >= 0 {
		return found[i], true
	}
	return found[0], true
}

// isOwn reports whether something is written in the release's own document.
func (r *origins) isOwn(origin trace.Origin) bool { return origin.Doc == r.own.Doc }

// traced reports whether the writer of a field is followed through a build.
func traced(at release.Path) bool { return len(at) > 1 && at[0] == "spec" }

// definition returns the document and the path where a variable is defined; nil if that is
// not known.
func (r *origins) definition(k *entries.Kustomization, from variables.Definition, name string) (*yamledit.Document, []any) {
	if from.Source == nil {
		v, _ := object.Follow(trace.Of(k.Object), release.Path{"postBuild", "substitute", name})
		origin, _ := r.table.Origin(v)
		return origin.Doc, origin.Path
	}
	by := r.cluster.DefinedBy(k, from.Source)
	source := from.Source.Object
	for _, w := range r.fleet.Index.Named(object.String(source, "kind"), object.Namespace(source), object.Name(source)) {
		if by != nil && !r.fleet.Reads(by, w.Path) {
			continue
		}
		for _, field := range []string{"data", "stringData"} {
			if v := object.At(w.Object, field, name); v != nil && v == object.At(source, field, name) {
				return w.Doc, []any{field, name}
			}
		}
	}
	return nil, nil
}

// templated reports whether a ResourceSet renders the release, or what is written in its document.
func (r *origins) templated() bool {
	if r.own.Doc == nil {
		return r.template != nil
	}
	obj, err := r.own.Doc.Shared()
	return err != nil || object.IsResourceSet(obj)
}

// writtenAs returns the documents that may be the one of another object, the likeliest first. Of the Kustomization that
// applies the release it is known which file has it.
func (r *origins) writtenAs(cluster, name string) []manifests.Written {
	all := r.fleet.NotificationWritten(r.cluster, cluster, name)
	at := slices.IndexFunc(r.chain, func(k *entries.Kustomization) bool { return applierKind+"/"+k.FullName() == name })
	if at < 0 {
		return all
	}
	by := r.chain[at]
	return slices.DeleteFunc(all, func(w manifests.Written) bool {
		return w.Doc.File.Name != by.File && (by.Parent == nil || by.Parent.Source == nil || !r.fleet.Reads(by.Parent, w.Path))
	})
}

func writerAt(o trace.Origin) Writer {
	w := Writer{What: o.Writer.What, File: o.Doc.File.Name, Line: o.Doc.Line}
	if o.Writer.What == "" {
		obj, _ := o.Doc.Object()
		w.What = fmt.Sprintf("%v %s", obj["kind"], object.FullName(obj))
	}
	if o.Writer.Doc != nil {
		w.Line = o.Writer.Doc.Line
	}
	return w
}

// Subject is an object that edits are of, with where it is written: a release, or the Flux
// Kustomization that applies it.
type Subject struct {
	*origins
	Object map[string]any
}

// Value returns the effective value at a path, and reports whether it is set.
func (s Subject) Value(at release.Path) (any, bool) { return object.Follow(s.Object, at) }
