package main

import (
	"bytes"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// contents are those of a tree or of a change, by path.
type contents map[string]string

// with returns the files, and others over them.
func (f contents) with(more contents) contents {
	out := maps.Clone(f)
	maps.Copy(out, more)
	return out
}

const (
	syncPath  = "clusters/production/flux-system/gotk-sync.yaml"
	appsPath  = "clusters/production/apps.yaml"
	midPath   = "clusters/production/mid.yaml"
	varsPath  = "clusters/production/vars.yaml"
	setPath   = "clusters/production/set.yaml"
	otherPath = "apps/more.yaml"
	shopPath  = "apps/shop.yaml"

	removed = "removed\n"

	pair     = "  install: {strategy: {name: RetryOnFailure}}\n  upgrade: {strategy: {name: RetryOnFailure}}\n"
	variable = "  install: {strategy: {name: \"${S:=RemediateOnFailure}\"}}\n  upgrade: {strategy: {name: \"${S:=RemediateOnFailure}\"}}\n"
	patches  = `  patches:
    - target: {kind: HelmRelease}
      patch: |
        - {op: add, path: /spec/install, value: {strategy: {name: RetryOnFailure}}}
        - {op: add, path: /spec/upgrade, value: {strategy: {name: RetryOnFailure}}}
`
)

// kustomization returns a Flux Kustomization, with more metadata and more of its spec.
func kustomization(name, path, metadata, spec string) string {
	text := "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata:\n  name: " + name + "\n  namespace: flux-system\n" + metadata +
		"spec:\n  interval: 10m\n  path: " + path + "\n  prune: true\n"
	if !strings.Contains(spec, "sourceRef:") {
		text += "  sourceRef: {kind: GitRepository, name: flux-system}\n"
	}
	return text + spec
}

// repository returns a GitRepository of this repository.
func repository(name, metadata, spec string) string {
	return "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata:\n  name: " + name + "\n  namespace: flux-system\n" + metadata +
		"spec:\n  interval: 1m\n  url: https://example.com/acme/fleet.git\n  ref: {branch: main}\n" + spec
}

// entry returns what flux bootstrap writes.
func entry(repositorySpec, metadata, spec string) string {
	return repository("flux-system", "", repositorySpec) + "---\n" + kustomization("flux-system", "./clusters/production", metadata, spec)
}

// helmRelease returns the release shop with more of its spec.
func helmRelease(metadata, spec string) string {
	return "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: shop\n  namespace: shop\n" + metadata +
		"spec:\n  interval: 30m\n  timeout: 10m\n  chartRef: {kind: OCIRepository, name: shop}\n" + spec
}

// database returns the release db.
func database(metadata, spec string) string {
	return strings.Replace(helmRelease(metadata, spec), "name: shop", "name: db", 1)
}

// other returns a third release, more.
func other(metadata, spec string) string {
	return strings.Replace(helmRelease(metadata, spec), "name: shop", "name: more", 1)
}

// vars returns the ConfigMap with the variable S.
func vars(metadata, value string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: vars\n  namespace: flux-system\n" + metadata + "data: {S: " + value + "}\n"
}

const (
	from         = "  postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}\n"
	fromOptional = "  postBuild: {substituteFrom: [{kind: ConfigMap, name: vars, optional: true}]}\n"
)

// controller returns the Deployment of helm-controller.
func controller(metadata, arg string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: helm-controller\n  namespace: flux-system\n" + metadata +
		"spec: {template: {spec: {containers: [{name: manager, image: \"ghcr.io/fluxcd/helm-controller:v1.5.3\", args: [\"" + arg + "\"]}]}}}\n"
}

func annotated(text string) string { return "  annotations: {" + text + "}\n" }
func labelled(text string) string  { return "  labels: {" + text + "}\n" }

// change is a change of a tree, and what diff and lint --new-from end with.
type change struct {
	name  string
	base  contents // over the base of the family
	files contents // over both
	code  string
	tells string // what both report
}

// plainFleet is a cluster with a release that has the pair; nestedFleet has a Kustomization between.
var (
	plainFleet = contents{
		syncPath: entry("", "", ""), appsPath: kustomization("apps", "./apps", "", ""), shopPath: helmRelease("", pair),
	}
	nestedFleet = contents{
		syncPath: entry("", "", ""), midPath: kustomization("mid", "./mid", "", ""),
		"mid/apps.yaml": kustomization("apps", "./apps", "", ""), shopPath: helmRelease("", pair),
	}
	variableFleet = contents{
		syncPath: entry("", "", ""), appsPath: kustomization("apps", "./apps", "", fromOptional), shopPath: helmRelease("", pair),
	}
	moved     = contents{appsPath: kustomization("apps", "./apps", "", patches), shopPath: helmRelease("", "")}
	movedDeep = contents{"mid/apps.yaml": kustomization("apps", "./apps", "", patches), shopPath: helmRelease("", "")}
	used      = contents{shopPath: helmRelease("", variable)}
	preset    = contents{shopPath: helmRelease("", strings.ReplaceAll(variable, "RemediateOnFailure", "RetryOnFailure"))}
)

// family are changes of one base.
type family struct {
	base    contents
	changes []change
}

// families are changes, by what Flux makes of an object that it does not apply as it is written.
var families = map[string]family{
	"pair-moves-to-skipped-applier": {plainFleet, []change{
		{name: "control", files: moved, code: "0"},
		{name: "reconcile", files: moved.with(contents{appsPath: kustomization("apps", "./apps", annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), patches)}), code: "1"},
		{name: "label", files: moved.with(contents{appsPath: kustomization("apps", "./apps", labelled("kustomize.toolkit.fluxcd.io/reconcile: disabled"), patches)}), code: "1"},
		{name: "letter case", files: moved.with(contents{appsPath: kustomization("apps", "./apps", annotated("kustomize.toolkit.fluxcd.io/reconcile: DISABLED"), patches)}), code: "1"},
		{name: "ssa ignore", files: moved.with(contents{appsPath: kustomization("apps", "./apps", annotated("kustomize.toolkit.fluxcd.io/ssa: Ignore"), patches)}), code: "1"},
		{name: "if not present", files: moved.with(contents{appsPath: kustomization("apps", "./apps", labelled("kustomize.toolkit.fluxcd.io/ssa: ifnotpresent"), patches)}), code: "1"},
		{name: "merge", files: moved.with(contents{appsPath: kustomization("apps", "./apps", annotated("kustomize.toolkit.fluxcd.io/ssa: Merge"), patches)}), code: "0"},
		{name: "enabled", files: moved.with(contents{appsPath: kustomization("apps", "./apps", annotated("kustomize.toolkit.fluxcd.io/reconcile: enabled"), patches)}), code: "0"},
		{
			name: "by a variable", code: "1",
			files: moved.with(contents{
				appsPath: kustomization("apps", "./apps", annotated("kustomize.toolkit.fluxcd.io/reconcile: \"${MODE}\""), patches),
				syncPath: entry("", "", "  postBuild: {substitute: {MODE: disabled}}\n"),
			}),
		},
		{
			name: "by a variable that is not known", code: "1",
			files: moved.with(contents{
				appsPath: kustomization("apps", "./apps", annotated("kustomize.toolkit.fluxcd.io/reconcile: \"${MODE}\""), patches),
				syncPath: entry("", "", "  postBuild: {substituteFrom: [{kind: Secret, name: modes}]}\n"),
			}),
		},
		{name: "by common metadata", files: moved.with(contents{syncPath: entry("", "", "  commonMetadata: {labels: {kustomize.toolkit.fluxcd.io/ssa: Ignore}}\n")}), code: "1"},
		{name: "by a patch", files: moved.with(contents{syncPath: entry("", "", `  patches:
    - target: {kind: Kustomization, name: apps}
      patch: |
        - {op: add, path: /metadata/annotations, value: {kustomize.toolkit.fluxcd.io/reconcile: disabled}}
`)}), code: "1"},
		{name: "suspended entry", files: moved.with(contents{syncPath: entry("", "", "  suspend: true\n")}), code: "1"},
		{name: "entry itself", files: contents{
			syncPath: entry("", annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), `  patches:
    - target: {kind: Kustomization, name: apps}
      patch: |
        - op: add
          path: /spec/patches
          value:
            - target: {kind: HelmRelease}
              patch: |
                - {op: add, path: /spec/install, value: {strategy: {name: RetryOnFailure}}}
                - {op: add, path: /spec/upgrade, value: {strategy: {name: RetryOnFailure}}}
`), shopPath: helmRelease("", ""),
		}, code: "1"},
		{
			name: "then applied again", base: moved.with(contents{appsPath: kustomization("apps", "./apps", annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), patches)}),
			files: contents{appsPath: kustomization("apps", "./apps", "", patches)}, code: "0",
		},
	}},
	"pair-lost-while-skipped": {plainFleet, []change{
		{name: "skipped without it", files: contents{shopPath: helmRelease(annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), "")}, code: "1"},
		{name: "skipped with it", files: contents{shopPath: helmRelease(annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), pair)}, code: "0"},
		{name: "repaired while skipped", base: contents{shopPath: helmRelease("", "")}, files: contents{shopPath: helmRelease(annotated("kustomize.toolkit.fluxcd.io/ssa: Ignore"), pair)}, code: "0"},
		{name: "suspended without it", files: contents{appsPath: kustomization("apps", "./apps", "", "  suspend: true\n"), shopPath: helmRelease("", "")}, code: "1"},
		{name: "suspended with it", files: contents{appsPath: kustomization("apps", "./apps", "", "  suspend: true\n")}, code: "0"},
	}},
	"pair-moves-below-suspended": {nestedFleet, []change{
		{name: "control", files: movedDeep, code: "0"},
		{name: "parent", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  suspend: true\n")}), code: "1"},
		{name: "entry, which leaves the parent", files: movedDeep.with(contents{syncPath: entry("", "", "  suspend: true\n")}), code: "0"},
		{name: "source of all", files: movedDeep.with(contents{syncPath: entry("  suspend: true\n", "", "")}), code: "1"},
		{name: "new source", files: movedDeep.with(contents{
			"clusters/production/more.yaml": repository("more", "", "  suspend: true\n"),
			midPath:                         kustomization("mid", "./mid", "", "  sourceRef: {kind: GitRepository, name: more}\n"),
		}), code: "1"},
		{name: "new source that is skipped", files: movedDeep.with(contents{
			"clusters/production/more.yaml": repository("more", annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), ""),
			midPath:                         kustomization("mid", "./mid", "", "  sourceRef: {kind: GitRepository, name: more}\n"),
		}), code: "4"},
		{name: "field that is ignored", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  ignore: [{paths: [/spec/patches]}]\n")}), code: "1"},
		{name: "field that is ignored of this kind", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  ignore: [{paths: [/spec/patches], target: {kind: Kustomization, name: apps}}]\n")}), code: "1"},
		{name: "field that is ignored of another kind", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  ignore: [{paths: [/spec/patches], target: {kind: Deployment}}]\n")}), code: "0"},
		{name: "other field that is ignored", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  ignore: [{paths: [/spec/retryInterval]}]\n")}), code: "0"},
		{name: "suspended by a patch", files: movedDeep.with(contents{syncPath: entry("", "", "  patches:\n    - target: {name: mid}\n      patch: |\n        - {op: add, path: /spec/suspend, value: true}\n")}), code: "1"},
		{
			name: "content of a suspended source, patches of now", code: "1",
			base: contents{
				"mid/apps.yaml": kustomization("apps", "./apps", "", "  sourceRef: {kind: GitRepository, name: more}\n"+patches), shopPath: helmRelease("", ""),
				"clusters/production/more.yaml": repository("more", "", ""),
			},
			files: contents{
				"mid/apps.yaml": kustomization("apps", "./apps", "", "  sourceRef: {kind: GitRepository, name: more}\n"), shopPath: helmRelease("", pair),
				"clusters/production/more.yaml": repository("more", "", "  suspend: true\n"),
			},
		},
	}},
	"pair-moves-below-what-may-not-be-applied": {nestedFleet, []change{
		{name: "account", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  serviceAccountName: nobody\n")}), code: "1"},
		{name: "account as before", base: contents{midPath: kustomization("mid", "./mid", "", "  serviceAccountName: flux\n")}, files: movedDeep, code: "0"},
		{name: "other account", base: contents{midPath: kustomization("mid", "./mid", "", "  serviceAccountName: flux\n")}, files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  serviceAccountName: nobody\n")}), code: "1"},
		{name: "keys", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  decryption: {provider: sops, secretRef: {name: keys}}\n")}), code: "1"},
		{name: "new and suspended", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  dependsOn: [{name: new}]\n"), "clusters/production/new.yaml": kustomization("new", "./apps", "", "  suspend: true\n")}), code: "1", tells: "which is suspended and was never ready"},
		{name: "suspended, and there before", base: contents{"clusters/production/new.yaml": kustomization("new", "./new", "", ""), "new/a.yaml": gates("x")}, files: contents{midPath: kustomization("mid", "./mid", "", "  dependsOn: [{name: new}]\n"), "clusters/production/new.yaml": kustomization("new", "./new", "", "  suspend: true\n")}, code: "0"},
		{name: "expression", files: movedDeep.with(contents{midPath: kustomization("mid", "./mid", "", "  dependsOn: [{name: flux-system, readyExpr: \"false\"}]\n")}), code: "1"},
		{name: "account alone", files: contents{midPath: kustomization("mid", "./mid", "", "  serviceAccountName: flux\n")}, code: "0"},
		{name: "impossible name", files: movedDeep.with(contents{"mid/odd.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: In_Valid, namespace: flux-system}\ndata: {}\n"}), code: "4"},
	}},
	"pair-lost-below-what-is-kept": {nestedFleet.with(contents{"mid/blog.yaml": strings.Replace(helmRelease("", pair), "name: shop", "name: blog", 1)}), []change{
		{name: "control", files: contents{"mid/apps.yaml": removed, "mid/none.yaml": vars("", "x"), shopPath: helmRelease("", "")}, code: "0"},
		{
			name: "not pruned", base: contents{midPath: strings.Replace(kustomization("mid", "./mid", "", ""), "prune: true", "prune: false", 1)},
			files: contents{"mid/apps.yaml": removed, "mid/none.yaml": vars("", "x"), shopPath: helmRelease("", "")}, code: "1",
		},
		{
			name: "kept by itself", base: contents{"mid/apps.yaml": kustomization("apps", "./apps", annotated("kustomize.toolkit.fluxcd.io/prune: disabled"), "")},
			files: contents{"mid/apps.yaml": removed, "mid/none.yaml": vars("", "x"), shopPath: helmRelease("", "")}, code: "1",
		},
		{
			name: "not pruned any more", files: contents{
				"mid/apps.yaml": removed, "mid/none.yaml": vars("", "x"), shopPath: helmRelease("", ""),
				midPath: strings.Replace(kustomization("mid", "./mid", "", ""), "prune: true", "prune: false", 1),
			}, code: "1",
		},
	}},
	"variables-that-are-not-there": {variableFleet, []change{
		{name: "control", files: used.with(contents{varsPath: vars("", "RetryOnFailure")}), code: "0"},
		{name: "missing", files: used, code: "4"},
		{name: "reconcile", files: used.with(contents{varsPath: vars(annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), "RetryOnFailure")}), code: "4"},
		{name: "label", files: used.with(contents{varsPath: vars(labelled("kustomize.toolkit.fluxcd.io/ssa: Ignore"), "RetryOnFailure")}), code: "4"},
		{name: "if not present, and new", files: used.with(contents{varsPath: vars(labelled("kustomize.toolkit.fluxcd.io/ssa: IfNotPresent"), "RetryOnFailure")}), code: "0"},
		{
			name: "if not present, and there with another value", base: contents{varsPath: vars("", "RemediateOnFailure")},
			files: used.with(contents{varsPath: vars(labelled("kustomize.toolkit.fluxcd.io/ssa: IfNotPresent"), "RetryOnFailure")}), code: "1",
		},
		{
			name: "skipped, and there with another value", base: contents{varsPath: vars("", "RemediateOnFailure")},
			files: used.with(contents{varsPath: vars(annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), "RetryOnFailure")}), code: "1",
		},
		{
			name: "skipped, and there with this value", base: contents{varsPath: vars("", "RetryOnFailure")},
			files: used.with(contents{varsPath: vars(annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), "RemediateOnFailure")}), code: "0",
		},
		{name: "below what is suspended", files: used.with(contents{
			"settings/vars.yaml":                vars("", "RetryOnFailure"),
			"clusters/production/settings.yaml": kustomization("settings", "./settings", "", "  suspend: true\n"),
		}), code: "4"},
		{name: "by hand", files: used.with(contents{"docs/example/vars.yaml": vars("", "RetryOnFailure")}), code: "4"},
		{name: "by hand, left out of the artifact", files: used.with(contents{"vars/vars.yaml": vars("", "RetryOnFailure"), ".sourceignore": "/vars/\n"}), code: "4"},
		{name: "by hand, of a name that is left out", files: used.with(contents{".sops.yaml": vars("", "RetryOnFailure")}), code: "4"},
		{name: "by hand, by a link", files: used.with(contents{"clusters/production/link.yaml": "-> ../../docs/vars.yaml\n", "docs/vars.yaml": vars("", "RetryOnFailure")}), code: "4"},
		{name: "by hand, and there before, but optional", base: contents{"docs/vars.yaml": vars("", "RetryOnFailure")}, files: used, code: "4"},
		{
			name: "by hand, and there before", base: contents{"docs/vars.yaml": vars("", "RetryOnFailure"), appsPath: kustomization("apps", "./apps", "", from)},
			files: used, code: "0",
		},
		{
			name: "by hand, with another value before", base: contents{"docs/vars.yaml": vars("", "RemediateOnFailure"), appsPath: kustomization("apps", "./apps", "", from)},
			files: used.with(contents{"docs/vars.yaml": vars("", "RetryOnFailure")}), code: "1",
		},
	}},
	"two-writers": {variableFleet, []change{
		{
			name: "variables, the better one first", code: "1", tells: "ConfigMap flux-system/vars",
			files: used.with(contents{
				varsPath: vars("", "RetryOnFailure"), "more/vars.yaml": vars("", "RemediateOnFailure"),
				"clusters/production/more.yaml": kustomization("more", "./more", "", ""),
			}),
		},
		{
			name: "variables, the worse one first", code: "1", tells: "ConfigMap flux-system/vars",
			files: used.with(contents{
				varsPath: vars("", "RemediateOnFailure"), "more/vars.yaml": vars("", "RetryOnFailure"),
				"clusters/production/more.yaml": kustomization("more", "./more", "", ""),
			}),
		},
		{
			name: "variables, both alike", code: "0",
			files: used.with(contents{
				varsPath: vars("", "RetryOnFailure"), "more/vars.yaml": vars(labelled("a: b"), "RetryOnFailure"),
				"clusters/production/more.yaml": kustomization("more", "./more", "", ""),
			}),
		},
		{
			name: "variables, both good enough", code: "4", tells: "ConfigMap flux-system/vars",
			files: used.with(contents{
				varsPath: vars("", "RetryOnFailure"), "more/vars.yaml": vars("", "RetryOnFailure, T: x"),
				"clusters/production/more.yaml": kustomization("more", "./more", "", ""),
			}),
		},
		{
			name: "release", code: "1", tells: "shop/shop is applied twice",
			files: contents{"more/shop.yaml": helmRelease("", ""), "clusters/production/more.yaml": kustomization("more", "./more", "", "")},
		},
		{
			name: "Kustomization", code: "1", tells: "Kustomization flux-system/apps is applied twice",
			files: contents{
				appsPath: kustomization("apps", "./apps", "", patches), shopPath: helmRelease("", ""), "more/apps.yaml": kustomization("apps", "./apps", "", ""),
				"clusters/production/more.yaml": kustomization("more", "./more", "", ""),
			},
		},
	}},
	"sources-that-are-not-there": {plainFleet, []change{
		{name: "control", files: elsewhere(contents{"clusters/production/more.yaml": repository("more", "", "")}), code: "0"},
		{name: "nowhere", files: elsewhere(nil), code: "4"},
		{name: "only in the tree", files: elsewhere(contents{"docs/more.yaml": repository("more", "", "")}), code: "4"},
		{name: "disabled", files: elsewhere(contents{"clusters/production/more.yaml": repository("more", annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), "")}), code: "4"},
		{
			name: "only in the tree, as before", base: contents{"docs/more.yaml": repository("more", "", ""), "clusters/production/more.yaml": more("")}, code: "0",
			files: contents{"clusters/production/more.yaml": more(patches), shopPath: helmRelease("", ""), appsPath: kustomization("apps", "./none", "", ""), "none/.gitkeep": "", "none/a.yaml": vars("", "x")},
		},
	}},
	"switched-off-maker": {plainFleet, []change{
		{name: "generator that is on", base: made("", patches, ""), files: made("", "", pair), code: "0"},
		{name: "generator that is off, content of before", base: made("", patches, ""), files: made(annotated("source.extensions.fluxcd.io/reconcile: disabled"), "", pair), code: "1"},
		{
			name: "generator from what is suspended", base: made("", patches, ""), code: "1",
			files: made("", "", pair).with(contents{syncPath: entry("  suspend: true\n", "", "")}),
		},
		{name: "set that is on", files: used.with(contents{appsPath: kustomization("apps", "./apps", "", from), "clusters/production/set.yaml": set("", vars("", "RetryOnFailure"))}), code: "0"},
		{name: "set that is off", files: used.with(contents{appsPath: kustomization("apps", "./apps", "", from), "clusters/production/set.yaml": set("fluxcd.controlplane.io/reconcile: Disabled", vars("", "RetryOnFailure"))}), code: "4"},
		{name: "a label that a set does not heed", files: used.with(contents{appsPath: kustomization("apps", "./apps", "", from), "clusters/production/set.yaml": set("", vars(labelled("fluxcd.controlplane.io/reconcile: disabled"), "RetryOnFailure"))}), code: "0"},
		{
			name: "patches in a set that is off", base: contents{appsPath: set("", kustomization("apps", "./apps", "", ""))},
			files: contents{appsPath: set("fluxcd.controlplane.io/reconcile: disabled", kustomization("apps", "./apps", "", patches)), shopPath: helmRelease("", "")}, code: "1",
		},
		{
			name: "patches in a set that is skipped", base: contents{appsPath: set("", kustomization("apps", "./apps", "", ""))},
			files: contents{appsPath: set("kustomize.toolkit.fluxcd.io/reconcile: disabled", kustomization("apps", "./apps", "", patches)), shopPath: helmRelease("", "")}, code: "1",
		},
	}},
	"release-waits": {
		plainFleet.with(contents{"apps/db.yaml": database("", pair)}), []change{
			{name: "control", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: db}]\n"+pair)}, code: "0"},
			{name: "for nothing", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: bd}]\n"+pair)}, code: "1", tells: "it depends on HelmRelease shop/bd, which nothing in the tree applies to this cluster"},
			{name: "in another namespace", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: db, namespace: databases}]\n"+pair)}, code: "1", tells: "databases/db, which nothing"},
			{name: "for what is removed", base: contents{shopPath: helmRelease("", "  dependsOn: [{name: db}]\n"+pair)}, files: contents{"apps/db.yaml": removed}, code: "1"},
			{name: "for itself", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: shop}]\n"+pair)}, code: "1", tells: "since it needs itself to be ready"},
			{name: "in a circle", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: db}]\n"+pair), "apps/db.yaml": database("", "  dependsOn: [{name: shop}]\n"+pair)}, code: "1", tells: "since it needs itself to be ready"},
			{name: "for one that is suspended", base: contents{shopPath: helmRelease("", "  dependsOn: [{name: db}]\n"+pair)}, files: contents{"apps/db.yaml": database("", "  suspend: true\n"+pair)}, code: "0"},
			{name: "for a new one that is suspended", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: more}]\n"+pair), otherPath: other("", "  suspend: true\n"+pair)}, code: "4", tells: "waits for HelmRelease shop/more (dependsOn), which is suspended and was never ready"},
			{name: "for a new one that is skipped", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: more}]\n"+pair), otherPath: other(annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), pair)}, code: "4", tells: "which Flux does not apply"},
			{name: "for a new one below a suspended Kustomization", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: more}]\n"+pair), "clusters/production/more.yaml": kustomization("more", "./more", "", "  suspend: true\n"), "more/more.yaml": other("", pair)}, code: "4", tells: "Kustomization flux-system/more is suspended"},
			{name: "for one that waits", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: db}]\n"+pair), "apps/db.yaml": database("", "  dependsOn: [{name: more}]\n"+pair), otherPath: other("", "  suspend: true\n"+pair)}, code: "4", tells: "which never becomes ready"},
			{name: "newly, for one that was suspended before", base: contents{otherPath: other("", "  suspend: true\n"+pair)}, files: contents{shopPath: helmRelease("", "  dependsOn: [{name: more}]\n"+pair)}, code: "4", tells: "may never have been ready"},
			{name: "as before, for one that was suspended before", base: contents{shopPath: helmRelease("", "  dependsOn: [{name: more}]\n"+pair), otherPath: other("", "  suspend: true\n"+pair)}, files: contents{"apps/db.yaml": database("", "  maxHistory: 7\n"+pair)}, code: "0"},
			{name: "Kustomization that skips", files: contents{appsPath: kustomization("apps", "./apps", "", "  dependsOn: [{name: more}]\n"), "clusters/production/more.yaml": kustomization("more", "./more", annotated("kustomize.toolkit.fluxcd.io/ssa: Ignore"), ""), "more/more.yaml": other("", pair)}, code: "4", tells: "which Flux does not apply"},
			{name: "ResourceSet for nothing", files: contents{setPath: set("", vars("", "x")) + "  dependsOn: [{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: bd, namespace: shop, ready: true}]\n"}, code: "4", tells: "waits for HelmRelease shop/bd (dependsOn), which nothing"},
			{name: "ResourceSet for a new one that is suspended", files: contents{setPath: set("", vars("", "x")) + "  dependsOn: [{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: more, namespace: shop, ready: true}]\n", otherPath: other("", "  suspend: true\n"+pair)}, code: "4", tells: "ResourceSet flux-system/set: waits for"},
			{name: "ResourceSet for a suspended one that is to be there", files: contents{setPath: set("", vars("", "x")) + "  dependsOn: [{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: more, namespace: shop}]\n", otherPath: other("", "  suspend: true\n"+pair)}, code: "0"},
			{name: "by an expression", files: contents{shopPath: helmRelease("", "  dependsOn: [{name: db, readyExpr: \"true\"}]\n"+pair), "apps/db.yaml": database("", "  suspend: true\n"+pair)}, code: "0"},
		},
	},
	"left-by-a-resource-set": {
		variableFleet.with(contents{setPath: set("", vars("", "RemediateOnFailure"))}), []change{
			{name: "control", files: preset.with(contents{setPath: removed}), code: "4", tells: "vars is not in the tree"},
			{name: "no more rendered", files: preset.with(contents{setPath: set("", gates("x"))}), code: "4", tells: "vars is not in the tree"},
			{name: "removed while it is switched off", base: contents{setPath: set("fluxcd.controlplane.io/reconcile: disabled", vars("", "RemediateOnFailure"))}, files: preset.with(contents{setPath: removed}), code: "4"},
			{name: "no more in it, and switched off", files: preset.with(contents{setPath: set("fluxcd.controlplane.io/reconcile: Disabled", gates("x"))}), code: "1"},
			{name: "not pruned", base: contents{setPath: set("", vars(annotated("fluxcd.controlplane.io/prune: disabled"), "RemediateOnFailure"))}, files: preset.with(contents{setPath: removed}), code: "1"},
			{name: "cannot be rendered", files: preset.with(contents{setPath: set("", gates("<< inputs.gates >>"))}), code: "1"},
			{name: "provider without inputs", files: preset.with(contents{setPath: set("", gates("<< inputs.provider.name >>"))}), code: "1"},
			{name: "another part of it cannot be rendered", files: used.with(contents{setPath: set("", vars("", "RetryOnFailure")) + "    - {apiVersion: v1, kind: ConfigMap, metadata: {name: << inputs.name >>}}\n"}), code: "1"},
			{name: "rendered", files: used.with(contents{setPath: set("", vars("", "RetryOnFailure"))}), code: "0"},
			{name: "copied", files: used.with(contents{setPath: set("", vars(annotated("fluxcd.controlplane.io/copyFrom: default/vars"), "RetryOnFailure"))}), code: "4", tells: "takes some from elsewhere"},
			{name: "label that says nothing", files: preset.with(contents{setPath: set("", vars(labelled("fluxcd.controlplane.io/reconcile: disabled"), "RemediateOnFailure"))}), code: "1"},
			{name: "left out without inputs", files: preset.with(contents{setPath: set("", vars(annotated("fluxcd.controlplane.io/reconcile: disabled"), "RemediateOnFailure"))}), code: "1"},
			{name: "left out", files: preset.with(contents{setPath: set("", vars(annotated("fluxcd.controlplane.io/reconcile: disabled"), "RemediateOnFailure")) + "  inputs: [{a: b}]\n"}), code: "4", tells: "vars is not in the tree"},
			{name: "release that is left out without inputs", files: contents{setPath: set("", helmRelease(annotated("fluxcd.controlplane.io/reconcile: disabled"), "")), shopPath: removed}, code: "1"},
			{name: "of a suspended Kustomization that is removed", base: contents{setPath: kustomization("settings", "./settings", "", "  suspend: true\n"), "settings/vars.yaml": vars("", "RemediateOnFailure")}, files: preset.with(contents{setPath: removed, "settings/vars.yaml": removed}), code: "4"},
		},
	},
	"two-writers-of-a-release": {plainFleet.with(contents{"clusters/production/also.yaml": kustomization("also", "./apps", "", "")}), []change{
		{name: "control", files: contents{shopPath: helmRelease(labelled("team: a"), pair)}, code: "0"},
		{name: "label", files: byOne("labels: {team: a}"), code: "4", tells: "applied twice, with different labels or annotations"},
		{name: "shard", files: byOne("labels: {sharding.fluxcd.io/key: other}"), code: "4", tells: "applied twice"},
		{name: "waived by one", files: byOne("annotations: {waive.flux-remedy.io/no-recovery: 2999-01-31 is replaced}").with(contents{shopPath: helmRelease("", "")}), code: "1"},
		{name: "by its patch", files: contents{appsPath: kustomization("apps", "./apps", "", patches), shopPath: helmRelease("", "")}, code: "1", tells: "applied twice, with different settings"},
	}},
	"two-controllers": {
		contents{
			syncPath: entry("", "", ""), appsPath: kustomization("apps", "./apps", "", ""), shopPath: helmRelease("", ""),
			"clusters/production/flux-system/gotk-components.yaml": controller("", "--feature-gates=DefaultToRetryOnFailure=true"),
		}, []change{
			{name: "without the gate", files: contents{"apps/controller.yaml": controller("", "--watch-all-namespaces")}, code: "1", tells: "helm-controller"},
			{name: "with the gate switched off", files: contents{"apps/controller.yaml": controller("", "--feature-gates=DefaultToRetryOnFailure=false")}, code: "1", tells: "helm-controller"},
			{name: "alike", files: contents{"apps/controller.yaml": controller("", "--feature-gates=DefaultToRetryOnFailure=true")}, code: "0"},
			{name: "skipped", files: contents{"apps/controller.yaml": controller(annotated("kustomize.toolkit.fluxcd.io/reconcile: disabled"), "--watch-all-namespaces")}, code: "0"},
			{name: "gate in a skipped one", base: contents{
				"clusters/production/flux-system/gotk-components.yaml": controller("", "--watch-all-namespaces"), shopPath: helmRelease("", pair),
			}, files: contents{
				"clusters/production/flux-system/gotk-components.yaml": controller(annotated("kustomize.toolkit.fluxcd.io/ssa: Ignore"), "--feature-gates=DefaultToRetryOnFailure=true"),
				shopPath: helmRelease("", ""),
			}, code: "1"},
		},
	},
	"outside-of-the-sparse-checkout": {
		contents{
			syncPath: entry("", "", ""), shopPath: helmRelease("", pair),
			appsPath: kustomization("apps", "./apps", "", "  ignoreMissingComponents: true\n"),
		}, []change{
			{name: "control", files: sparse(""), code: "0"},
			{name: "component", files: sparse("  sparseCheckout: [apps, clusters]\n"), code: "1"},
			{name: "component that is taken", files: sparse("  sparseCheckout: [./apps, clusters, pair]\n"), code: "0"},
			{name: "path", files: contents{syncPath: entry("  sparseCheckout: [clusters]\n", "", "")}, code: "4", tells: "is not in"},
			{name: "folder that is not there", files: contents{syncPath: entry("  sparseCheckout: [apps, clusters, none]\n", "", "")}, code: "4", tells: "sparseCheckout"},
			{name: "begins alike", files: sparse("  sparseCheckout: [a, clusters, pai]\n"), code: "4", tells: "sparseCheckout"},
		},
	},
}

// more returns a Kustomization of the GitRepository more, with more of its spec.
func more(spec string) string {
	return kustomization("more", "./apps", "", "  sourceRef: {kind: GitRepository, name: more}\n"+spec)
}

// elsewhere moves the pair into patches of a Kustomization whose source is new.
func elsewhere(also contents) contents {
	return contents{
		shopPath: helmRelease("", ""), appsPath: kustomization("apps", "./apps", "", "  sourceRef: {kind: GitRepository, name: more}\n"+patches),
	}.with(also)
}

// made returns a fleet whose Kustomization builds what an ArtifactGenerator copies, with more metadata of
// that, and more of the specs of the Kustomization and the release.
func made(metadata, applier, spec string) contents {
	return contents{
		appsPath: kustomization("apps", "./", "", "  sourceRef: {kind: ExternalArtifact, name: apps}\n"+applier), shopPath: helmRelease("", spec),
		"clusters/production/generator.yaml": "apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata:\n  name: apps\n  namespace: flux-system\n" + metadata +
			"spec:\n  sources: [{alias: fleet, kind: GitRepository, name: flux-system}]\n  artifacts: [{name: apps, copy: [{from: \"@fleet/apps/**\", to: \"@artifact/\"}]}]\n",
	}
}

// byOne is that one of two Kustomizations adds labels or annotations.
func byOne(metadata string) contents {
	return contents{appsPath: kustomization("apps", "./apps", "", "  commonMetadata: {"+metadata+"}\n")}
}

// set returns a ResourceSet with an annotation that renders an object.
func set(annotation, obj string) string {
	return "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: flux-system, annotations: {" + annotation + "}}\n" +
		"spec:\n  resources:\n    - " + strings.ReplaceAll(strings.TrimSpace(obj), "\n", "\n      ") + "\n"
}

// sparse moves the pair into a component, with more of the spec of the source.
func sparse(spec string) contents {
	return contents{
		syncPath: entry(spec, "", ""), shopPath: helmRelease("", ""),
		appsPath: kustomization("apps", "./apps", "", "  ignoreMissingComponents: true\n  components: [../pair]\n"),
		"pair/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n" +
			strings.ReplaceAll(strings.TrimPrefix(patches, "  "), "\n  ", "\n"),
	}
}

// TestPresence runs diff and lint --new-from on changes in which Flux does not apply an object as
// it is written: each ends as the cluster would.
func TestPresence(t *testing.T) { runFamilies(t, families) }

// runFamilies makes each change of each family, and compares it with the base.
func runFamilies(t *testing.T, families map[string]family) {
	program, err := exec.LookPath("flux-remedy")
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range slices.Sorted(maps.Keys(families)) {
		for _, c := range families[family].changes {
			t.Run(family+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				archive := &txtar.Archive{}
				add := func(prefix string, all contents) {
					for _, name := range slices.Sorted(maps.Keys(all)) {
						archive.Files = append(archive.Files, txtar.File{Name: prefix + name, Data: []byte(all[name])})
					}
				}
				add("", families[family].base.with(c.base))
				add("change/", c.files)
				dir := attack{archive, strings.NewReplacer()}.unpack(t)
				for _, command := range []string{"diff", "new"} {
					cmd := exec.Command(program, attacked[command]...)
					var out bytes.Buffer
					cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
					_ = cmd.Run() // what it ends with is looked at
					if code := string(rune('0' + cmd.ProcessState.ExitCode())); code != c.code || !strings.Contains(out.String(), c.tells) {
						t.Errorf("%s ends with %s, want %s and %q in:\n%s", command, code, c.code, c.tells, out.String())
					}
				}
			})
		}
	}
}
