package crd

import (
	"testing"

	"sigs.k8s.io/yaml"
)

func TestLater(t *testing.T) {
	const kustomization, git = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: ", "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nspec: "
	for _, c := range []struct{ object, flux, want string }{
		{kustomization + "{deletionPolicy: Delete}", "2.4", "the field spec.deletionPolicy"},
		{kustomization + "{deletionPolicy: Delete}", "2.5", ""},
		{kustomization + "{deletionPolicy: WaitForTermination}", "2.5", "the value WaitForTermination of spec.deletionPolicy"},
		{kustomization + "{deletionPolicy: WaitForTermination}", "2.6", ""},
		{kustomization + "{dependsOn: [{name: a}, {name: b, readyExpr: 'true'}]}", "2.6", "the field spec.dependsOn.*.readyExpr"},
		{kustomization + "{dependsOn: [{name: a}]}", "2.0", ""},
		{kustomization + "{kubeConfig: {configMapRef: {name: a}}}", "2.6", "the field spec.kubeConfig.configMapRef"},
		{kustomization + "{ignore: null}", "2.6", ""},
		{kustomization + "{ignore: [a]}", "2.10", ""},
		{kustomization + "{ignore: [a]}", "0.41", "the field spec.ignore"},
		{git + "{provider: aws}", "2.8", "the value aws of spec.provider"},
		{git + "{provider: aws}", "2.3", "the field spec.provider"},
		{git + "{provider: generic}", "2.4", ""},
		{"apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository", "2.5", ""},
		{"apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository", "2.6", ""},
		{"apiVersion: source.toolkit.fluxcd.io/v1beta2\nkind: OCIRepository\nspec: {proxySecretRef: {name: a}}", "2.3", "the field spec.proxySecretRef"},
		{"apiVersion: v1\nkind: ConfigMap\ndata: {ignore: a}", "2.0", ""},
	} {
		var obj map[string]any
		if err := yaml.Unmarshal([]byte(c.object), &obj); err != nil {
			t.Fatal(err)
		}
		if got := Later(obj, c.flux); got != c.want {
			t.Errorf("Flux %s: %s\nhas %q, want %q", c.flux, c.object, got, c.want)
		}
	}
}

// What is newer than Flux 2.0 is there in the newest version, unless that serves the apiVersion no longer.
func TestAdditions(t *testing.T) {
	for kind, all := range additions() {
		schema, ok := known()[kind]
		if !ok {
			continue
		}
		fields := schema().Fields()
		for _, a := range all {
			if _, ok := fields[a.name]; !ok {
				t.Errorf("%s has no %s", kind, a.name)
			}
		}
	}
}
