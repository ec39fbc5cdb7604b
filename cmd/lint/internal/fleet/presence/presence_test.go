package presence

import (
	"testing"

	"sigs.k8s.io/yaml"
)

// What an applier, or the controller of an object, may make of it by a mark that is not known here is said.
func TestUnknownMark(t *testing.T) {
	for _, c := range []struct{ object, applier, want string }{
		{`{kind: HelmRelease, metadata: {labels: {kustomize.toolkit.fluxcd.io/name: apps, kustomize.toolkit.fluxcd.io/namespace: x, kustomize.toolkit.fluxcd.io/checksum: "1"}}}`, "Kustomization", ""},
		{`{kind: ConfigMap, metadata: {annotations: {kustomize.toolkit.fluxcd.io/prune: Disabled, kustomize.toolkit.fluxcd.io/force: enabled, kustomize.toolkit.fluxcd.io/ssa: ifnotpresent}}}`, "Kustomization", ""},
		{`{kind: ConfigMap, metadata: {annotations: {kustomize.toolkit.fluxcd.io/prune: never}}}`, "Kustomization", "kustomize.toolkit.fluxcd.io/prune"},
		{`{kind: HelmRelease, metadata: {labels: {kustomize.toolkit.fluxcd.io/force: always}}}`, "Kustomization", "kustomize.toolkit.fluxcd.io/force"},
		{`{kind: HelmRelease, metadata: {annotations: {kustomize.toolkit.fluxcd.io/reconcil: disabled}}}`, "Kustomization", "kustomize.toolkit.fluxcd.io/reconcil"},
		{`{kind: HelmRelease, metadata: {annotations: {kustomize.toolkit.fluxcd.io/after: apps}}}`, "ResourceSet", ""},
		{`{kind: HelmRelease, metadata: {annotations: {fluxcd.controlplane.io/skip: "yes"}}}`, "ResourceSet", "fluxcd.controlplane.io/skip"},
		{`{kind: HelmRelease, metadata: {annotations: {fluxcd.controlplane.io/reconcile: "off"}}}`, "Kustomization", ""},
		{`{kind: ResourceSet, metadata: {annotations: {fluxcd.controlplane.io/reconcile: "off"}}}`, "Kustomization", "fluxcd.controlplane.io/reconcile"},
		{`{kind: ResourceSet, metadata: {annotations: {fluxcd.controlplane.io/reconcile: Disabled, fluxcd.controlplane.io/reconcileEvery: 5m}}}`, "Kustomization", ""},
		{`{kind: ArtifactGenerator, metadata: {annotations: {source.extensions.fluxcd.io/reconcile: never}}}`, "Kustomization", "source.extensions.fluxcd.io/reconcile"},
	} {
		var obj map[string]any
		if err := yaml.Unmarshal([]byte(c.object), &obj); err != nil {
			t.Fatal(err)
		}
		if key, _ := UnknownMark(obj, c.applier); key != c.want {
			t.Errorf("%s by a %s: %q, want %q", c.object, c.applier, key, c.want)
		}
	}
}

// What a Kustomization leaves behind when it is deleted, by its deletionPolicy and prune.
func TestLeavesBehind(t *testing.T) {
	for spec, want := range map[string]bool{
		"{prune: true}": false, "{prune: false}": true, "{}": false, "{prune: true, deletionPolicy: MirrorPrune}": false, "{prune: false, deletionPolicy: MirrorPrune}": true,
		"{prune: false, deletionPolicy: Delete}": false, "{prune: false, deletionPolicy: WaitForTermination}": false,
		"{prune: true, deletionPolicy: Orphan}": true, "{prune: true, deletionPolicy: Archive}": true, "{prune: true, deletionPolicy: orphan}": true,
	} {
		k := map[string]any{}
		if err := yaml.Unmarshal([]byte("spec: "+spec), &k); err != nil {
			t.Fatal(err)
		}
		if got := LeavesBehind(k); got != want {
			t.Errorf("%s: %v, want %v", spec, got, want)
		}
	}
}
