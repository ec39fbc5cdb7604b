package effective

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// origins holds what is known about where the fields of a release were written.
type origins struct {
	own    trace.Origin   // the release's own document
	shadow map[string]any // tags of the writers, in the shape of spec
	table  *trace.Table
	chain  []*fleet.Kustomization // the Kustomizations that apply it, innermost first

	fleet   *fleet.Fleet
	cluster *fleet.Resolved // nil for a release that nothing applies
}

// writerOf returns the place that wrote the field at a path. For an object with several
// writers that is the own document, if any field of it is still there, else the first
// other one.
func (o *origins) writerOf(at release.Path) (trace.Origin, bool) {
	if !traced(at) {
		return trace.Origin{}, false
	}
	v, ok := object.Follow(o.shadow, at[1:])
	if !ok {
		return trace.Origin{}, false
	}
	if origin, ok := o.table.Origin(v); ok {
		return origin, true
	}
	var found []trace.Origin
	object.Leaves(nil, v, func(below release.Path, tag any) {
		if origin, ok := o.table.Origin(tag); ok && len(origin.Path) > len(below) {
			origin.Path, origin.Value = origin.Path[:len(origin.Path)-len(below)], nil
			found = append(found, origin)
		}
	})
	if len(found) == 0 {
		return trace.Origin{}, false
	}
	if i := slices.IndexFunc(found, o.isOwn); i >= 0 {
		return found[i], true
	}
	return found[0], true
}

// isOwn reports whether something is written in the release's own document.
func (o *origins) isOwn(origin trace.Origin) bool { return origin.Doc == o.own.Doc }

// traced reports whether the writer of a field is followed through a build.
func traced(at release.Path) bool { return len(at) > 1 && at[0] == "spec" }

// definition returns the document and the path where a variable is defined; nil if that is
// not known.
func (o *origins) definition(k *fleet.Kustomization, from build.Definition, name string) (*yamledit.Document, []any) {
	if from.Source == nil {
		v, _ := object.Follow(trace.Of(k.Object), release.Path{"postBuild", "substitute", name})
		origin, _ := o.table.Origin(v)
		return origin.Doc, origin.Path
	}
	by := o.cluster.DefinedBy(k, from.Source)
	source := from.Source.Object
	for _, w := range o.fleet.Index.Named(object.String(source, "kind"), object.Namespace(source), object.Name(source)) {
		if by != nil && !o.fleet.Reads(by, w.Path) {
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
