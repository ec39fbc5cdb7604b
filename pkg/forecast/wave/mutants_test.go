package wave

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutant contradicts a fact of docs/wave.md, by another condition or statement at one place of the simulator.
type mutant struct {
	fact, file, old, new string
	statement            bool
}

var mutants = []mutant{
	{fact: "a commit is told to no Kustomization of a source if some depend in a circle", file: "simulation.go", old: `marks[on] == 1 || !visit(on)`, new: `marks[on] != 1 && !visit(on)`},
	{fact: "a commit is told to dependencies of another source, too", file: "simulation.go", old: `sorted = append(sorted, on)`, new: ``, statement: true},
	{fact: "the queue has one entry for each object since 1.8", file: "queue.go", old: `c.atLeast(oneEntry)`, new: `true`},
	{fact: "the queue has one entry for each object only since 1.8", file: "queue.go", old: `c.atLeast(oneEntry)`, new: `false`},
	{fact: "a commit during a health check is looked at after it", file: "queue.go", old: `k.again = true`, new: ``, statement: true},
	{fact: "a health check holds a worker", file: "queue.go", old: `s.busy < s.fleet.Controller.workers() && len(s.queue) > 0`, new: `len(s.queue) > 0`},
	{fact: "a health check ends early with the first failed object", file: "queue.go", old: `!c.Patient || rest && c.atLeast(restCounts)`, new: `false`},
	{fact: "DisableFailFastBehavior has it wait for the others", file: "queue.go", old: `!c.Patient || rest && c.atLeast(restCounts)`, new: `true`},
	{fact: "before 1.8 it waits for the timeout then", file: "queue.go", old: `!c.Patient || rest && c.atLeast(restCounts)`, new: `!c.Patient || rest`},
	{fact: "dependencies of the same source must have come to the revision", file: "kustomization.go", old: `on == nil || !on.ready || on.Source == k.Source && on.healthy != revision`, new: `on == nil || !on.ready`},
	{fact: "dependencies of another source need not", file: "kustomization.go", old: `on == nil || !on.ready || on.Source == k.Source && on.healthy != revision`, new: `on == nil || !on.ready || on.healthy != revision`},
	{fact: "dependencies must be ready", file: "kustomization.go", old: `on == nil || !on.ready || on.Source == k.Source && on.healthy != revision`, new: `on == nil || on.Source == k.Source && on.healthy != revision`},
	{fact: "a dependency must exist", file: "kustomization.go", old: `on == nil || !on.ready || on.Source == k.Source && on.healthy != revision`, new: `on != nil && (!on.ready || on.Source == k.Source && on.healthy != revision)`},
	{fact: "what is in progress is waited for", file: "kustomization.go", old: `health[forecast.InProgress] == 0 && health[forecast.Failed] == 0`, new: `health[forecast.Failed] == 0`},
	{fact: "what has failed is not healthy", file: "kustomization.go", old: `health[forecast.InProgress] == 0 && health[forecast.Failed] == 0`, new: `health[forecast.InProgress] == 0`},
	{fact: "the gate CancelHealthCheckOnNewRevision ends a health check", file: "kustomization.go", old: `!s.fleet.Controller.Cancels || this == nil`, new: `true`},
	{fact: "without the gate nothing does", file: "kustomization.go", old: `!s.fleet.Controller.Cancels || this == nil`, new: `this == nil`},
	{fact: "before 1.8 it does so at a look, and tries again", file: "kustomization.go", old: `!s.fleet.Controller.atLeast(interrupted)`, new: `false`},
	{fact: "since 1.8 it does so at once", file: "kustomization.go", old: `!s.fleet.Controller.atLeast(interrupted)`, new: `true`},
	{fact: "before 1.8 only a new revision does", file: "kustomization.go", old: `s.sources[k.Source].revision() == this.revision`, new: `false`},
	{fact: "a failed health check is tried again after retryInterval", file: "kustomization.go", old: `s.done(k, k.Retry.Duration)`, new: `s.done(k, k.Interval.Duration)`, statement: true},
	{fact: "a Kustomization is not ready while it checks health", file: "kustomization.go", old: `k.ready, k.end, k.began = false, "", s.now`, new: `k.end, k.began = "", s.now`, statement: true},
	{fact: "a look comes every 5 seconds", file: "kustomization.go", old: `this.look > s.now && this.look <= at`, new: `this.look <= at && this.look != none`},
	{fact: "a suspended Kustomization does nothing", file: "kustomization.go", old: `k.suspended || !k.exists`, new: `false`},
	{fact: "a release looks at its interval whether what it depends on is ready", file: "simulation.go", old: `r.Course == nil && len(r.DependsOn) > 0`, new: `false`},
	{fact: "a parent waits for a Kustomization that is not ready", file: "health.go", old: `k != nil && k.ready`, new: `k != nil`},
	{fact: "a release that waits for another one is in progress", file: "health.go", old: `r == nil || !r.exists || r.held`, new: `r == nil || !r.exists`},
	{fact: "a release that is Stalled has failed", file: "../course.go", old: `result == exceeded || result == missingTarget`, new: `false`},
	{fact: "a release that is tried again is in progress", file: "../course.go", old: `result == settled && s.status.ready()`, new: `true`},
}

// TestMutants: each fact is needed by a recording. All mutants are compiled into one copy of the packages, in
// which a variable chooses which is active.
func TestMutants(t *testing.T) {
	t.Parallel()
	dir, overlay := t.TempDir(), map[string]map[string]string{"Replace": {}}
	put := func(name, text string) {
		here, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, fmt.Sprint(len(overlay["Replace"]), ".go"))
		overlay["Replace"][here] = file
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	instrument(t, put)
	put("../mutant.go", "package forecast\n\nvar MutantNumber int\n")
	put("mutant_run_test.go", runMutants)
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-v", "-count=1", "-vet=off", "-overlay", file, "-run", "^TestRunMutants$", ".", "-waves", *folder)
	cmd.Env = append(os.Environ(), fmt.Sprint("MUTANTS=", len(mutants)))
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "all mutants ran") {
		t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		var n int
		if _, err := fmt.Sscanf(line, "survived %d", &n); err == nil {
			t.Errorf("no recording speaks for it: %s", mutants[n-1].fact)
		}
	}
}

// instrument writes the mutated files; mutants count from 1.
func instrument(t *testing.T, put func(name, text string)) {
	t.Helper()
	mutated := map[string]map[string]string{} // file -> old text -> text with a choice
	for i, m := range mutants {
		if mutated[m.file] == nil {
			mutated[m.file] = map[string]string{}
		}
		now, known := mutated[m.file][m.old]
		if !known {
			now = m.old
		}
		number := "forecast.MutantNumber"
		if strings.HasPrefix(m.file, "..") {
			number = "MutantNumber"
		}
		format := "(%[1]s == %[2]d && (%[3]s) || %[1]s != %[2]d && (%[4]s))"
		if m.statement {
			format = "if %[1]s == %[2]d { %[3]s } else { %[4]s }"
		}
		mutated[m.file][m.old] = fmt.Sprintf(format, number, i+1, m.new, now)
	}
	for file, changes := range mutated {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var pairs []string
		for old, changed := range changes {
			if n := strings.Count(string(source), old); n != 1 {
				t.Errorf("%s: %q stands there %d times, want once", file, old, n)
			}
			pairs = append(pairs, old, changed)
		}
		text := strings.NewReplacer(pairs...).Replace(string(source))
		if !strings.HasPrefix(file, "..") && !strings.Contains(text, `pkg/forecast"`) {
			text = strings.Replace(text, "import (", "import (\n\t\"github.com/flux-remedy/remedy/pkg/forecast\"\n", 1)
		}
		put(file, text)
	}
}

// runMutants is the test of the mutated package. A mutant that panics is caught, too.
const runMutants = `package wave

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

func TestRunMutants(t *testing.T) {
	mutants, _ := strconv.Atoi(os.Getenv("MUTANTS"))
	all := recordings(t)
	if contradicted(all) {
		t.Fatal("the simulator contradicts the recordings without a mutant")
	}
	for forecast.MutantNumber = 1; forecast.MutantNumber <= mutants; forecast.MutantNumber++ {
		if !contradicted(all) {
			fmt.Println("survived", forecast.MutantNumber)
		}
	}
	fmt.Println("all mutants ran")
}

func contradicted(all []*recording) (yes bool) {
	defer func() { yes = yes || recover() != nil }()
	for _, r := range all {
		if r.disagreement() != "" {
			return true
		}
	}
	return false
}
`
