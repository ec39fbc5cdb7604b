package effective

import (
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
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
		at := r.ownPlace(release.Path{"metadata", kind + "s", release.TierKey})
		return at, at.Exact
	case kind == "variable":
		name, _, _ := strings.Cut(what, "=")
		return variablePlace(&r.origins, name)
	case kind == "cluster":
		return clusterPlace(&r.origins)
	case kind == "folder":
		return folderPlace(&r.origins, what, path.Dir(r.rel))
	case kind == "namespace":
		return r.Locate(release.Path{"metadata", "namespace"}), true
	}
	return Location{File: r.File, Line: r.Line}, kind == "default"
}

func variablePlace(r *origins, name string) (Location, bool) {
	for _, k := range r.chain {
		from, ok := k.Variables.From[name]
		if !ok {
			continue
		}
		if doc, at := r.definition(k, from, name); doc != nil {
			pos, _ := doc.Find(at...)
			return Location{File: doc.File.Name, Line: pos.Line, Column: pos.Column}, true
		}
		return Location{File: k.File, Line: k.Line}, true
	}
	return Location{}, false
}

// clusterPlace returns where it is written which cluster the release runs on: at
// spec.kubeConfig, or in the entry.
func clusterPlace(r *origins) (Location, bool) {
	for i, k := range r.chain {
		switch {
		case object.At(k.Object, "spec", "kubeConfig") != nil:
			return fieldPlace(r, k, "kubeConfig"), true
		case i == len(r.chain)-1:
			return fieldPlace(r, k, "path"), true
		}
	}
	return Location{}, false
}

// folderPlace returns where the release has been put into a folder: at the path of a
// Kustomization, or the file itself, whose folder is own.
func folderPlace(r *origins, dir, own string) (Location, bool) {
	for _, k := range r.chain {
		if path.Join(r.cluster.Root, k.Dir) == dir && own != dir {
			return fieldPlace(r, k, "path"), true
		}
	}
	return Location{File: r.File, Line: r.Line}, true
}

// fieldPlace returns the place of a field of spec of a Kustomization, or of its document.
func fieldPlace(r *origins, k *entries.Kustomization, field string) Location {
	at := Location{File: k.File, Line: k.Line}
	written, _ := object.Follow(trace.Of(k.Object), release.Path{field})
	object.Leaves(nil, written, func(_ release.Path, tag any) {
		if o, ok := r.table.Origin(tag); ok {
			pos, _ := o.Doc.Find(o.Path...)
			at = Location{File: o.Doc.File.Name, Line: pos.Line, Column: pos.Column, Exact: true}
		}
	})
	return at
}
