package effective

import (
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
)

// TierPlace returns the place of the fact that decided the tier of the release, and
// reports whether it is known: not of a fact of another object, or of the configuration.
func (r *Release) TierPlace() (Location, bool) {
	kind, what, _ := strings.Cut(r.TierFrom, " ")
	switch {
	case strings.Contains(r.TierFrom, release.TierKey+" on the release"):
		return r.markPlace(kind)
	case kind == "variable":
		name, _, _ := strings.Cut(what, "=")
		return r.variablePlace(name)
	case kind == "cluster":
		return r.clusterPlace()
	case kind == "folder":
		return r.folderPlace(what)
	case kind == "namespace":
		return r.Locate(release.Path{"metadata", "namespace"}), true
	}
	return Location{File: r.File, Line: r.Line}, kind == "default"
}

// markPlace returns the place of the annotation or label in the release's own document.
func (r *Release) markPlace(kind string) (Location, bool) {
	at := r.ownPlace(release.Path{"metadata", kind + "s", release.TierKey})
	return at, at.Exact
}

func (r *Release) variablePlace(name string) (Location, bool) {
	for _, k := range r.origins.chain {
		from, ok := k.Variables.From[name]
		if !ok {
			continue
		}
		if doc, at := r.origins.definition(k, from, name); doc != nil {
			pos, _ := doc.Find(at...)
			return Location{File: doc.File.Name, Line: pos.Line, Column: pos.Column}, true
		}
		return Location{File: k.File, Line: k.Line}, true
	}
	return Location{}, false
}

// clusterPlace returns where it is written which cluster the release runs on: at
// spec.kubeConfig, or in the entry.
func (r *Release) clusterPlace() (Location, bool) {
	for i, k := range r.origins.chain {
		switch {
		case object.At(k.Object, "spec", "kubeConfig") != nil:
			return r.fieldPlace(k, "kubeConfig"), true
		case i == len(r.origins.chain)-1:
			return r.fieldPlace(k, "path"), true
		}
	}
	return Location{}, false
}

// folderPlace returns where the release has been put into a folder: at the path of a
// Kustomization, or the file itself.
func (r *Release) folderPlace(dir string) (Location, bool) {
	for _, k := range r.origins.chain {
		if path.Join(r.origins.cluster.Root, k.Dir) == dir && path.Dir(r.rel) != dir {
			return r.fieldPlace(k, "path"), true
		}
	}
	return Location{File: r.File, Line: r.Line}, true
}

// fieldPlace returns the place of a field of spec of a Kustomization, or of its document.
func (r *Release) fieldPlace(k *fleet.Kustomization, field string) Location {
	at := Location{File: k.File, Line: k.Line}
	written, _ := object.Follow(trace.Of(k.Object), release.Path{field})
	object.Leaves(nil, written, func(_ release.Path, tag any) {
		if o, ok := r.origins.table.Origin(tag); ok {
			pos, _ := o.Doc.Find(o.Path...)
			at = Location{File: o.Doc.File.Name, Line: pos.Line, Column: pos.Column, Exact: true}
		}
	})
	return at
}
