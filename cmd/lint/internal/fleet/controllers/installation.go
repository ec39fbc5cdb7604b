package controllers

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Installation is the helm-controller of a cluster, as far as the tree shows it. Only
// Flux's own installation counts: whoever adds an app must not choose the controller that
// it is judged by.
type Installation struct {
	// Controller has no version if that is not known.
	Controller release.Controller
	// From names what installs it; empty if the tree does not install Flux.
	From string
	// Notes say what else claims to install it.
	Notes []string

	Workers int    // of its kustomize-controller; zero if nothing says how many
	Strict  *bool  // the gate of its kustomize-controller, see strictGate; nil if nothing sets it
	Watched scope  // the releases that it reconciles
	Locked  bool   // releases may name sources of their own namespace alone
	Unknown string // why the version is not known
	follows bool   // newer releases of Flux, as they come
	File    string // that describes it
	Stopped string // why nothing installs it as it is written; empty if that is not so
	patches []any  // of it, which must all fit

	Shards []Installation // that it installs beside it
}

// Hidden reports whether something installs a helm-controller of a version that is not known. One that
// follows the releases of Flux counts as the newest. One that is started with a gate has it: an older
// version would not start.
// Source: SupportedFeatures of github.com/fluxcd/pkg/runtime/features.
func (i Installation) Hidden() bool {
	for name := range i.Controller.Gates {
		if i.Controller.With(release.KnownGates[name], nil).AtLeast(release.Since(release.FieldAdded, "install.strategy")) {
			return false
		}
	}
	return i.From != "" && i.Controller.Version == "" && !i.follows
}

// Origin names what installs it, or says why the version is not known.
func (i Installation) Origin() string {
	if i.Controller.Version == "" && i.Unknown != "" {
		return i.Unknown
	}
	return i.From
}

// Stands returns why an installation may be as it was before a change; "" if it is as it is written.
func (i Installation) Stands(builder *build.Builder, was Installation) string {
	if i.Stopped != "" || i.SameAs(was) {
		return i.Stopped
	}
	for at, patch := range i.patches {
		known := slices.ContainsFunc(was.patches, func(other any) bool { return reflect.DeepEqual(patch, other) })
		if !known && !targets(builder, standIns(), patch) {
			return fmt.Sprintf("%s: whether its new patch %d fits is not known", i.From, at+1)
		}
	}
	return ""
}

// SameAs reports whether two controllers are the same to the same releases.
func (i Installation) SameAs(other Installation) bool {
	return SameController(i.Controller, other.Controller) && i.Watched == other.Watched && i.Locked == other.Locked && slices.EqualFunc(i.Shards, other.Shards, Installation.SameAs)
}

// SameController reports whether two controllers have the same version and gates.
func SameController(a, b release.Controller) bool {
	return a.Version == b.Version && maps.Equal(a.Gates, b.Gates)
}

// Described names a controller for people.
func Described(c release.Controller) string {
	text := Helm
	if c.Version != "" {
		text += " " + c.Version
	}
	for _, gate := range slices.Sorted(maps.Keys(c.Gates)) {
		text += fmt.Sprintf(" %s=%v", gate, c.Gates[gate])
	}
	return text
}

// Explain says why the version of a Deployment is not known.
func (i *Installation) Explain(deployment map[string]any) {
	if i.Controller.Version == "" {
		i.Unknown = i.From + " has an image without a version: " + ImageOf(deployment)
	}
}

// ImageOf returns the image of a controller's container; empty if a Deployment has none.
func ImageOf(deployment map[string]any) string {
	for _, container := range slices.Concat(OfficialContainers(deployment, Helm), ContainersOf(deployment)) {
		if image := object.String(container, "image"); image != "" {
			return variables.Unmark(image)
		}
	}
	return "none"
}

// Agreed returns what two descriptions of one cluster's installation both say. Neither is
// better than the other, and one may be there to mislead.
func Agreed(a, b Installation) Installation {
	if a.SameAs(b) {
		return a
	}
	out := Installation{From: a.From, Notes: append(a.Notes, fmt.Sprintf("%s installs %s and %s installs %s: only what both say is used",
		a.From, Described(a.Controller), b.From, Described(b.Controller)))}
	out.Unknown = a.From + " and " + b.From + " contradict each other"
	out.Locked = a.Locked && b.Locked
	if out.Watched = a.Watched; a.Watched != b.Watched || len(a.Shards)+len(b.Shards) > 0 {
		out.Watched = scope{unknown: "watches what is not known"}
	}
	if a.Controller.Version == b.Controller.Version {
		out.Controller.Version = a.Controller.Version
	}
	for gate, on := range a.Controller.Gates {
		if other, ok := b.Controller.Gates[gate]; ok && on == other {
			if out.Controller.Gates == nil {
				out.Controller.Gates = release.Gates{}
			}
			out.Controller.Gates[gate] = on
		}
	}
	return out
}
