//go:build flux

package flux

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestRevive: flux-remedy revive makes the request that is enough for a release that is truly
// stuck, and says the truth of what comes of it: when the cause is gone, and when it stays.
func TestRevive(t *testing.T) {
	t.Parallel()
	c := Start(t, Newest, filepath.Join("testdata", "workload.yaml"))
	w, logs := newWorld(t, c), watch(t, c)
	c.Run(t, "helm-controller", helmFlags("shared")...)
	t.Run("runs", func(t *testing.T) {
		for _, tc := range []struct{ scenario, name, spec, flag string }{
			{"upgrade-fails", "rollback", configurations["rollback"], " --reset"},
			{"upgrade-refused", "defaults", configurations["defaults"], " --reset"},
			{"install-fails", "never", `{"install":{"strategy":{"name":"RetryOnFailure","retryInterval":"0s"}}}`, ""},
			{"upgrade-fails", "uninstall", `{"upgrade":{"remediation":{"retries":1,"remediateLastFailure":false,"strategy":"uninstall"}}}`, " --force"},
		} {
			for end, over := range map[string]bool{"gone": true, "stays": false} {
				t.Run(tc.scenario+"/"+tc.name+"/"+end, func(t *testing.T) {
					t.Parallel()
					i := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == tc.scenario })
					s := scenarios[i]
					if tc.name == "never" {
						s.shown = 1 // failure; there is no other
					}
					s.name = "revive." + tc.name + "." + tc.scenario + "." + end
					defer take(slots)()
					r := newRun(t, w, logs, s, "defaults", "", Newest)
					r.shard = "shared"
					if err := json.Unmarshal([]byte(tc.spec), &r.spec); err != nil {
						t.Fatal(err)
					}
					r.revive(t, tc.flag, over)
				})
			}
		}
	})
}

// revive has a run get stuck, and the program revive it.
func (r *run) revive(t *testing.T, flag string, over bool) {
	at := 0
	if err := r.begin(); err != nil {
		t.Fatal(err)
	}
	if err := r.rest(&at, nil); err != nil {
		t.Fatal(err)
	}
	if over {
		r.place.end()
	}
	out, code := r.program(t)
	if do := "  do      flux reconcile helmrelease app -n " + r.namespace + flag + " --kubeconfig "; !strings.Contains(out, do) {
		t.Errorf("%swant %s", out, do)
	}
	name := r.namespace + "/app"
	if want := name + " revived: it is Ready\n"; over && (code != 0 || !strings.Contains(out, want) || r.says(t) != "True") {
		t.Errorf("exit code %d, %swant %s%s", code, out, want, r.log)
	}
	if want := name + " failed again: it is stuck: "; !over && (code != 1 || !strings.Contains(out, want) || r.says(t) != "False") {
		t.Errorf("exit code %d, %swant %s\n%s", code, out, want, r.log)
	}
	if again, code := r.program(t); over && (code != 0 || !strings.Contains(again, name+" is left alone: it is Ready")) {
		t.Errorf("a second time: exit code %d, %s", code, again)
	}
}

// says returns what Ready says now.
func (r *run) says(t *testing.T) string {
	object, err := r.Resource(HelmReleases).Namespace(r.namespace).Get(r.ctx, "app", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ready, _ := (&entry{object: object}).says("Ready")
	return ready
}

// program runs flux-remedy revive on the release.
func (r *run) program(t *testing.T) (out string, code int) {
	program, err := filepath.Abs(filepath.Join(assets, "flux-remedy"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.CommandContext(r.ctx, program, "revive", r.namespace+"/app", "--yes", "--kubeconfig", r.kubeconfig).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		t.Fatal(err)
	}
	return string(text), code
}
