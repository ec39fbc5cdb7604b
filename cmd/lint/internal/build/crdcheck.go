package build

import (
	"strings"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Refused returns why the API server would refuse a Flux Kustomization, so that the
// cluster keeps the former one; "" if it would not. If any value in the object is
// unknown, only unknown fields are reported.
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
