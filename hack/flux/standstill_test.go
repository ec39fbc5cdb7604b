//go:build flux

package flux

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/flux-remedy/remedy/pkg/forecast/wave"
)

// TestStandstill: fleets stand still for real, and audit names the release that is the cause, and what it holds up, from
// the statuses that the controllers have written.
func TestStandstill(t *testing.T) {
	t.Parallel()
	c := Start(t, Newest)
	logs := watchWaves(t, c)
	c.Run(t, "helm-controller", helmFlags("shared")...)
	c.Run(t, "kustomize-controller", waveFlags("shared", wave.Controller{Concurrent: 100})...)
	want := map[string][]string{
		"chain-fails-bounded":     {"Kustomization/a", "Kustomization/b", "Kustomization/c", "HelmRelease/s", "HelmRelease/t"},
		"chain-fails-retry":       {"Kustomization/a", "Kustomization/b", "Kustomization/c", "HelmRelease/s", "HelmRelease/t"},
		"parent-fails-retry":      {"Kustomization/a", "Kustomization/p"},
		"diamond-fails-bounded":   {"Kustomization/a", "Kustomization/b", "Kustomization/c", "Kustomization/d", "HelmRelease/s", "HelmRelease/t", "HelmRelease/u"},
		"unchecked-fails-bounded": nil, // nobody waits for it
	}
	var told sync.Map
	t.Run("runs", func(t *testing.T) {
		for _, f := range waves() {
			if _, wanted := want[f.Name]; !wanted {
				continue
			}
			t.Run(f.Name, func(t *testing.T) {
				t.Parallel()
				f.Controller.Version = Newest.version(t, "kustomize-controller")
				s := &surge{wavy: f, Cluster: c, T: t, ctx: within(t, 10*time.Minute), shard: "shared", set: Newest}
				s.last = func() {
					told.Store(f.Name, true)
					if got := s.heldUp("r"); !slices.Equal(got, want[f.Name]) {
						t.Errorf("it holds up %q, want %q", got, want[f.Name])
					}
				}
				s.seen = &seen{last: map[string]string{}}
				logs.Store(f.Name, s.seen)
				s.pass()
			})
		}
	})
	for name := range want {
		if _, ok := told.Load(name); !ok {
			t.Errorf("there is no fleet %s", name)
		}
	}
}

// heldUp returns what a release holds up as audit says, by Kind/name.
func (s *surge) heldUp(release string) []string {
	var all []any
	for _, resource := range []schema.GroupVersionResource{Kustomizations, HelmReleases} {
		list, err := s.Resource(resource).Namespace(s.Name).List(s.ctx, metav1.ListOptions{})
		if err != nil {
			s.Fatal(err)
		}
		for _, object := range list.Items {
			all = append(all, object.Object)
		}
	}
	text, err := json.Marshal(map[string]any{"kind": "List", "apiVersion": "v1", "items": all})
	if err != nil {
		s.Fatal(err)
	}
	file := filepath.Join(s.TempDir(), "objects.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		s.Fatal(err)
	}
	type object struct{ Kind, Name string }
	var report struct {
		Roots []struct {
			object
			State                    string
			Kustomizations, Releases []object
		}
	}
	linter(s.T, &report, "audit", "--filename", file)
	var out []string
	for _, root := range report.Roots {
		s.Logf("%s %s, %s: %v %v", root.Kind, root.Name, root.State, root.Kustomizations, root.Releases)
		if root.Kind != "HelmRelease" || root.Name != release {
			out = append(out, "another cause: "+root.Kind+"/"+root.Name)
		}
		for _, o := range slices.Concat(root.Kustomizations, root.Releases) {
			out = append(out, o.Kind+"/"+o.Name)
		}
	}
	slices.SortFunc(out, func(a, b string) int { // Kustomizations first
		return strings.Compare(strings.Replace(a, "Kustomization", "A", 1), strings.Replace(b, "Kustomization", "A", 1))
	})
	return out
}
