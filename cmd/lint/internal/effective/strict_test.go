package effective

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	fluxkustomize "github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A Kustomization is said to be blocked exactly where Flux's library refuses to substitute
// variables, as strictly as the controller of the cluster.
func TestBlockedEqualsUpstream(t *testing.T) {
	for fleet, strict := range map[string]map[string]bool{
		"undefined-variable": {"new": true, "old": false},
		"strict-gate":        {"default": true, "off": false, "on": true},
	} {
		dir := filepath.Join(fleets, fleet)
		found := load(t, dir, Options{})
		for cluster, on := range strict {
			err := substituteAll(t, dir, "clusters/"+cluster+"/apps.yaml", on)
			blocked := false
			for _, u := range found.Undetermined {
				blocked = blocked || u.Cluster == cluster && strings.Contains(u.Reason, "is blocked")
			}
			if blocked != (err != nil) {
				t.Errorf("%s %s: blocked %v, but Flux says %v", fleet, cluster, blocked, err)
			}
			for _, r := range found.Releases {
				if r.Cluster == cluster && (r.Together().Blocked() != "") != blocked {
					t.Errorf("%s %s: %s is blocked by %q", fleet, cluster, r.Name, r.Together().Blocked())
				}
			}
		}
	}
}

// substituteAll builds what a Kustomization applies with Flux's library, and returns its
// error of substituting variables.
func substituteAll(t *testing.T, dir, entry string, strict bool) error {
	t.Helper()
	tmp, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(tmp, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	objects := entryObjects(t, dir, tmp, entry)
	ks := unstructured.Unstructured{Object: objects[0]}
	path, _, _ := unstructured.NestedString(objects[0], "spec", "path")
	if _, err := fluxkustomize.NewGenerator(tmp, ks).WriteFile(filepath.Join(tmp, path)); err != nil {
		t.Fatal(err)
	}
	built, err := fluxkustomize.SecureBuild(tmp, filepath.Join(tmp, path), false)
	if err != nil {
		t.Fatal(err)
	}
	for _, res := range built.Resources() {
		if _, err := fluxkustomize.SubstituteVariables(context.Background(), nil, ks, res,
			fluxkustomize.SubstituteWithDryRun(true), fluxkustomize.SubstituteWithStrict(strict)); err != nil {
			return err
		}
	}
	return nil
}

// A variable that nothing can define blocks a Kustomization as one that nothing defines does:
// where its controller is known to be strict. Where that is only assumed it is remarked upon.
func TestBlockedByNamesThatNoVariableHas(t *testing.T) {
	installed := func(version string) string {
		return "-- clusters/prod/flux-system/gotk-components.yaml --\n# Flux Version: " + version + "\n"
	}
	for text, blocks := range map[string]bool{
		"${1}": true, "${2A}": true, "${é}": true, "${1^^}": true, "${#1}": true, "${A:-${1}}": true, "a ${9}b": true, "${UNDEFINED}": true,
		"${1:-x}": false, "${2A:=x}": false, "$${1}": false, "$1": false, "${A}": false,
	} {
		for _, where := range []string{"release", "dashboard"} {
			app := releaseOf("app")
			if where == "release" {
				app += "  values: {x: \"" + text + "\"}\n"
			} else {
				app += "---\napiVersion: v1\nkind: Service\nmetadata: {name: app}\nspec: {x: \"" + text + "\"}\n"
			}
			tree := clusterOf("prod") + applying("clusters/prod/apps.yaml", "apps", "apps", "  postBuild: {substitute: {A: b}}\n") + "-- apps/app.yaml --\n" + app
			for version, strict := range map[string]bool{"v2.9.0": true, "v2.8.2": false, "": false} {
				files := tree
				if version != "" {
					files += installed(version)
				}
				found := load(t, write(t, files), Options{})
				if got := strings.Contains(undetermined(found), "is blocked"); got != (strict && blocks) {
					t.Errorf("%s in a %s under Flux %q: blocked %v: %s", text, where, version, got, undetermined(found))
				}
				noted := len(found.Releases) == 1 && strings.Contains(strings.Join(found.Releases[0].ControllerNotes, ""), "would apply nothing of Kustomization flux-system/apps")
				if noted != (version == "" && blocks) {
					t.Errorf("%s in a %s under Flux %q: remarked upon %v", text, where, version, noted)
				}
			}
		}
	}
}
