package effective

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	fluxkustomize "github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

// upstream does what kustomize-controller does: generate, build, substitute, follow
// child Kustomizations. It uses Flux's own library and nothing of this package.
type upstream struct {
	root     string            // a writable copy of the artifact
	vars     map[string]string // from all ConfigMaps, whichever a Kustomization refers to
	done     map[string]bool
	releases []string
	failed   []string // objects that Flux would not accept or could not build
}

func (u *upstream) apply(t *testing.T, object map[string]any) {
	t.Helper()
	dropNulls(object)
	ks := unstructured.Unstructured{Object: object}
	if u.done[ks.GetName()] {
		return
	}
	u.done[ks.GetName()] = true
	if err := accepted(object); err != nil {
		u.failed = append(u.failed, err.Error())
		return
	}
	path, _, _ := unstructured.NestedString(object, "spec", "path")
	dir := filepath.Join(u.root, path)
	action, err := fluxkustomize.NewGenerator(u.root, ks).WriteFile(dir, fluxkustomize.WithSaveOriginalKustomization())
	if err != nil {
		u.failed = append(u.failed, err.Error()) // some fleets hold what cannot be built
		return
	}
	built, err := fluxkustomize.SecureBuild(u.root, dir, false)
	if cleanErr := fluxkustomize.CleanDirectory(dir, action); cleanErr != nil {
		t.Fatal(cleanErr)
	}
	if err != nil {
		u.failed = append(u.failed, err.Error())
		return
	}
	if _, ok, _ := unstructured.NestedSlice(object, "spec", "postBuild", "substituteFrom"); ok {
		inline, _, _ := unstructured.NestedStringMap(object, "spec", "postBuild", "substitute")
		values := maps.Clone(u.vars)
		maps.Copy(values, inline)
		if err := unstructured.SetNestedStringMap(object, values, "spec", "postBuild", "substitute"); err != nil {
			t.Fatal(err)
		}
	}
	var children []map[string]any
	for _, res := range built.Resources() {
		if out, err := fluxkustomize.SubstituteVariables(context.Background(), nil, ks, res,
			fluxkustomize.SubstituteWithDryRun(true)); err != nil {
			u.failed = append(u.failed, err.Error())
			continue
		} else if out != nil {
			res = out
		}
		var inner map[string]any
		data, _ := res.MarshalJSON()
		if err := json.Unmarshal(data, &inner); err != nil {
			t.Fatal(err)
		}
		switch res.GetKind() {
		case "HelmRelease":
			if group, _, _ := strings.Cut(res.GetApiVersion(), "/"); group != "helm.toolkit.fluxcd.io" {
				u.failed = append(u.failed, "apiVersion "+res.GetApiVersion())
				continue
			}
			labels, _, _ := unstructured.NestedStringMap(object, "spec", "commonMetadata", "labels")
			release := unstructured.Unstructured{Object: inner}
			if len(labels) > 0 {
				have := release.GetLabels()
				if have == nil {
					have = map[string]string{}
				}
				maps.Copy(have, labels)
				release.SetLabels(have)
			}
			data, _ := json.Marshal(inner)
			u.releases = append(u.releases, string(data))
		case "ConfigMap":
			data, _, _ := unstructured.NestedStringMap(inner, "data")
			for name, value := range data {
				if !strings.ContainsAny(name, "-.") { // not valid in the name of a variable
					u.vars[name] = value
				}
			}
		case "Kustomization":
			if group, _, _ := strings.Cut(res.GetApiVersion(), "/"); group == "kustomize.toolkit.fluxcd.io" {
				children = append(children, inner)
			}
		}
	}
	for _, child := range children {
		u.apply(t, child)
	}
}

// equalFleets are the fleets that Flux's library can build, each with the folder of
// the artifact, the entries and the name of the cluster.
var equalFleets = []struct{ fleet, root, entry, name string }{
	{"nested-patches", ".", "clusters/home/apps.yaml", "home"},
	{"replaced-list", ".", "clusters/prod/cluster.yaml", "prod"},
	{"postbuild", ".", "clusters/prod-eu/flux-system/gotk-sync.yaml", "prod-eu"},
	{"postbuild", ".", "clusters/dev/flux-system/gotk-sync.yaml", "dev"},
	{"overlays", ".", "clusters/production/shop.yaml", "production"},
	{"no-kustomization", ".", "clusters/live/flux-system/gotk-sync.yaml", "live"},
	{"gates", ".", "clusters/production/flux-system/gotk-sync.yaml", "production"},
	{"late-variables", ".", "clusters/prod/settings.yaml clusters/prod/apps.yaml", "prod"},
	{"layout", ".", "clusters/prod/cluster.yaml", "prod"},
	{"replacements", ".", "clusters/prod", "prod"},
	{"reached-twice", ".", "clusters/prod/all.yaml", "prod"},
	{"cycle", ".", "flux/b/a.yaml", "a"},
	{"broken", ".", "clusters/prod/apps.yaml", "prod"},
	{"artifacts", "apps", "clusters/production/apps.yaml", "production"},
	{"artifacts", "apps", "clusters/staging/apps.yaml", "staging"},
	{"self-patch", ".", "cluster", "cluster"},
	{"siblings", ".", "clusters/c0/a-flux.yaml clusters/c0/c-vars.yaml clusters/c0/b-apps.yaml", "c0"},
	{"inner-entry", ".", "kubernetes/cluster-0/flux/config/cluster.yaml", "cluster-0"},
	{"empty-kustomization", ".", "clusters/prod/flux-system/gotk-sync.yaml", "prod"},
	{"applied-twice", ".", "clusters/prod/flux-system/gotk-sync.yaml", "prod"},
	{"self-path", ".", "clusters/staging", "staging"},
	{"patch-file", ".", "clusters/prod/apps.yaml", "prod"},
	{"unapplied", ".", "clusters/production/flux-system/gotk-sync.yaml", "production"},
	{"outside-entry", ".", "clusters/staging/apps/shop.yaml", "staging"},
}

// accepted returns an error if the API server would not accept a Flux Kustomization
// because of an unknown field or a wrong type.
func accepted(object map[string]any) error {
	data, err := yaml.Marshal(object)
	if err != nil {
		return err
	}
	return yaml.UnmarshalStrict(data, &kustomizev1.Kustomization{})
}

// dropNulls removes null fields, as the API server does.
func dropNulls(object map[string]any) {
	for key, value := range object {
		if inner, ok := value.(map[string]any); ok {
			dropNulls(inner)
		}
		if value == nil {
			delete(object, key)
		}
	}
}

// Load returns the same HelmReleases as Flux's library, although shadows were added
// and removed on the way.
func TestEqualsUpstream(t *testing.T) {
	for _, c := range equalFleets {
		t.Run(c.fleet+"/"+c.name, func(t *testing.T) {
			dir := filepath.Join(fleets, c.fleet)
			var got []string
			for _, r := range load(t, dir, Options{Clusters: []string{c.name}}).Releases {
				data, _ := json.Marshal(r.Object)
				got = append(got, string(data))
			}
			want, _ := upstreamOf(t, dir, c.root, strings.Fields(c.entry))
			slices.Sort(got)
			if !slices.Equal(got, want) || len(want) == 0 {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// upstreamOf returns the releases that entries lead to, as JSON, and what failed. An
// entry is a file with Kustomizations, or a folder whose kustomization.yaml lists and
// patches them.
func upstreamOf(t *testing.T, dir, root string, entries []string) (releases, failed []string) {
	t.Helper()
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(tmp, os.DirFS(filepath.Join(dir, root))); err != nil {
		t.Fatal(err)
	}
	u := &upstream{root: tmp, vars: map[string]string{}}
	for range 2 { // the second time with all variables
		u.done, u.releases, u.failed = map[string]bool{}, nil, nil
		for _, entry := range entries {
			objects := entryObjects(t, dir, tmp, entry)
			if len(objects) == 0 {
				u.failed = append(u.failed, "there is no entry in "+entry)
			}
			for _, object := range objects {
				u.apply(t, object)
			}
		}
	}
	slices.Sort(u.releases)
	return slices.Compact(u.releases), u.failed
}

func entryObjects(t *testing.T, dir, tmp, entry string) []map[string]any {
	t.Helper()
	file := filepath.Join(dir, entry)
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		built, err := fluxkustomize.SecureBuild(tmp, filepath.Join(tmp, entry), false)
		if err != nil {
			return nil // a mutant may not build
		}
		data, err := built.AsYaml()
		if err != nil {
			t.Fatal(err)
		}
		return kustomizationsIn(t, data)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return kustomizationsIn(t, data)
}

func kustomizationsIn(t *testing.T, data []byte) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, doc := range strings.Split("\n"+string(data), "\n---") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(doc), &object); err != nil {
			continue // a mutant may not parse
		}
		if object["kind"] == "Kustomization" {
			out = append(out, object)
		}
	}
	return out
}
