package library

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"
)

// tree is a random repository of one cluster.
type tree struct {
	random
	seed  uint64
	files map[string]string
	// remote and presence are whether it may have remote entries, and objects that Flux is
	// told to skip.
	remote, presence bool

	releases, folders int
}

func (t *tree) name() string { return fmt.Sprintf("c%d", t.seed) }

func newTree(seed uint64, presence bool) *tree {
	t := &tree{random: newRandom(seed), seed: seed, files: map[string]string{}}
	t.remote, t.presence = t.in(10), t.in(4) && presence
	entry := "clusters/" + t.name()
	var resources []string
	for i := range 1 + t.IntN(3) {
		file := fmt.Sprintf("apps-%d.yaml", i)
		t.files[entry+"/"+file] = t.fluxKustomization(fmt.Sprintf("apps-%d", i), t.in(3))
		resources = append(resources, file)
	}
	t.files[entry+"/settings.yaml"] = t.settings()
	t.files[entry+"/flux-system/gotk-sync.yaml"] = strings.ReplaceAll(sync, "ENTRY", entry)
	if t.in(3) {
		f := folder{t, entry, map[string]any{"resources": []any{"flux-system/gotk-sync.yaml", "settings.yaml"}}}
		for _, file := range resources {
			f.append("resources", file)
		}
		if t.in(2) {
			f.append("patches", map[string]any{"patch": t.handedDown(), "target": map[string]any{"kind": "Kustomization", "name": "apps-.*"}})
		}
		t.files[entry+"/kustomization.yaml"] = restyled(t.random, mustYAML(f.fields))
	}
	return t
}

const sync = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m0s, ref: {branch: main}, url: ssh://git@example.com/acme/fleet}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 10m0s, path: ./ENTRY, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
`

func mustYAML(value any) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// settings are the ConfigMap that variables come from.
func (t *tree) settings() string {
	data := map[string]any{"INTERVAL": "25m"}
	for i := range variables {
		data[fmt.Sprintf("V%d", i)] = variable(t.random)
	}
	meta := map[string]any{"name": "settings", "namespace": "flux-system"}
	if t.presence && t.in(4) {
		meta[pick(t.random, "annotations", "labels")] = map[string]any{"kustomize.toolkit.fluxcd.io/" + pick(t.random, "reconcile", "ssa"): pick(t.random, "disabled", "Ignore")}
	}
	return restyled(t.random, mustYAML(map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "data": data}))
}

// handedDown is a patch of Flux Kustomizations that hands patches to what they apply, or more.
func (t *tree) handedDown() string {
	inner, _ := t.patchText("_")
	spec := pick(t.random,
		map[string]any{"patches": []any{map[string]any{"patch": inner, "target": map[string]any{"kind": "HelmRelease"}}}},
		map[string]any{"targetNamespace": "handed"},
		map[string]any{"commonMetadata": map[string]any{"labels": map[string]any{"handed": "down"}}},
		map[string]any{"postBuild": map[string]any{"substitute": map[string]any{"V0": variable(t.random)}}},
		map[string]any{"namePrefix": "handed-"},
	)
	if t.in(4) {
		if dir := t.newComponent(); dir != "" {
			spec = map[string]any{"components": []any{"../" + dir}}
		}
	}
	return mustYAML(map[string]any{"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": map[string]any{"name": "_"}, "spec": spec})
}

func (t *tree) fluxKustomization(name string, nested bool) string {
	substituted := t.in(2)
	dir := t.newFolder(substituted, nested)
	spec := map[string]any{
		"interval": "10m", "prune": true, "path": "./" + dir, "sourceRef": map[string]any{"kind": "GitRepository", "name": "flux-system", "namespace": "flux-system"},
	}
	if substituted {
		spec["postBuild"] = map[string]any{"substituteFrom": []any{map[string]any{"kind": "ConfigMap", "name": "settings", "optional": t.in(2)}}}
		if t.in(3) {
			spec["postBuild"].(map[string]any)["substitute"] = map[string]any{"V1": variable(t.random)}
		}
	}
	if t.in(3) {
		if component := t.newComponent(); component != "" {
			spec["components"] = []any{"../" + component}
		}
		if t.in(12) {
			list, _ := spec["components"].([]any)
			spec["components"], spec["ignoreMissingComponents"] = append(list, "../missing"), t.in(2)
		}
	}
	for range few(t.random) {
		t.specFeature(spec)
	}
	meta := map[string]any{"name": name, "namespace": "flux-system"}
	if t.presence && t.in(4) {
		meta["annotations"] = map[string]any{"kustomize.toolkit.fluxcd.io/" + pick(t.random, "reconcile", "ssa"): pick(t.random, "disabled", "Ignore")}
	}
	if t.presence && t.in(6) {
		spec["suspend"] = true
	}
	return restyled(t.random, mustYAML(map[string]any{"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", "metadata": meta, "spec": spec}))
}

func (t *tree) specFeature(spec map[string]any) {
	switch t.IntN(6) {
	case 0, 1:
		text, _ := t.patchText("_")
		list, _ := spec["patches"].([]any)
		spec["patches"] = append(list, map[string]any{"patch": text, "target": t.target()})
	case 2:
		spec["targetNamespace"] = "target"
	case 3:
		field := pick(t.random, "namePrefix", "nameSuffix")
		spec[field] = map[string]string{"namePrefix": "k-", "nameSuffix": "-k"}[field]
	case 4:
		spec["commonMetadata"] = map[string]any{pick(t.random, "labels", "annotations"): map[string]any{"common": "x", "app": "y"}}
	default:
		spec["images"] = []any{map[string]any{"name": "nginx", "newTag": "3"}}
	}
}

// newFolder makes a folder that a Flux Kustomization builds: bases and overlays, or files alone.
func (t *tree) newFolder(substituted, nested bool) string {
	t.folders++
	dir := fmt.Sprintf("apps%d", t.folders)
	f := folder{t, dir, map[string]any{}}
	if nested {
		t.files[dir+"/nested.yaml"] = t.fluxKustomization(fmt.Sprintf("nested-%d", t.folders), false)
		f.append("resources", "nested.yaml")
	}
	for i := range 1 + t.IntN(2) {
		name := fmt.Sprintf("release-%d.yaml", i)
		t.files[dir+"/"+name] = t.release(substituted)
		if t.in(6) {
			t.files[dir+"/"+name] += "---\n" + t.release(substituted)
		}
		f.append("resources", name)
	}
	if t.in(5) {
		return dir // without a kustomization.yaml
	}
	if t.in(3) && t.folders < 8 {
		f.append(pick(t.random, "resources", "resources", "bases"), f.to(t.newBase(substituted)))
	}
	f.decorate()
	f.write()
	return dir
}

func (t *tree) newBase(substituted bool) string {
	t.folders++
	dir := fmt.Sprintf("base%d", t.folders)
	f := folder{t, dir, map[string]any{"resources": []any{"base.yaml"}}}
	t.files[dir+"/base.yaml"] = t.release(substituted)
	f.decorate()
	f.write()
	return dir
}

// newComponent makes a component; "" if there are enough.
func (t *tree) newComponent() string {
	if t.folders > 8 {
		return ""
	}
	t.folders++
	dir := fmt.Sprintf("component%d", t.folders)
	f := folder{t, dir, map[string]any{"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}}
	if t.in(5) {
		t.files[dir+"/more.yaml"] = t.release(false)
		f.append("resources", "more.yaml")
	}
	f.decorate()
	if len(f.fields) == 2 {
		f.labels()
	}
	f.write()
	return dir
}

// kustName is one of the names of a kustomization.yaml.
func (t *tree) kustName() string {
	return pick(t.random, "kustomization.yaml", "kustomization.yaml", "kustomization.yaml", "kustomization.yml", "Kustomization")
}
