package library

import (
	"fmt"
	"strings"
)

// release writes a HelmRelease.
func (t *tree) release(substituted bool) string {
	t.releases++
	return t.releaseNamed(fmt.Sprintf("r%d", t.releases), substituted)
}

func (t *tree) releaseNamed(name string, substituted bool) string {
	var b strings.Builder
	at := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	length := func() string {
		if substituted {
			return duration(t.random)
		}
		return pick(t.random, "1h", "10m", "90s", "1h30m")
	}
	at("apiVersion: helm.toolkit.fluxcd.io/%s", pick(t.random, "v2", "v2", "v2", "v2beta2"))
	at("kind: HelmRelease")
	at("metadata:\n  name: %s\n  namespace: %s", name, pick(t.random, "ns0", "ns0", "ns1"))
	if t.in(4) {
		at("  labels: {app: %s, tier: %s}", name, pick(t.random, "web", "db"))
	}
	if t.in(12) {
		at("  annotations: {%s}", t.annotation())
	}
	at("spec:\n  interval: %s\n  timeout: %s", length(), length())
	if t.in(2) {
		at("  chartRef: {kind: OCIRepository, name: %s}", name)
	} else {
		at("  chart:\n    spec:\n      chart: %s\n      version: %s\n      sourceRef: {kind: HelmRepository, name: charts}", name, pick(t.random, `"1.2.3"`, `">=1"`, "1.x"))
	}
	for _, half := range []string{"install", "upgrade"} {
		if !t.in(3) {
			at("  %s: %s", half, pick(t.random, "{strategy: {name: RetryOnFailure}}", "{remediation: {retries: 3}}", "{strategy: {name: RemediateOnFailure}, remediation: {retries: -1}}", "{timeout: 3m}", "\n    # said once\n    disableWait: true"))
		}
	}
	if t.in(4) {
		at("  valuesFrom:\n  - {kind: ConfigMap, name: one}\n  - kind: Secret\n    name: two\n    optional: %s", pick(t.random, "true", "false"))
	}
	if t.in(5) {
		at("  dependsOn: [{name: other}, {name: more, namespace: ns1}]")
	}
	at("  values:")
	if t.in(4) {
		at("    image: x:1 # {\"$imagepolicy\": \"flux-system:x\"}")
	}
	for i := range 1 + t.IntN(4) {
		switch {
		case substituted && t.in(2):
			at("    key%d: %s", i, use(t.random))
		case t.in(5):
			at("    key%d:\n    - %s\n    - inner: %s", i, pick(t.random, "1", "a"), pick(t.random, "x", "0x1", "'y'"))
		default:
			at("    key%d: %s", i, value(t.random))
		}
	}
	return b.String()
}

// annotation is one that Flux or kustomize looks at.
func (t *tree) annotation() string {
	if t.in(2) && t.presence {
		return pick(t.random, "kustomize.toolkit.fluxcd.io/reconcile: disabled", "kustomize.toolkit.fluxcd.io/ssa: Ignore", "kustomize.toolkit.fluxcd.io/ssa: IfNotPresent", "kustomize.toolkit.fluxcd.io/ssa: Merge", "kustomize.toolkit.fluxcd.io/prune: disabled")
	}
	return pick(t.random, "kustomize.toolkit.fluxcd.io/substitute: disabled", "note: 'x'", "config.kubernetes.io/local-config: 'true'", "kustomize.config.k8s.io/behavior: merge")
}
