package entries

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
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
	Variables variables.Variables
	// Blocked says why Flux applies nothing of it, for an undefined variable; else empty.
	Blocked string

	Reasons map[string]string // of the unknown variables in the object
	Skipped string            // why Flux leaves the object as it is on the cluster; empty if it does not
	Outcome bool              // it is one of several that the cluster may have
	Frozen  bool              // its content is that of the base of a change
}

// FullName returns namespace/name; an unknown part is written as its variable.
func (k *Kustomization) FullName() string { return variables.Unmark(object.FullName(k.Object)) }

// Called returns what messages call it: a folder that no object builds is called one.
func (k *Kustomization) Called() string {
	if k.Folder {
		return "folder " + k.FullName()
	}
	return "Kustomization " + k.FullName()
}

// Applier says what applies it.
func (k *Kustomization) Applier() string {
	switch {
	case k.Parent == nil:
		return "from outside of the tree"
	case k.Parent.FullName() == k.FullName():
		return "by itself, since its path holds it"
	}
	return "by " + k.Parent.Called()
}

// Chain returns the Kustomizations from this one outwards.
func (k *Kustomization) Chain() []*Kustomization {
	var out []*Kustomization
	for ; k != nil; k = k.Parent {
		out = append(out, k)
	}
	return out
}

// Reads reports whether it builds from a file of the tree.
func (k *Kustomization) Reads(x *manifests.Index, name string) bool {
	return Holds(x, k.Source, k.Walk().Files, name)
}

// Holds reports whether a file of the tree is among those of a source.
func Holds(x *manifests.Index, source *build.Source, files []string, name string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		own, ok := x.Path(source, file)
		return ok && own == name
	})
}

// Walk returns what it builds from, once it has a source.
func (k *Kustomization) Walk() *build.Walk { return k.Source.Walk(k.Dir, k.Object) }

// Files returns the manifests and the kustomization.yaml files that it builds from, by their
// paths in its source.
func (k *Kustomization) Files() []string { return k.Walk().Files }

// SameSpec compares the specs of two Kustomizations as JSON.
func SameSpec(a, b map[string]any) bool {
	x, errX := json.Marshal(a["spec"])
	y, errY := json.Marshal(b["spec"])
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// Inner reports whether a file of the tree is one that it says something of if it cannot be built: of
// a folder that nothing applies, those in there. It says nothing of the bases beside it.
func (k *Kustomization) Inner(name string) bool { return !k.Folder || tree.Within(k.Dir, name) }

// IsOutcome reports whether a Kustomization, or one that applies it, is one of several outcomes.
func (k *Kustomization) IsOutcome() bool {
	for _, by := range k.Chain() {
		if by.Outcome {
			return true
		}
	}
	return false
}
