package crd

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// unchecked expressions are those of definitions that are not checked: of what Flux Remedy does not rely on, or of
// what only a change of an object shows.
var uncheckedExpressions = []string{"self == oldSelf", "self.type", "!self.type", "self.all(", "has(self.pathPattern)", "has(self.fromSource)", "(has(self.allowed", "!has(self.insecure)", "!has(self.certSecretRef)", "!has(self.secretRef) || !(self.type", "!has(self.serviceAccountName) || self.type", "!has(self.name) || (!has(self.matchLabels)"}

// Each check in CEL of a definition is known here, or named above.
func TestExpressions(t *testing.T) {
	for name, schema := range known() {
		for at, rules := range schema().rules() {
			for _, rule := range rules {
				named := slices.ContainsFunc(uncheckedExpressions, func(prefix string) bool { return strings.HasPrefix(rule, prefix) })
				if keeps[rule] == nil && !named {
					t.Errorf("%s %s: %s is not checked", name, at, rule)
				}
			}
		}
	}
}

func (s Schema) rules() map[string][]string {
	out := map[string][]string{}
	s.expressions("", out)
	return out
}

func TestRefuses(t *testing.T) {
	open := func(text string) bool { return strings.Contains(text, "?") }
	for _, c := range []struct{ object, want string }{
		{"{apiVersion: v1, kind: ConfigMap, data: {a: b}, binaryData: {c: YQ==}, immutable: true}", ""},
		{"{apiVersion: v1, kind: ConfigMap, data: }", ""},
		{"{apiVersion: v1, kind: ConfigMap, data: [a]}", "data is no object"},
		{"{apiVersion: v1, kind: ConfigMap, data: {a: 5}}", "data.a is no text: put its value in quotes"},
		{"{apiVersion: v1, kind: ConfigMap, data: {a: b}, binaryData: {a: YQ==}}", "is refused: " + dataRule},
		{"{apiVersion: v1, kind: ConfigMap, data: {'a?': 5}}", ""},
		{"{apiVersion: v1, kind: Secret, data: {a: '%'}}", "data.a is not base64"},
		{"{apiVersion: v1, kind: Secret, stringData: {a: '%'}}", ""},
		{"{apiVersion: apps/v1, kind: Deployment, spec: {replicas: x, new: 1}}", "spec.replicas is no integer"},
		{"{apiVersion: apps/v1, kind: Deployment, spec: {template: {spec: {containers: [{args: [5]}]}}}}", "spec.template.spec.containers[0].args[0] is no text: put its value in quotes"},
		{"{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, spec: {interval: 1m, url: 'https://x'}}", ""},
		{"{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, spec: {interval: 1m}}", "spec.url is missing"},
		{"{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, spec: {interval: 1m, url: 'ftp://x'}}", "spec.url does not match ^(http|https|ssh)://.*$"},
		{"{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, spec: {interval: 1m, url: '?'}}", ""},
		{"{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, spec: {interval: 1m, url: 'https://x', serviceAccountName: x}}", "spec is refused: serviceAccountName can only be set when provider is 'azure' or 'aws'"},
		{"{apiVersion: source.toolkit.fluxcd.io/v1, kind: OCIRepository, spec: {interval: 1m, url: 'oci://x', layerSelector: {operation: Copy}}}", "spec.layerSelector.operation is none of extract, copy: it is " + MisspeltOrNewer},
		{"{apiVersion: fluxcd.controlplane.io/v1, kind: FluxInstance, metadata: {name: x}, spec: {distribution: {version: 2.x, registry: x}}}", "is refused: the only accepted name for a FluxInstance is 'flux'"},
		{"{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, spec: {steps: [{name: a, resources: []}], resources: []}}", "spec is refused: steps is mutually exclusive with resources and resourcesTemplate"},
		{"{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {interval: 1m, prune: true, sourceRef: {kind: GitRepository, name: x}, timeout: ?}}", ""},
		{"{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {interval: 1m, prune: true, sourceRef: {kind: GitRepository, name: x}, timeout: 1d}}", "spec.timeout is no duration such as 5m"},
		{"{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, spec: {interval: 1m, prune: true, sourceRef: {kind: GitRepository, name: x}, kubeConfig: {}}}", "spec.kubeConfig is refused: exactly one of spec.kubeConfig.configMapRef or spec.kubeConfig.secretRef must be specified"},
	} {
		var obj map[string]any
		if err := yaml.Unmarshal([]byte(strings.ReplaceAll(c.object, ": ?}", ": '?'}")), &obj); err != nil {
			t.Fatal(c.object, err)
		}
		schema, ok := Known(obj["apiVersion"].(string), obj["kind"].(string))
		if !ok {
			t.Fatalf("%s is not known", c.object)
		}
		got := ""
		if wrong := schema.Refuses(obj, Reading{Open: open}); wrong != nil {
			got = wrong.String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.object, got, c.want)
		}
	}
}
