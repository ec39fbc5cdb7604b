//go:build flux

package flux

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// predicted is what flux-remedy says of a cluster of a tree.
type predicted struct {
	// releases by namespace/name, as render prints them.
	releases map[string]rendered
	// failing are the Kustomizations of which it says that they are not applied, with what
	// it says.
	failing map[string]string
}

// rendered is a release that render prints.
type rendered struct {
	Cluster   string                     `json:"cluster"`
	Namespace string                     `json:"namespace"`
	Name      string                     `json:"name"`
	AppliedBy []struct{ What string }    `json:"appliedBy"`
	Unknown   map[string]string          `json:"unknown"`
	Object    *unstructured.Unstructured `json:"object"`
}

// report is what lint -o json says, as far as it is held to a cluster.
type report struct {
	Undetermined []struct{ Cluster, Reason string }
	Findings     []struct {
		Message string
		Blocks  []struct{ Kustomization, Cluster string }
	}
}

// notApplied matches what is said of a Kustomization that does not get through.
var notApplied = regexp.MustCompile(`^Kustomization (\S+/\S+) (?:is blocked|cannot be built|waits for Kustomization)`)

// predict asks flux-remedy of a tree, and returns what it says of each of its clusters.
func predict(t *testing.T, tree, config string) map[string]*predicted {
	t.Helper()
	var flags []string
	if config != "" {
		file := filepath.Join(t.TempDir(), "config.yaml")
		text := "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\n" + config + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		flags = []string{"--config", file}
	}
	var said report
	linter(t, &said, append([]string{"lint", tree}, flags...)...)
	var releases []rendered
	linter(t, &releases, append([]string{"render", "--show-secrets", tree}, flags...)...)
	out := map[string]*predicted{}
	of := func(cluster string) *predicted {
		if _, name, long := strings.Cut(cluster, "/clusters/"); long {
			cluster = name // one without releases is named by its path
		}
		if out[cluster] == nil {
			out[cluster] = &predicted{releases: map[string]rendered{}, failing: map[string]string{}}
		}
		return out[cluster]
	}
	for _, r := range releases {
		of(r.Cluster).releases[r.Namespace+"/"+r.Name] = r
	}
	for _, u := range said.Undetermined {
		if m := notApplied.FindStringSubmatch(u.Reason); m != nil && u.Cluster != "" {
			of(u.Cluster).failing[m[1]] = u.Reason
		}
	}
	for _, f := range said.Findings {
		for _, blocked := range f.Blocks {
			of(blocked.Cluster).failing[blocked.Kustomization] = f.Message
		}
	}
	return out
}

// linter runs a command of flux-remedy and reads its JSON.
func linter(t *testing.T, into any, args ...string) {
	t.Helper()
	program, err := filepath.Abs(filepath.Join(assets, "flux-remedy"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, append(args, "-o", "json")...)
	out, err := cmd.Output() // the exit code says what was found
	if len(out) == 0 {
		t.Fatalf("%s: %v", cmd, err)
	}
	if err := json.Unmarshal(out, into); err != nil {
		t.Fatalf("%s: %v", cmd, err)
	}
}
