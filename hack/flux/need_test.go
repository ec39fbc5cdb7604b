//go:build flux

package flux

import (
	"errors"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// need writes into a spec what the scenario takes away.
func (r *run) need(spec map[string]any) error {
	if strings.HasPrefix(r.scenario.name, "value-removed") {
		spec["values"] = map[string]any{"extra": "value"}
	}
	switch r.scenario.lacks {
	case "dependency":
		spec["dependsOn"] = []any{map[string]any{"name": "base"}}
	case "values":
		spec["valuesFrom"] = []any{map[string]any{"kind": "ConfigMap", "name": "values"}}
		return r.values()
	}
	return nil
}

func (r *run) values() error {
	_, err := r.Resource(kinds["ConfigMap"]).Namespace(r.namespace).Create(r.ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "values"}, "data": map[string]any{"values.yaml": "{}"},
	}}, metav1.CreateOptions{})
	return err
}

// outdate changes the source, of which source-controller then says nothing yet, and lets the
// release be looked at.
func (r *run) outdate() error {
	patch := []byte(`{"spec":{"interval":"61m"}}`)
	_, err := r.Resource(OCIRepositories).Namespace(r.namespace).Patch(r.ctx, "app", types.MergePatchType, patch, metav1.PatchOptions{})
	return errors.Join(err, r.annotate(requestedAt, "begin"))
}

// provide brings what the scenario has taken away.
func (r *run) provide() error {
	switch r.scenario.lacks {
	case "dependency":
		releases := r.Resource(HelmReleases).Namespace(r.namespace)
		_, err := releases.Create(r.ctx, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": map[string]any{"name": "base"},
			"spec": map[string]any{"interval": "1h", "suspend": true, "chartRef": map[string]any{"kind": "OCIRepository", "name": "app"}},
		}}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		_, err = releases.Patch(r.ctx, "base", types.MergePatchType, []byte(`{"status":{"observedGeneration":1,"conditions":[{"type":"Ready",
			"status":"True","reason":"InstallSucceeded","message":"","lastTransitionTime":"2026-01-01T00:00:00Z","observedGeneration":1}]}}`), metav1.PatchOptions{}, "status")
		return err
	case "source":
		return r.publish("app", newVersion)
	case "values":
		return r.values()
	}
	return nil
}
