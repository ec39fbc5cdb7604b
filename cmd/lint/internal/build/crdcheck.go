package build

import (
	"crypto/sha256"
	"encoding/json"
	"strings"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Refused returns why the API server would refuse a Flux Kustomization, so that the
// cluster keeps the former one; "" if it would not. If any value in the object is
// unknown, only unknown fields are reported.
func (b *Builder) Refused(ks map[string]any) string {
	if ks["apiVersion"] != kustomizev1.GroupVersion.String() {
		return ""
	}
	ks = trace.Without(ks)
	content, err := json.Marshal(ks)
	if err != nil {
		return ""
	}
	key := sha256.Sum256(content)
	reason, known := b.refused[key]
	if !known {
		reason = refused(ks)
		b.refused[key] = reason
	}
	return reason
}

func refused(ks map[string]any) string {
	data, err := yaml.Marshal(ks)
	if err != nil {
		return ""
	}
	err = yaml.UnmarshalStrict(data, &kustomizev1.Kustomization{})
	if err == nil {
		return ""
	}
	reason := err.Error()[strings.LastIndex(err.Error(), "JSON: ")+len("JSON: "):]
	reason = strings.TrimPrefix(reason, "json: ")
	if !strings.HasPrefix(reason, "unknown field") && (VariableUse().Match(data) || markers().Match(data)) {
		return ""
	}
	return reason
}
