package build

import (
	"strings"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Refused says why the API server would not take a Flux Kustomization, so that
// the cluster keeps what it had before; "" if it would. A value is no reason
// where one in the object is not known.
func Refused(ks map[string]any) string {
	if ks["apiVersion"] != kustomizev1.GroupVersion.String() {
		return ""
	}
	data, err := yaml.Marshal(trace.Without(ks))
	if err != nil {
		return ""
	}
	err = yaml.UnmarshalStrict(data, &kustomizev1.Kustomization{})
	if err == nil {
		return ""
	}
	reason := err.Error()[strings.LastIndex(err.Error(), "JSON: ")+len("JSON: "):]
	reason = strings.TrimPrefix(reason, "json: ")
	if !strings.HasPrefix(reason, "unknown field") && (VariableUse.Match(data) || markers.Match(data)) {
		return ""
	}
	return reason
}
