//go:build flux

package flux

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/flux-remedy/remedy/pkg/release"
)

var data = filepath.Join("..", "..", "testdata")

// TestApplied: kustomize-controller applies each cluster of the example trees, and the
// HelmReleases in the API server are those that render prints. The Kustomizations that fail are
// those that the linter says are not applied. The oldest one applies those of the trees that say
// nothing of a version.
func TestApplied(t *testing.T) {
	for _, set := range []Set{Newest, Oldest} {
		t.Run(string(set), func(t *testing.T) { applyAll(t, set) })
	}
}

func applyAll(t *testing.T, set Set) {
	predictions := map[string]map[string]*predicted{}
	byFlags := map[string][]fleet{}
	for _, f := range fleets(t, set, predictions) {
		byFlags[f.flags] = append(byFlags[f.flags], f)
	}
	for _, flags := range slices.Sorted(maps.Keys(byFlags)) {
		t.Run(cmp.Or(flags, "defaults"), func(t *testing.T) {
			c := Start(t, set, definitions(set)...)
			c.Run(t, "kustomize-controller", append(strings.Fields(flags), kustomizeFlags...)...)
			for _, f := range byFlags[flags] {
				t.Run(f.tree+"/"+f.cluster, func(t *testing.T) {
					said := predictions[f.tree][f.cluster]
					apply(t, c, f, said).compare(t, said)
				})
			}
		})
	}
}

// definitions lists more definitions for a cluster on which no helm-controller runs. The newest set has the newest
// known one of HelmRelease there, in place of its helm-controller's.
func definitions(set Set) []string {
	out := []string{filepath.Join("testdata", "others.yaml")}
	if set == Newest {
		out = append(out, filepath.Join(data, "crds", "helmreleases-"+release.NewestAPI+".yaml"))
	}
	return out
}

// kustomizeFlags make it quick, and keep it from the network.
var kustomizeFlags = []string{"--requeue-dependency=2s", "--min-retry-delay=500ms", "--no-remote-bases=true", "--concurrent=8"}

// fleets lists the clusters of the example trees that flux-remedy finds, and those that it
// ought to.
func fleets(t *testing.T, set Set, predictions map[string]map[string]*predicted) []fleet {
	t.Helper()
	dirs, err := os.ReadDir(filepath.Join(data, "fleet"))
	if err != nil {
		t.Fatal(err)
	}
	trees := []string{"demo", heldBack}
	for _, dir := range dirs {
		trees = append(trees, "fleet/"+dir.Name())
	}
	var out []fleet
	for _, tree := range trees {
		if set == Oldest && slices.Contains(versioned, tree) {
			continue
		}
		predictions[tree] = predict(t, filepath.Join(data, tree), configured(t, set, tree))
		for _, cluster := range slices.Sorted(maps.Keys(predictions[tree])) {
			out = append(out, described(tree, cluster))
		}
	}
	return out
}

// described returns what special says of a cluster.
func described(tree, cluster string) fleet {
	i := slices.IndexFunc(special, func(f fleet) bool { return f.tree == tree && f.cluster == cluster })
	if i < 0 {
		return fleet{tree: tree, cluster: cluster}
	}
	return special[i]
}

// configured returns the configuration of a tree: what special says, or the version of a set that is
// not the newest.
func configured(t *testing.T, set Set, tree string) string {
	if set != Newest {
		return fmt.Sprintf("spec: {controller: {version: %s}}", set.version(t, "helm-controller"))
	}
	i := slices.IndexFunc(special, func(f fleet) bool { return f.tree == tree && f.config != "" })
	if i < 0 {
		return ""
	}
	return special[i].config
}

// compare holds what was applied to what was predicted.
func (a *applied) compare(t *testing.T, said *predicted) {
	t.Helper()
	failing := a.failing()
	for name, message := range failing {
		if said.failing[name] == "" && a.why[name] == "" {
			t.Errorf("Kustomization %s fails, and nothing says so: %s", name, message)
		}
	}
	for name, reason := range said.failing {
		if failing[name] == "" && a.why[name] == "" {
			t.Errorf("Kustomization %s does not fail, and it is said: %s", name, reason)
		}
	}
	at := a
	if a.spoke != nil {
		at = a.spoke
	}
	live := at.releases(t)
	equal := 0
	for name, r := range said.releases {
		switch object, found := live[name]; {
		case slices.Contains(a.either, name) || len(r.Unknown) > 0 && !found:
		case !found && a.notApplied(r, failing):
		case slices.Contains(a.absent, name) != !found:
			t.Errorf("%s: in the API server: %v", name, found)
		case found:
			equal++
			at.equal(t, r, object)
		}
		delete(live, name)
	}
	for name := range live {
		t.Errorf("%s is applied and not printed by render", name)
	}
	t.Logf("%d of %d releases are there, %d Kustomizations fail", equal, len(said.releases), len(failing))
}

// notApplied reports whether a Kustomization that applies the release, or what applies it, has
// failed.
func (a *applied) notApplied(r rendered, failing map[string]string) bool {
	return slices.ContainsFunc(r.AppliedBy, func(by struct{ What string }) bool {
		return failing[strings.TrimPrefix(by.What, "Kustomization ")] != ""
	})
}

// equal compares a release that render prints with the live one. The API server fills in the
// defaults of both.
func (a *applied) equal(t *testing.T, r rendered, live *unstructured.Unstructured) {
	t.Helper()
	want := r.Object.DeepCopy()
	want.SetName("compared-with-" + r.Name)
	want, err := a.Resource(HelmReleases).Namespace(r.Namespace).Create(a.ctx, want, metav1.CreateOptions{DryRun: []string{"All"}})
	if err != nil {
		t.Errorf("%s/%s: the API server refuses what render prints: %v", r.Namespace, r.Name, err)
		return
	}
	for field, pair := range map[string][2]any{
		"spec":        {want.Object["spec"], live.Object["spec"]},
		"labels":      {want.GetLabels(), own(live.GetLabels())},
		"annotations": {want.GetAnnotations(), own(live.GetAnnotations())},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) && len(r.Unknown) == 0 {
			t.Errorf("%s/%s %s\nrender %v\nreal   %v", r.Namespace, r.Name, field, pair[0], pair[1])
		}
	}
}

// own returns the labels or annotations that kustomize-controller has not added itself.
func own(all map[string]string) map[string]string {
	var out map[string]string
	for key, value := range all {
		if !strings.HasPrefix(key, "kustomize.toolkit.fluxcd.io/name") {
			if out == nil {
				out = map[string]string{}
			}
			out[key] = value
		}
	}
	return out
}
