package presence

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Kind is what Flux makes of an object that the tree has it apply.
type Kind int

const (
	// AsWritten is an object that Flux applies as it is written.
	AsWritten Kind = iota
	// Created is an object that Flux creates, and leaves as it is once it is there.
	Created
	// Skipped is an object that Flux leaves as it is on the cluster, or absent.
	Skipped
)

// Held says that Flux does not apply an object as it is written, and why.
type Held struct {
	Kind Kind
	Why  string
}

// modeKey is the label or annotation that says how kustomize-controller applies an object.
const modeKey = object.KustomizeGroup + "/ssa"

// onOff are the values of what switches something on or off.
var onOff = []string{"enabled", "disabled"}

// markValues are the labels and annotations of their group that appliers of a kind heed or write, with the values
// that decide something. Source: kustomization_controller.go and the package decryptor of kustomize-controller, and
// common_types.go of flux-operator's API. Who is told "enabled" does what it does anyway.
var markValues = map[string]map[string][]string{
	object.KustomizeGroup: {
		"ssa": {"Override", "Merge", "IfNotPresent", "Ignore"}, "reconcile": onOff, "substitute": onOff, "prune": onOff, "force": onOff, "decrypt": onOff,
		"name": nil, "namespace": nil, "checksum": nil,
	},
	object.OperatorGroup: {
		"reconcile": onOff, "prune": onOff, "force": onOff, "recreateOnFailure": onOff,
		"name": nil, "namespace": nil, "reconcileEvery": nil, "reconcileArtifactEvery": nil, "reconcileTimeout": nil, "revision": nil, "copyFrom": nil, "role": nil, // which selectors of examples look for
		"convertKubeConfigFrom": nil, "checksumFrom": nil, "checksum": nil, "suspendedBy": nil, "createdBy": nil,
	},
}

// markGroups are the groups of the labels and annotations that an applier of a kind heeds.
var markGroups = map[string]string{"Kustomization": object.KustomizeGroup, "ResourceSet": object.OperatorGroup}

// UnknownMark returns a label or annotation of an object by which an applier of a kind, or the controller of the
// object itself, may do what is not known here, and its value; "" if there is none.
func UnknownMark(obj map[string]any, applier string) (key, text string) {
	own := idleMarks[object.String(obj, "kind")]
	for _, in := range []string{"labels", "annotations"} {
		marks, _ := object.At(obj, "metadata", in).(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(marks)) {
			group, name, _ := strings.Cut(key, "/")
			values, heeded := markValues[group][name]
			if key == own {
				values, heeded = onOff, true
			} else if group != markGroups[applier] {
				continue
			}
			text, _ := marks[key].(string)
			known := heeded && values == nil || slices.ContainsFunc(values, func(value string) bool { return strings.EqualFold(value, text) })
			if text != "" && !known && len(variables.Unknown(text)) == 0 {
				return key, text
			}
		}
	}
	return "", ""
}

// mark is a label or annotation by which an object says what Flux makes of it.
type mark struct {
	key, value string
	presence   Kind
}

// ReconcileKey is the annotation of flux-operator that switches an object off.
const ReconcileKey = object.OperatorGroup + "/reconcile"

// marks are those that each applier heeds: of a ResourceSet none, see leavesOut. Source: apply in
// kustomization_controller.go of kustomize-controller.
var marks = map[string][]mark{
	"Kustomization": {
		{object.KustomizeGroup + "/reconcile", "disabled", Skipped},
		{modeKey, "Ignore", Skipped},
		{modeKey, "IfNotPresent", Created},
	},
}

// Marked says what an object itself says of how an applier of a kind applies it. One whose mark is
// not known may be skipped. Source: shouldSkipApply and AnyInMetadata of github.com/fluxcd/pkg/ssa.
func Marked(obj map[string]any, applier string) Held {
	for _, m := range marks[applier] {
		for _, in := range []string{"labels", "annotations"} {
			text := object.String(obj, "metadata", in, m.key)
			known := len(variables.Unknown(text)) == 0
			if text != "" && (strings.EqualFold(text, m.value) || !known) {
				return Held{m.presence, fmt.Sprintf("%s: %s", m.key, variables.Unmark(text))}
			}
		}
	}
	return Held{}
}

// idleMarks switch off the controller of an object, by its kind.
var idleMarks = map[string]string{
	"ResourceSet": ReconcileKey, "FluxInstance": ReconcileKey, "ResourceSetInputProvider": ReconcileKey,
	"ArtifactGenerator": object.ArtifactGroup + "/reconcile",
}

// Idle returns why the controller of an applier or a source does nothing with it; "" if it does.
func Idle(obj map[string]any) string {
	_, why, _ := Stopped(obj)
	return why
}

// Stopped is [Idle] with the field that says so, and whether that is certain: false if a variable that is not known decides it.
func Stopped(obj map[string]any) (at release.Path, why string, certain bool) {
	suspend := object.At(obj, "spec", "suspend")
	if text, _ := suspend.(string); suspend == true || len(variables.Unknown(text)) > 0 {
		return release.Path{"spec", "suspend"}, fmt.Sprintf("%v %s is suspended", obj["kind"], variables.Unmark(object.FullName(obj))), suspend == true
	}
	key := idleMarks[object.String(obj, "kind")]
	text := object.String(obj, "metadata", "annotations", key)
	off := strings.EqualFold(text, "disabled")
	if key == "" || !off && len(variables.Unknown(text)) == 0 {
		return nil, "", false
	}
	why = fmt.Sprintf("%v %s has %s: %s", obj["kind"], variables.Unmark(object.FullName(obj)), key, variables.Unmark(text))
	return release.Path{"metadata", "annotations", key}, why, off
}
