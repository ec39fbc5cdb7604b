package build

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Refused returns why the API server refuses a Flux Kustomization, so that the cluster keeps
// the former one, or what in it is not known here; "" if there is neither. If any value in
// the object is unknown, only unknown fields are reported.
func (b *Builder) Refused(ks map[string]any) string {
	if apiVersion := Unmark(object.String(ks, "apiVersion")); (object.Identity{APIVersion: apiVersion, Kind: "Kustomization"}).Newer() {
		return fmt.Sprintf("has the apiVersion %q, which is %s", apiVersion, object.MisspeltOrNewer)
	}
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
	if err = yaml.UnmarshalStrict(data, &kustomizev1.Kustomization{}); err == nil {
		return refusal(noText(ks))
	}
	reason := err.Error()[strings.LastIndex(err.Error(), "JSON: ")+len("JSON: "):]
	reason = strings.TrimPrefix(reason, "json: ")
	if field, unknown := strings.CutPrefix(reason, "unknown field "); unknown {
		return fmt.Sprintf("has the field %s, which is %s", field, object.MisspeltOrNewer)
	}
	if VariableUse().Match(data) || markers().Match(data) {
		return ""
	}
	return refusal(reason)
}

func refusal(reason string) string {
	if reason == "" {
		return ""
	}
	return "is refused by the API server: " + reason
}

// noText returns the texts of a Flux Kustomization that are written as something else. Reading
// YAML makes texts of numbers; the API server refuses them, and so does kustomize-controller
// where an entry was never checked.
func noText(ks map[string]any) string {
	values, _ := object.At(ks, "spec", "postBuild", "substitute").(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := values[name].(string); !ok {
			return fmt.Sprintf("spec.postBuild.substitute.%s is no text: put its value in quotes", name)
		}
	}
	content, err := json.Marshal(ks)
	if err != nil {
		return ""
	}
	var wrong *json.UnmarshalTypeError
	if err := kjson.UnmarshalCaseSensitivePreserveInts(content, &kustomizev1.Kustomization{}); errors.As(err, &wrong) {
		return fmt.Sprintf("%s is a %s where a %s is wanted", wrong.Field, wrong.Value, wrong.Type)
	}
	return ""
}
