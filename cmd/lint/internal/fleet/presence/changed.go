package presence

import (
	"reflect"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// IsForced reports whether Flux deletes an object and makes it anew where it cannot change it.
// Source: apply in kustomization_controller.go of kustomize-controller.
func IsForced(ks, obj map[string]any) bool {
	for _, in := range []string{"labels", "annotations"} {
		for _, group := range []string{object.KustomizeGroup, object.OperatorGroup} {
			if strings.EqualFold(object.String(obj, "metadata", in, group+"/force"), "enabled") {
				return true
			}
		}
	}
	return object.At(ks, "spec", "force") == true
}

// Unchangeable returns what in an object differs from the one on the cluster and cannot be changed; "" if
// nothing. Source: ValidateConfigMapUpdate, ValidateSecretUpdate and ValidateDeploymentUpdate of k8s.io/kubernetes.
func Unchangeable(was, now map[string]any) string {
	differs := func(path ...string) bool { return !reflect.DeepEqual(object.At(was, path...), object.At(now, path...)) }
	switch now["kind"] {
	case "ConfigMap", "Secret":
		if was["immutable"] == true && (now["immutable"] != true || differs("data") || differs("binaryData") || differs("stringData")) {
			return "is refused by the API server: it is immutable on the cluster, and it is changed"
		}
		if now["kind"] == "Secret" && typeOf(was) != typeOf(now) {
			return "is refused by the API server: the type of a Secret cannot be changed"
		}
	case "Deployment":
		if differs("spec", "selector") {
			return "is refused by the API server: spec.selector cannot be changed"
		}
	}
	return ""
}

func typeOf(secret map[string]any) string {
	if text := object.String(secret, "type"); text != "" {
		return text
	}
	return "Opaque"
}
