package compose

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// What kustomize has a schema of is not foreign.
func TestForeign(t *testing.T) {
	kinds := 0
	for _, definition := range openapi.Schema().Definitions {
		names, _ := definition.Extensions["x-kubernetes-group-version-kind"].([]any)
		for _, name := range names {
			fields, _ := name.(map[string]any)
			group, _ := fields["group"].(string)
			kind, _ := fields["kind"].(string)
			if kinds++; isForeign(group, kind) && group != "" {
				t.Errorf("%s %s counts as foreign", group, kind)
			}
		}
	}
	if kinds < 100 {
		t.Errorf("%d kinds", kinds)
	}
	for _, group := range []string{"helm.toolkit.fluxcd.io", "aadpodidentity.k8s.io", "secrets-store.csi.x-k8s.io"} {
		if !isForeign(group, "Own") || strings.Contains(group, "flux") && isForeign(group, "Deployment") {
			t.Errorf("%s does not count as foreign", group)
		}
	}
}
