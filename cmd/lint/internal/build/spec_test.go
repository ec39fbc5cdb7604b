package build

import (
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/buildtest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// spec.commonMetadata holds against what an object says.
// Source: SetCommonMetadata in github.com/fluxcd/pkg/ssa/utils.
func TestAddMetadata(t *testing.T) {
	common := func() map[string]any { return map[string]any{"team": "cluster"} }
	by := map[string]any{"spec": map[string]any{"commonMetadata": map[string]any{"labels": common(), "annotations": common()}}}
	obj := map[string]any{"metadata": map[string]any{"labels": map[string]any{"team": "app", "tier": "app"}}}
	AddMetadata(obj, by)
	for _, at := range [][]string{{"labels", "team"}, {"annotations", "team"}} {
		if got := object.String(obj, append([]string{"metadata"}, at...)...); got != "cluster" {
			t.Errorf("%v is %q", at, got)
		}
	}
	if got := object.String(obj, "metadata", "labels", "tier"); got != "app" {
		t.Errorf("the label tier is %q", got)
	}
}

// spec.buildMetadata replaces that of the kustomization.yaml, and spec.targetNamespace its namespace.
// Source: github.com/fluxcd/pkg/kustomize, kustomize_generator.go.
func TestSpecOverKustomization(t *testing.T) {
	builder := NewBuilder()
	source := builder.Source("the repository", true, buildtest.Files(`
-- kustomization.yaml --
resources: [release.yaml]
buildMetadata: [originAnnotations]
namespace: theirs
namePrefix: their-
-- release.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: cart}
spec: {interval: 1h}
`))
	out := builder.Build(source, ".", buildtest.Kustomization(map[string]any{
		"buildMetadata": []any{"managedByLabel"}, "targetNamespace": "ours", "namePrefix": "our-",
	}))
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	obj, err := out.Resources[0].Object()
	if err != nil {
		t.Fatal(err)
	}
	if object.FullName(obj) != "ours/our-cart" {
		t.Errorf("it is %s", object.FullName(obj))
	}
	if label := object.String(obj, "metadata", "labels", "app.kubernetes.io/managed-by"); label == "" {
		t.Error("the label of managedByLabel is missing")
	}
	if origin := object.At(obj, "metadata", "annotations", "config.kubernetes.io/origin"); origin != nil {
		t.Errorf("it has the origin %v", origin)
	}
}

// A component that is missing fails the build, unless the Kustomization says otherwise.
func TestMissingComponents(t *testing.T) {
	builder := NewBuilder()
	source := builder.Source("the repository", true, buildtest.Files("-- release.yaml --\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: cart}\n"))
	for _, ignore := range []bool{true, false} {
		out := builder.Build(source, ".", buildtest.Kustomization(map[string]any{"components": []any{"absent"}, "ignoreMissingComponents": ignore}))
		if (out.Err == nil) != ignore {
			t.Errorf("ignored: %v, error: %v", ignore, out.Err)
		}
	}
}
