//go:build flux

package flux

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestChanges holds the table of versions to the controllers and API servers of the pinned sets: what a version
// brought is there in a controller that is newer, and not in one that is older. A line that is said to be
// seen has one on either side.
func TestChanges(t *testing.T) {
	held := map[release.ChangeKind]func(*testing.T, Set, release.Change) bool{
		release.FieldAdded:  func(t *testing.T, set Set, c release.Change) bool { return set.serves(t, "spec."+c.Name) },
		release.StatusField: func(t *testing.T, set Set, c release.Change) bool { return set.serves(t, "status."+c.Name) },
		release.APIServed:   func(t *testing.T, set Set, c release.Change) bool { return set.api(t, c.Name) != nil },
		release.APIRemoved:  func(t *testing.T, set Set, c release.Change) bool { return set.api(t, c.Name) == nil },
		release.GateAdded:   func(t *testing.T, set Set, c release.Change) bool { return set.hasGate(t, c) },
	}
	for _, change := range release.Changes {
		holds := held[change.Kind]
		if holds == nil || strings.Contains(change.Name, ":") { // a behaviour, or a condition: see the recordings
			continue
		}
		seen := map[bool]bool{}
		for _, set := range []Set{Oldest, Newest} {
			has := holds(t, set, change)
			seen[has] = true
			number := set.version(t, "helm-controller")
			if want := (release.Controller{Version: number}).AtLeast(change.Since); has != want {
				t.Errorf("%s of %s: %v in %s", change, change.Since, has, number)
			}
		}
		if change.Run != (len(seen) == 2) {
			t.Errorf("%s of %s: said to be seen: %v; seen: %v", change, change.Since, change.Run, seen)
		}
	}
}

// definition returns the custom resource definition of HelmReleases.
func (s Set) definition(t *testing.T) *unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir(), "crds", "helm.toolkit.fluxcd.io_helmreleases.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	out := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &out.Object); err != nil {
		t.Fatal(err)
	}
	return out
}

// api returns the schema of a version of the API that is served, nil if it is not.
func (s Set) api(t *testing.T, name string) map[string]any {
	t.Helper()
	all, _, _ := unstructured.NestedSlice(s.definition(t).Object, "spec", "versions")
	for _, one := range all {
		if one := one.(map[string]any); one["name"] == name && one["served"] == true {
			schema, _, _ := unstructured.NestedMap(one, "schema", "openAPIV3Schema")
			return schema
		}
	}
	return nil
}

// serves reports whether HelmRelease v2 has a field, such as spec.valuesFrom.*.literal.
func (s Set) serves(t *testing.T, path string) bool {
	t.Helper()
	at := s.api(t, "v2")
	for step := range strings.SplitSeq(path, ".") {
		if step == "*" {
			at, _ = at["items"].(map[string]any)
			continue
		}
		properties, _ := at["properties"].(map[string]any)
		at, _ = properties[step].(map[string]any)
	}
	return at != nil
}

// hasGate reports whether helm-controller takes a gate; without an API server it goes no further.
func (s Set) hasGate(t *testing.T, change release.Change) bool {
	t.Helper()
	program, err := filepath.Abs(filepath.Join(s.dir(), "helm-controller"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(Context(t), program, "--feature-gates="+change.Name+"=true", "--health-addr=127.0.0.1:0", "--metrics-addr=0")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(t.TempDir(), "none"), "KUBERNETES_SERVICE_HOST=")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), change.Name) {
		t.Fatalf("%v: %s", err, out)
	}
	return !strings.Contains(string(out), "feature-gate '"+change.Name+"' not supported")
}
