package main

import (
	"strings"
	"testing"
)

const (
	gotk      = "clusters/production/flux-system/gotk-components.yaml"
	shardPath = "clusters/production/shard.yaml"
	envPath   = "clusters/production/env.yaml"

	retryGate = "--feature-gates=DefaultToRetryOnFailure=true"
	unsharded = "--watch-label-selector=!sharding.fluxcd.io/key"
)

// running returns a Deployment of helm-controller, with more of its container.
func running(name, image, container string, args ...string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: " + name + "\n  namespace: flux-system\n" +
		"spec:\n  template:\n    spec:\n      containers:\n        - name: manager\n          image: \"" + image + "\"\n          args: [\"" + strings.Join(args, "\", \"") + "\"]\n" + container
}

const (
	official   = "ghcr.io/fluxcd/helm-controller:v1.6.3"
	fromEnv    = "          env: [{name: G, value: \"DefaultToRetryOnFailure=true\"}]\n"
	fromMap    = "          env: [{name: G, valueFrom: {configMapKeyRef: {name: gates, key: G}}}]\n"
	fromAll    = "          envFrom: [{configMapRef: {name: gates}}]\n"
	fromSecret = "          envFrom: [{configMapRef: {name: gates}}, {secretRef: {name: more}}]\n"
	byVariable = "--feature-gates=$(G)"
	inShard    = "  labels: {sharding.fluxcd.io/key: shard1}\n"
)

func gates(value string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: gates, namespace: flux-system}\ndata: {G: \"" + value + "\"}\n"
}

// fluxInstance returns a FluxInstance whose helm-controllers that a patch targets have an argument more.
func fluxInstance(target, arg, spec string) string {
	return "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\n" +
		"spec:\n  distribution: {version: 2.9.x, registry: ghcr.io/fluxcd}\n" + spec +
		"  kustomize:\n    patches:\n      - target: {kind: Deployment, " + target + "}\n        patch: |\n          - op: add\n            path: /spec/template/spec/containers/0/args/-\n            value: " + arg + "\n"
}

// chartOfInstance returns the HelmRelease of the chart that creates a FluxInstance, with a gate and more of its spec.
func chartOfInstance(gate, spec string) string {
	return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: flux, namespace: flux-system}\nspec:\n  interval: 30m\n  timeout: 10m\n" +
		"  chartRef: {kind: OCIRepository, name: flux-instance}\n" + pair + spec + "  values:\n    instance:\n      distribution: {version: 2.9.x, registry: ghcr.io/fluxcd}\n" +
		"      kustomize: {patches: [{target: {kind: Deployment, name: helm-controller}, patch: '[{\"op\": \"add\", \"path\": \"/spec/template/spec/containers/0/args/-\", \"value\": \"--feature-gates=DefaultToRetryOnFailure=" + gate + "\"}]'}]}\n"
}

// synced returns a FluxInstance that syncs this repository, with a patch of an object of that kind.
func synced(kind, patch string) string {
	return "apiVersion: fluxcd.controlplane.io/v1\nkind: FluxInstance\nmetadata: {name: flux, namespace: flux-system}\nspec:\n  distribution: {version: 2.9.x, registry: ghcr.io/fluxcd}\n" +
		"  sync: {kind: GitRepository, url: \"https://example.com/acme/fleet.git\", ref: refs/heads/main, path: clusters/production}\n" +
		"  kustomize: {patches: [{target: {kind: \"" + kind + "\"}, patch: '" + patch + "'}]}\n"
}

// patched returns a FluxInstance with one more patch, as JSON.
func patched(instance, target, patch string) string {
	return instance + "      - {target: {" + target + "}, patch: '" + patch + "'}\n"
}

// published returns what applies the manifests that Flux publishes, with a gate of helm-controller and one more patch.
func published(target, patch string) string {
	gate := "  patches:\n    - {target: {kind: Deployment, name: helm-controller}, patch: '[{\"op\": \"add\", \"path\": \"/spec/template/spec/containers/0/args/-\", \"value\": \"" + retryGate + "\"}]'}\n"
	gate = strings.ReplaceAll(gate, "    - ", "      - ")
	return "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: manifests, namespace: flux-system}\nspec: {interval: 1h, url: oci://ghcr.io/fluxcd/flux-manifests, ref: {tag: v2.9.3}}\n---\n" +
		kustomization("flux", "./", "", "  sourceRef: {kind: OCIRepository, name: manifests}\n") + patched(gate, target, patch)
}

// off switches an object of flux-operator off.
func off(text string) string {
	return strings.Replace(text, "namespace: flux-system}", "namespace: flux-system, annotations: {fluxcd.controlplane.io/reconcile: Disabled}}", 1)
}

// controllers are changes of which helm-controller reconciles a release, or of how that is started.
func controllers() map[string]family {
	gated := contents{
		syncPath: entry("", "", ""), appsPath: kustomization("apps", "./apps", "", ""), shopPath: helmRelease("", ""),
		gotk: running("helm-controller", official, "", retryGate),
	}
	sharded := gated.with(contents{
		gotk:      running("helm-controller", official, "", retryGate, unsharded),
		shardPath: running("helm-controller-shard1", official, "", "--watch-label-selector=sharding.fluxcd.io/key=shard1"),
	})
	written := sharded.with(contents{shopPath: helmRelease("", pair), gotk: running("helm-controller", official, "", unsharded)})
	named, inShards := "name: helm-controller", "  sharding: {shards: [shard1, shard2]}\n"
	instance := gated.with(contents{gotk: fluxInstance(named, retryGate, "")})
	ungated := contents{gotk: fluxInstance(named, "--log-level=info", ""), shopPath: helmRelease("", pair)}
	return map[string]family{
		"instance": {instance, []change{
			{name: "control", files: contents{gotk: fluxInstance(named, "--log-level=info", "")}, code: "1"},
			{name: "sharded", files: contents{gotk: fluxInstance(named, retryGate, inShards)}, code: "0"},
			{name: "to a shard", files: contents{gotk: fluxInstance(named, retryGate, inShards), shopPath: helmRelease(inShard, "")}, code: "0"},
			{name: "to no shard", files: contents{gotk: fluxInstance(named, retryGate, inShards), shopPath: helmRelease("  labels: {sharding.fluxcd.io/key: shard3}\n", "")}, code: "4", tells: "no helm-controller that the tree installs reconciles it: FluxInstance flux-system/flux watches !sharding.fluxcd.io/key, shard shard1 of"},
			{name: "another key", files: contents{gotk: fluxInstance(named, retryGate, "  sharding: {key: team, shards: [shop]}\n"), shopPath: helmRelease("  labels: {team: other}\n", "")}, code: "4", tells: "watches team=shop"},
			{name: "gate of the first alone", files: contents{gotk: fluxInstance("name: helm-controller, annotationSelector: \"!sharding.fluxcd.io/role\"", retryGate, inShards), shopPath: helmRelease(inShard, "")}, code: "1"},
			{name: "gate of the first, which has it", files: contents{gotk: fluxInstance("name: helm-controller, annotationSelector: \"!sharding.fluxcd.io/role\"", retryGate, inShards)}, code: "0"},
			{name: "without the component", files: contents{gotk: fluxInstance(named, retryGate, "  components: [source-controller, kustomize-controller]\n")}, code: "4", tells: "does not install helm-controller"},
			{name: "applied again", files: contents{"apps/flux.yaml": fluxInstance(named, "--log-level=info", "")}, code: "1"},
			{name: "applied again without its component", files: contents{"apps/flux.yaml": fluxInstance(named, retryGate, "  components: [source-controller]\n")}, code: "4", tells: "each undoes the other"},
			{name: "applied again in shards", files: contents{"apps/flux.yaml": fluxInstance(named, retryGate, inShards)}, code: "4", tells: "each undoes the other"},
			{name: "applied again as it is", files: contents{"apps/flux.yaml": instance[gotk]}, code: "0"},
			{name: "switched off", base: contents{gotk: fluxInstance(named, "--log-level=info", ""), shopPath: helmRelease("", pair)}, files: contents{gotk: off(instance[gotk]), shopPath: helmRelease("", "")}, code: "1", tells: "what the base of the change installs is used"},
			{name: "switched off without its gate", files: contents{gotk: off(fluxInstance(named, "--log-level=info", ""))}, code: "0"},
			{name: "switched off in the folder", base: contents{gotk: fluxInstance(named, "--log-level=info", ""), shopPath: helmRelease("", pair)}, files: contents{gotk: off(fluxInstance(named, retryGate, inShards)), shopPath: helmRelease(inShard, "")}, code: "1"},
			{name: "with a patch that fits", base: ungated, files: contents{gotk: patched(instance[gotk], "kind: Deployment, name: .*-controller", `[{"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "--log-level=debug"}]`), shopPath: helmRelease("", "")}, code: "0"},
			{name: "with a test that fails", base: ungated, files: contents{gotk: patched(instance[gotk], "kind: Deployment, name: source-controller", `[{"op": "test", "path": "/nope/x", "value": 1}]`), shopPath: helmRelease("", "")}, code: "1", tells: "patch 2 of what installs Flux does not fit what it targets, so nothing is installed: what the base of the change installs is used"},
			{name: "with a removal of nothing", base: ungated, files: contents{gotk: patched(instance[gotk], "kind: Deployment, name: helm-controller", `[{"op": "remove", "path": "/spec/template/spec/tolerations"}]`), shopPath: helmRelease("", "")}, code: "1"},
			{name: "with no patch at all", base: ungated, files: contents{gotk: patched(instance[gotk], "kind: Deployment", `x`), shopPath: helmRelease("", "")}, code: "1"},
			{name: "with a patch of another kind", base: ungated, files: contents{gotk: patched(instance[gotk], "kind: NetworkPolicy", `[{"op": "test", "path": "/nope/x", "value": 1}]`), shopPath: helmRelease("", "")}, code: "1", tells: "whether its new patch 2 fits is not known: what the base"},
			{name: "with a patch of several kinds", base: ungated, files: contents{gotk: patched(instance[gotk], "kind: Deployment|ServiceAccount", `[{"op": "remove", "path": "/spec/replicas"}]`), shopPath: helmRelease("", "")}, code: "1", tells: "whether its new patch 2 fits"},
			{name: "with a patch of no kind", files: contents{gotk: patched(instance[gotk], "group: apps, name: helm-controller", `[{"op": "add", "path": "/spec/template/spec/containers/0/args/-", "value": "--feature-gates=DefaultToRetryOnFailure=false"}]`)}, code: "1", tells: "whether its new patch 2 fits"},
			{name: "with a patch of another kind alone", base: contents{gotk: instance[gotk]}, files: contents{gotk: patched(instance[gotk], "kind: NetworkPolicy", `[{"op": "test", "path": "/nope/x", "value": 1}]`)}, code: "0"},
			{name: "with a patch that did not fit before", base: contents{gotk: patched(instance[gotk], "kind: Deployment", `[{"op": "test", "path": "/nope/x", "value": 1}]`), shopPath: helmRelease("", pair)}, files: contents{shopPath: helmRelease("", "")}, code: "1"},
			{name: "published, with a test that fails", base: contents{gotk: removed, shopPath: helmRelease("", pair)}, files: contents{gotk: published("kind: Deployment", `[{"op": "test", "path": "/nope/x", "value": 1}]`), shopPath: helmRelease("", "")}, code: "1", tells: "does not fit"},
			{name: "published", base: contents{gotk: removed, shopPath: helmRelease("", pair)}, files: contents{gotk: published("kind: Deployment", `[{"op": "add", "path": "/spec/template/spec/hostNetwork", "value": true}]`), shopPath: helmRelease("", "")}, code: "0"},
			{name: "with the component", files: contents{gotk: fluxInstance(named, retryGate, "  components: [source-controller, helm-controller]\n")}, code: "0"},
		}},
		"instance's image": {gated.with(contents{gotk: fluxInstance(named, retryGate, ""), shopPath: helmRelease("", pair)}), []change{
			{name: "another", files: contents{gotk: patched(instance[gotk], "kind: Deployment, name: helm-controller", `[{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "example.com/helm:v1"}]`)}, code: "4", tells: "no longer known which helm-controller"},
			{name: "without a version", files: contents{gotk: patched(instance[gotk], "kind: Deployment, name: helm-controller", `[{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "ghcr.io/fluxcd/helm-controller:latest"}]`)}, code: "4", tells: "no longer known which helm-controller"},
			{name: "an old one", files: contents{gotk: patched(instance[gotk], "kind: Deployment, name: helm-controller", `[{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "ghcr.io/fluxcd/helm-controller:v1.0.0"}]`)}, code: "1", tells: "1.0.0"},
			{name: "of this version", files: contents{gotk: patched(instance[gotk], "kind: Deployment, name: helm-controller", `[{"op": "replace", "path": "/spec/template/spec/containers/0/image", "value": "example.com/fluxcd/helm-controller:v1.6.3"}]`)}, code: "0"},
			{name: "deleted", files: contents{gotk: patched(instance[gotk], "kind: Deployment, name: helm-controller", `{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "helm-controller"}, "$patch": "delete"}`)}, code: "4", tells: "does not install helm-controller"},
		}},
		"chart of an instance": {gated.with(contents{gotk: chartOfInstance("true", "")}), []change{
			{name: "control", files: contents{gotk: chartOfInstance("false", "")}, code: "1"},
			{name: "another setting", files: contents{gotk: chartOfInstance("true", "  maxHistory: 7\n")}, code: "0"},
			{name: "rewritten", files: contents{gotk: chartOfInstance("true", "  postRenderers: [{kustomize: {patches: [{target: {kind: FluxInstance}, patch: '[{\"op\": \"remove\", \"path\": \"/spec/kustomize\"}]'}]}}]\n")}, code: "1", tells: "spec.postRenderers"},
			{name: "rewritten, with the pair", base: contents{shopPath: helmRelease("", pair)}, files: contents{gotk: chartOfInstance("true", "  postRenderers: [{kustomize: {images: [{name: a, newTag: b}]}}]\n")}, code: "4", tells: "spec.postRenderers"},
		}},
		"synced": {contents{gotk: synced("", ""), appsPath: gated[appsPath], shopPath: helmRelease("", pair)}, []change{
			{name: "control", files: contents{shopPath: helmRelease("", "")}, code: "1"},
			{name: "by another source of its url", files: contents{"clusters/production/more.yaml": repository("more", "", ""), appsPath: kustomization("apps", "./apps", "", "  sourceRef: {kind: GitRepository, name: more}\n")}, code: "0"},
			{name: "by another source of another url", files: contents{"clusters/production/more.yaml": strings.Replace(repository("more", "", ""), "acme", "other", 1), appsPath: kustomization("apps", "./apps", "", "  sourceRef: {kind: GitRepository, name: more}\n")}, code: "4", tells: "is not this repository"},
			{name: "a patch that keeps it", files: contents{gotk: synced("GitRepository", `[{"op": "replace", "path": "/spec/interval", "value": "5m"}]`)}, code: "0"},
			{name: "another url", files: contents{gotk: synced("GitRepository", `[{"op": "replace", "path": "/spec/url", "value": "https://example.com/other"}]`)}, code: "4", tells: "another repository or revision"},
			{name: "another revision", files: contents{gotk: synced("GitRepository", `[{"op": "replace", "path": "/spec/ref/name", "value": "refs/heads/other"}]`)}, code: "4", tells: "another repository or revision"},
			{name: "another url, merged", files: contents{gotk: synced("GitRepository", `{"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": {"name": "flux-system"}, "spec": {"url": "https://example.com/other"}}`)}, code: "4", tells: "another repository or revision"},
			{name: "without the component", files: sparse("").with(contents{syncPath: removed, gotk: synced("GitRepository", `[{"op": "add", "path": "/spec/ignore", "value": "/pair/"}]`)}), code: "1"},
			{name: "sparse", files: contents{gotk: synced("GitRepository", `[{"op": "add", "path": "/spec/sparseCheckout", "value": ["clusters"]}]`)}, code: "4", tells: "is not in"},
			{name: "suspended, and lost", files: contents{shopPath: helmRelease("", ""), gotk: synced("GitRepository", `[{"op": "add", "path": "/spec/suspend", "value": true}]`)}, code: "1"},
			{name: "source deleted", files: contents{gotk: synced("GitRepository", `{"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": {"name": "flux-system"}, "$patch": "delete"}`)}, code: "4"},
			{name: "Kustomization deleted", files: contents{gotk: synced("Kustomization", `{"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": {"name": "flux-system"}, "$patch": "delete"}`)}, code: "4"},
			{name: "another folder", files: contents{gotk: synced("Kustomization", `[{"op": "replace", "path": "/spec/path", "value": "other"}]`), "other/more.yaml": other("", "")}, code: "1"},
		}},
		"started": {gated, []change{
			{name: "control", files: contents{gotk: running("helm-controller", official, "", "--log-level=info")}, code: "1"},
			{name: "same gate", files: contents{gotk: running("helm-controller", official, fromEnv, byVariable)}, code: "0"},
			{name: "two arguments", files: contents{gotk: running("helm-controller", official, "", "--feature-gates", "DefaultToRetryOnFailure=true")}, code: "0"},
			{name: "off in two arguments", files: contents{gotk: running("helm-controller", official, "", retryGate, "--feature-gates", "DefaultToRetryOnFailure=false")}, code: "1"},
			{name: "whole argument by a variable", files: contents{gotk: running("helm-controller", official, "          env: [{name: G, value: \"--feature-gates=DefaultToRetryOnFailure=false\"}]\n", retryGate, "$(G)")}, code: "1"},
			{name: "from a ConfigMap", files: contents{gotk: running("helm-controller", official, fromMap, byVariable), envPath: gates("DefaultToRetryOnFailure=true")}, code: "0"},
			{name: "off in a ConfigMap", files: contents{gotk: running("helm-controller", official, fromMap, byVariable), envPath: gates("DefaultToRetryOnFailure=false")}, code: "1"},
			{name: "from all of a ConfigMap", files: contents{gotk: running("helm-controller", official, fromAll, byVariable), envPath: gates("DefaultToRetryOnFailure=true")}, code: "0"},
			{name: "a Secret may be over it", files: contents{gotk: running("helm-controller", official, fromSecret, byVariable), envPath: gates("DefaultToRetryOnFailure=true")}, code: "1"},
			{name: "no such ConfigMap", files: contents{gotk: running("helm-controller", official, fromAll, byVariable)}, code: "1"},
			{name: "escaped", files: contents{gotk: running("helm-controller", official, fromEnv, "--feature-gates=$$(G)")}, code: "1"},
			{name: "beside another container", files: contents{gotk: strings.Replace(gated[gotk], "containers:", "containers:\n        - {name: proxy, image: envoy}", 1)}, code: "0"},
			{name: "two of them", files: contents{gotk: gated[gotk] + "        - {name: other, image: \"" + official + "\"}\n"}, code: "1"},
		}},
		"version": {gated.with(contents{shopPath: helmRelease("", pair)}), []change{
			{name: "by digest", files: contents{gotk: running("helm-controller", "ghcr.io/fluxcd/helm-controller@sha256:0f", "", retryGate)}, code: "4", tells: "no longer known which helm-controller"},
			{name: "latest", files: contents{gotk: running("helm-controller", "ghcr.io/fluxcd/helm-controller:latest", "", retryGate)}, code: "4", tells: "no longer known which helm-controller"},
			{name: "removed", files: contents{gotk: removed}, code: "4", tells: "no longer known which helm-controller"},
			{name: "another image", files: contents{gotk: running("helm-controller", "example.com/helm:v1.6.3", "", retryGate)}, code: "4", tells: "no longer known which helm-controller"},
			{name: "said by the configuration", base: contents{".flux-remedy.yaml": "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: {controller: {version: 1.6.3}}\n"}, files: contents{gotk: removed}, code: "0"},
			{name: "with its digest", files: contents{gotk: running("helm-controller", official+"@sha256:0f", "", retryGate)}, code: "0"},
		}},
		"shards": {sharded, []change{
			{name: "to one without the gate", files: contents{shopPath: helmRelease(inShard, "")}, code: "1"},
			{name: "to one with the gate", files: contents{shopPath: helmRelease(inShard, ""), shardPath: running("helm-controller-shard1", official, "", retryGate, "--watch-label-selector=sharding.fluxcd.io/key in (shard1)")}, code: "0"},
			{name: "to none", files: contents{shopPath: helmRelease("  labels: {sharding.fluxcd.io/key: shard2}\n", "")}, code: "4", tells: "no helm-controller that the tree installs reconciles it"},
			{name: "by commonMetadata", files: contents{appsPath: kustomization("apps", "./apps", "", "  commonMetadata: {labels: {sharding.fluxcd.io/key: shard1}}\n")}, code: "1"},
			{name: "without another label", files: contents{shopPath: helmRelease("  labels: {team: shop}\n", "")}, code: "0"},
			{name: "another selector", files: contents{gotk: running("helm-controller", official, "", retryGate, "--watch-label-selector", "sharding.fluxcd.io/key=main")}, code: "4", tells: "no helm-controller"},
			{name: "a selector that is not known", files: contents{gotk: running("helm-controller", official, "", retryGate, "--watch-label-selector=$(S)")}, code: "1"},
		}},
		"old shard": {written, []change{
			{name: "before the strategy", files: contents{shopPath: helmRelease(inShard, pair), shardPath: running("helm-controller-shard1", "ghcr.io/fluxcd/helm-controller:v1.0.0", "", "--watch-label-selector=sharding.fluxcd.io/key=shard1")}, code: "1", tells: "1.0.0"},
			{name: "by digest", files: contents{shopPath: helmRelease(inShard, pair), shardPath: running("helm-controller-shard1", "ghcr.io/fluxcd/helm-controller@sha256:0f", "", "--watch-label-selector=sharding.fluxcd.io/key=shard1")}, code: "4", tells: "no longer known"},
			{name: "label by a variable", files: contents{shopPath: helmRelease("  labels: {sharding.fluxcd.io/key: \"${KEY}\"}\n", pair), appsPath: kustomization("apps", "./apps", "", "  postBuild: {substituteFrom: [{kind: Secret, name: keys}]}\n")}, code: "4", tells: "not known which helm-controller"},
			{name: "control", files: contents{shopPath: helmRelease(inShard, pair)}, code: "0"},
		}},
		"idle": {gated.with(contents{shopPath: helmRelease("", pair)}), []change{
			{name: "own namespace", files: contents{gotk: running("helm-controller", official, "", "--watch-all-namespaces=false")}, code: "4", tells: "watches the namespace flux-system alone"},
			{name: "all namespaces", files: contents{gotk: running("helm-controller", official, "", "--watch-all-namespaces")}, code: "0"},
			{name: "no replicas", files: contents{gotk: strings.Replace(gated[gotk], "spec:\n", "spec:\n  replicas: 0\n", 1)}, code: "4", tells: "has no replicas"},
			{name: "command", files: contents{gotk: running("helm-controller", official, "          command: [/bin/sh]\n", "--log-level=info")}, code: "4", tells: "has a command"},
		}},
	}
}

// TestControllers holds each change to the helm-controller that reconciles the release afterwards.
func TestControllers(t *testing.T) { runFamilies(t, controllers()) }
