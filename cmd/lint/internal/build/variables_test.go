package build

import (
	"maps"
	"testing"

	kustypes "sigs.k8s.io/kustomize/api/types"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// What is said twice: the last one holds. hack/flux/testdata/held-back holds the same to
// kustomize-controller.
func TestVariablesOf(t *testing.T) {
	ks := map[string]any{"spec": map[string]any{"postBuild": map[string]any{"substitute": map[string]any{"TIMEOUT": "3m", "LINES": "a\nb\n"}}}}
	references := []Reference{
		{Kind: "ConfigMap", Name: "first", Object: settings("ConfigMap", "data", "FIRST", "only", "INTERVAL", "1h", "TEXT", "first", "TIMEOUT", "1m")},
		{Kind: "ConfigMap", Name: "second", Object: settings("ConfigMap", "data", "INTERVAL", "2h", "TEXT", "second", "TIMEOUT", "2m")},
		{Kind: "Secret", Name: "third", Object: settings("Secret", "data", "TEXT", "ZGF0YQ==", "KEY", "ZGF0YQ==")},
	}
	references[2].Object["stringData"] = map[string]any{"TEXT": "c3RyaW5n"} // the API server lets it hold, as it is
	want := map[string]string{"FIRST": "only", "INTERVAL": "2h", "TEXT": "c3RyaW5n", "KEY": "data", "TIMEOUT": "3m", "LINES": "ab"}
	v := VariablesOf(ks, references)
	if !maps.Equal(v.Values, want) {
		t.Errorf("%v, want %v", v.Values, want)
	}
	if from := v.From["INTERVAL"].What; from != "ConfigMap /second" {
		t.Errorf("INTERVAL is from %s", from)
	}
}

// settings returns an object with a field of keys and values.
func settings(kind, field string, pairs ...string) map[string]any {
	data := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		data[pairs[i]] = pairs[i+1]
	}
	return map[string]any{"kind": kind, field: data}
}

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
	source := builder.Source("the repository", true, files(`
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
	out := builder.Build(source, ".", kustomization(map[string]any{
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
	source := builder.Source("the repository", true, files("-- release.yaml --\napiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: cart}\n"))
	for _, ignore := range []bool{true, false} {
		out := builder.Build(source, ".", kustomization(map[string]any{"components": []any{"absent"}, "ignoreMissingComponents": ignore}))
		if (out.Err == nil) != ignore {
			t.Errorf("ignored: %v, error: %v", ignore, out.Err)
		}
	}
}

// A digest of spec.images replaces a tag of the kustomization.yaml, and leaves the new name.
func TestAddImages(t *testing.T) {
	kust := kustypes.Kustomization{Images: []kustypes.Image{{Name: "app", NewName: "other", NewTag: "1"}}}
	ks := kustomization(map[string]any{"images": []any{map[string]any{"name": "app", "digest": "sha256:1"}}})
	if err := addImages(&kust, ks); err != nil {
		t.Fatal(err)
	}
	if want := (kustypes.Image{Name: "app", NewName: "other", Digest: "sha256:1"}); len(kust.Images) != 1 || kust.Images[0] != want {
		t.Errorf("%+v, want %+v", kust.Images, want)
	}
}
