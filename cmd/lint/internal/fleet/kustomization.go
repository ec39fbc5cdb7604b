package fleet

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Kustomization is a Flux Kustomization as it is in a cluster.
type Kustomization struct {
	Object map[string]any
	// Parent applies it; nil for an entry.
	Parent *Kustomization
	// File and Line are those of its own document; "" if it has none.
	File string
	Line int
	// Folder is true if there is no such object, only a folder that is built as one.
	Folder bool

	// Source and Dir are the source and the folder that it builds, Variables what it
	// substitutes. They are set when it is applied.
	Source    *build.Source
	Dir       string
	Variables build.Variables
	// Blocked says why Flux applies nothing of it, for an undefined variable; else empty.
	Blocked string

	reasons map[string]string // of the unknown variables in the object
	skipped string            // why Flux leaves the object as it is on the cluster; empty if it does not
	outcome bool              // it is one of several that the cluster may have
	frozen  bool              // its content is that of the base of a change
}

// FullName returns namespace/name; an unknown part is written as its variable.
func (k *Kustomization) FullName() string { return build.Unmark(object.FullName(k.Object)) }

// Chain returns the Kustomizations from this one outwards.
func (k *Kustomization) Chain() []*Kustomization {
	var out []*Kustomization
	for ; k != nil; k = k.Parent {
		out = append(out, k)
	}
	return out
}

// reads reports whether it builds from a file of the tree.
func (k *Kustomization) reads(x *manifests.Index, name string) bool {
	return holds(x, k.Source, k.walk().Files, name)
}

// holds reports whether a file of the tree is among those of a source.
func holds(x *manifests.Index, source *build.Source, files []string, name string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		own, ok := x.Path(source, file)
		return ok && own == name
	})
}

// walk returns what it builds from, once it has a source.
func (k *Kustomization) walk() *build.Walk { return k.Source.Walk(k.Dir, k.Object) }

// Files returns the manifests and the kustomization.yaml files that it builds from, by their
// paths in its source.
func (k *Kustomization) Files() []string { return k.walk().Files }

// sameSpec compares the specs of two Kustomizations as JSON.
func sameSpec(a, b map[string]any) bool {
	x, errX := json.Marshal(a["spec"])
	y, errY := json.Marshal(b["spec"])
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// inner reports whether a file of the tree is one that it says something of if it cannot be built: of
// a folder that nothing applies, those in there. It says nothing of the bases beside it.
func (k *Kustomization) inner(name string) bool { return !k.Folder || tree.Within(k.Dir, name) }
