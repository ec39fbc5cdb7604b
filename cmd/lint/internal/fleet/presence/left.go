package presence

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// LeavesBehind reports whether the objects of a Kustomization stay when it is deleted, or may stay by a policy that
// is not known here.
// Source: finalizerShouldDeleteResources in kustomization_controller.go of kustomize-controller.
func LeavesBehind(ks map[string]any) bool {
	if Idle(ks) != "" {
		return true
	}
	switch object.String(ks, "spec", "deletionPolicy") {
	case "Delete", "WaitForTermination":
		return false
	case "", "MirrorPrune":
		return object.At(ks, "spec", "prune") == false
	}
	return true
}

// Kept reports whether an object says of itself that Flux does not delete it.
// Source: prune in kustomization_controller.go of kustomize-controller.
func Kept(obj map[string]any) bool {
	return unpruned(obj, object.KustomizeGroup) || Marked(obj, "Kustomization").Kind == Skipped
}

// KeptOfSet reports whether an object that a ResourceSet renders says of itself that flux-operator does not delete it.
// Source: uninstall in resourceset_controller.go of flux-operator.
func KeptOfSet(obj map[string]any) bool { return unpruned(obj, object.OperatorGroup) }

func unpruned(obj map[string]any, group string) bool {
	return slices.ContainsFunc([]string{"labels", "annotations"}, func(in string) bool {
		return strings.EqualFold(object.String(obj, "metadata", in, group+"/prune"), "disabled")
	})
}

// LeavesOut reports whether flux-operator leaves out an object that a ResourceSet renders. Without inputs
// it applies all that spec.resources make. Source: BuildResourceSet in internal/builder/resourceset.go there.
func LeavesOut(set, obj map[string]any, provided bool) bool {
	inputs, _ := object.At(set, "spec", "inputs").([]any)
	resources, _ := object.At(set, "spec", "resources").([]any)
	steps, _ := object.At(set, "spec", "steps").([]any)
	always := !provided && len(inputs) == 0 && len(resources)+len(steps) > 0
	return !always && object.String(obj, "metadata", "annotations", ReconcileKey) == "disabled"
}

// Copied makes the data of an object unknown that flux-operator copies from another one.
// Source: copyResources and convertKubeConfigResources in resourceset_controller_configs.go there.
func Copied(obj map[string]any) {
	for _, name := range []string{"/copyFrom", "/convertKubeConfigFrom"} {
		if object.String(obj, "metadata", "annotations", object.OperatorGroup+name) != "" {
			obj["data"] = map[string]any{variables.OpenKey: "true"}
		}
	}
}
