package forecast

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// mutant is another decision, or another effect, at one place of the
// simulator. The old text stands there exactly once.
type mutant struct {
	file, old, new string
}

// Mutants of conditions.
var conditionMutants = []mutant{
	{"spec.go", `retries >= 0 && o.failureCount(half) > retries`, `retries >= 0 && o.failureCount(half) >= retries`},
	{"spec.go", `retries >= 0 && o.failureCount(half) > retries`, `retries > 0 && o.failureCount(half) > retries`},
	{"spec.go", `retries >= 0 && o.failureCount(half) > retries`, `o.failureCount(half) > retries`},
	{"spec.go", `retries >= 0 && o.failureCount(half) > retries`, `retries >= 0 && o.failures.all > retries`},
	{"spec.go", `o.last != "" && s.active(o).Strategy == release.RetryOnFailure`, `o.last != "" && s.Install.Strategy == release.RetryOnFailure`},
	{"spec.go", `o.last != "" && s.active(o).Strategy == release.RetryOnFailure`, `o.last != "" && s.Upgrade.Strategy == release.RetryOnFailure`},
	{"decide.go", `spec.exhausted(&status, Install)`, `spec.exhausted(&status, Install) && spec.Install.Strategy != release.RetryOnFailure`},
	{"decide.go", `spec.exhausted(&status, Install)`, `spec.exhausted(&status, Upgrade)`},
	{"decide.go", `spec.exhausted(&status, Upgrade)`, `status.failures.upgrade > 0`},
	{"decide.go", `status.last == "" || status.failureCount(status.last) <= 0`, `status.last == ""`},
	{"decide.go", `spec.exhausted(&status, d.half) && !spec.active(&status).RemediateLastFailure`, `spec.exhausted(&status, d.half)`},
	{"decide.go", `spec.exhausted(&status, d.half) && !spec.active(&status).RemediateLastFailure`, `spec.exhausted(&status, d.half) && spec.active(&status).RemediateLastFailure`},
	{"decide.go", `spec.exhausted(&status, d.half) && !spec.active(&status).RemediateLastFailure`, `spec.exhausted(&status, d.half) && !spec.Upgrade.RemediateLastFailure`},
	{"decide.go", `spec.remediation(&status) == release.Uninstall`, `status.last == Install`},
	{"decide.go", `spec.remediation(&status) == release.Uninstall`, `spec.Upgrade.Remediation == release.Uninstall`},
	{"decide.go", `r == nil || r.content != target.content`, `r == nil || r.content == target.content`},
	{"determine.go", `status.history.latest().content != last.content`, `false`},
	{"determine.go", `len(status.history) == 0 && last.status == uninstalled`, `len(status.history) == 0 && last.status != uninstalled`},
	{"determine.go", `last.version != spec.desired`, `last.version != spec.desired && status.last == Install`},
	{"reconcile.go", `!o.finalizer`, `!o.finalizer && r.spec.Suspend`},
	{"status.go", `o.attemptedGeneration != o.generation || o.attemptedVersion != desired`, `o.attemptedGeneration != o.generation`},
	{"reconcile.go", `!r.spec.exhausted(&r.status, r.status.last) || r.spec.reinstalls(&r.status)`, `!r.spec.exhausted(&r.status, r.status.last)`},
	{"reconcile.go", `!r.spec.exhausted(&r.status, r.status.last) || r.spec.reinstalls(&r.status)`, `true`},
	{"deploy.go", `!s.spec.Install.Replace || last.status != uninstalled && last.status != failed`, `last.status != uninstalled && last.status != failed`},
	{"deploy.go", `s.spec.half(action).Strategy == release.RetryOnFailure`, `false`},
	{"deploy.go", `s.spec.half(action).Strategy == release.RetryOnFailure`, `true`},
	{"deploy.go", `s.spec.half(action).Strategy == release.RetryOnFailure`, `s.spec.Install.Strategy == release.RetryOnFailure`},
	{"remediate.go", `!s.spec.Uninstall.KeepHistory`, `true`},
	{"storage.go", `limit > 0`, `limit > 5`},
	{"storage.go", `excess <= 0 || r.revision == keep`, `excess <= 0`},
	{"storage.go", `excess <= 0 || r.revision == keep`, `excess < 0 || r.revision == keep`},
	{"world.go", `!waits && how.ends()`, `false`},
	{"world.go", `!waits && (how == unhealthy || how == targetLost)`, `false`},
	{"history.go", `h[i].status.good() && (ignoreTests || h[i].tests != testsFailed)`, `h[i].status == deployed`},
	{"history.go", `h[i].status.good() && (ignoreTests || h[i].tests != testsFailed)`, `h[i].status == superseded`},
	{"history.go", `h[i].status.good() && (ignoreTests || h[i].tests != testsFailed)`, `true`},
	{"conditions.go", `sorted[0] == remediated`, `false`},
}

// Mutants of statements.
var statementMutants = []mutant{
	{"decide.go", `d.history = nil`, ``},
	{"decide.go", `d.history = d.history.truncate(spec.active(&status).IgnoreTestFailures)`, ``},
	{"reconcile.go", `r.status = persisted`, ``},
	{"reconcile.go", `done[next.action.kind()] = true`, `done[unlockKind] = true`},
	{"deploy.go", `o.last, o.history = Install, nil`, `o.last = Install`},
	{"deploy.go", `s.storage.rewrite(base)`, `s.storage.set(base, superseded)`},
	{"deploy.go", `s.storage.set(base, superseded)`, ``},
	{"actions.go", `s.storage.set(s.storage.last().revision, failed)`, `s.storage.set(s.storage.last().revision, uninstalled)`},
	{"remediate.go", `s.status.mark(remediated, isTrue, reasonUninstallSucceeded)`, `s.status.mark(remediated, isTrue, reasonUninstallSucceeded); s.summarize()`},
	{"queue.go", `*q = queue{}`, ``},
	{"queue.go", `q.backoffs++`, ``},
	{"history.go", `return h[:i+1]`, `return h[:i]`},
	{"history.go", `s.refresh(r, Rollback)`, ``},
}

// Mutants of what is told of a run.
var sentenceMutants = []mutant{
	{"account.go", `len(deeds)-start >= 2*length && start < once`, `len(deeds)-start >= 2*length && start < once && length == 1`},
	{"account.go", `len(deeds)-start >= 2*length && start < once`, `start < once`},
	{"account.go", `out.Endless()`, `false`},
	{"account.go", `out.Endless()`, `out.Endless() && len(events) == 0`},
	{"journal.go", `h.before == steps && h.was.End == out.End && h.was.Reason == out.Reason && h.was.Running == out.Running`, `h.was.End == out.End`},
	{"tally.go", `step.Result == Killed`, `false`},
	{"tally.go", `step.Result == Fail`, `step.Result == Fail && step.Action.kind() == releaseKind`},
	{"tally.go", `step.Action.kind() == remediationKind`, `step.Action == Rollback`},
	{"tally.go", `t.count > 1`, `false`},
	{"sentence.go", `d.result == Fail && !d.recorded`, `false`},
	{"sentence.go", `d.action == Uninstall`, `false`},
	{"sentence.go", `len(a.ignored) == 0`, `true`},
}

// Mutants of statements about what is told.
var tellingMutants = []mutant{
	{"account.go", `before, a.round = repeated(rest)`, `_, a.round = repeated(rest)`},
	{"account.go", `once, round = start, slices.Clone(deeds[start:start+length])`, `once, round = start, slices.Clone(deeds[start+length-1:start+length])`},
	{"account.go", `a.ignored = append(a.ignored, e.what)`, ``},
	{"account.go", `start, what = e.before, e.what`, `start = e.before`},
	{"tally.go", `all[i].count++`, `all[i].count = 1`},
	{"sentence.go", `words = append(words, t.String())`, `words = append(words, t.String()); break`},
}

// Mutants of what is said of a release at night.
var nightMutants = []mutant{
	{"doubts.go", `revision == 0`, `revision < 0`},
	{"situation.go", `attempted != 0 && attempted != live.Generation`, `false`},
	{"situation.go", `left && (len(o.history) == 0 || o.history.latest().status != failed)`, `false`},
	{"situation.go", `lacks != stateReadable || decide(s.spec, s.status, s.storage, s.workload).result != inError`, `false`},
	{"live.go", `runningAction(live) == Upgrade && s.status.conditions[ready].status == isUnknown`, `false`},
	{"live.go", `c[ready].status == isUnknown && c[reconciling].reason == reasonProgressingWithRetry`, `false`},
	{"prerequisite.go", `what == stateReadable && (c.Message == "" || strings.Contains(c.Message, "for release with status"))`, `what == stateReadable`},
}

// Mutants of statements about that.
var nightStatements = []mutant{
	{"outlook.go", `n.Least.Duration, n.Most.Duration = minRetryDelay, maxRetryDelay`, ``},
	{"situation.go", `s.result, s.backoffs = now.result, now.requeues()`, ``},
}

// TestMutants: each mutant contradicts a recording, or makes a sentence that
// does not say what was simulated. All of them are compiled
// into one copy of the package, in which a variable chooses which is active.
func TestMutants(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	overlay := map[string]map[string]string{"Replace": {}}
	put := func(name, text string) {
		here, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		overlay["Replace"][here] = filepath.Join(dir, name)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	names := instrument(t, put)
	put("mutant.go", "package forecast\n\nvar mutantNumber int\n")
	put("mutant_run_test.go", runMutants)
	replace, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, replace, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-v", "-count=1", "-vet=off", "-overlay", file, "-run", "^TestRunMutants$", ".")
	cmd.Env = append(os.Environ(), fmt.Sprint("MUTANTS=", len(names)), fmt.Sprint("RECORDED=", len(conditionMutants)+len(statementMutants)),
		fmt.Sprint("NIGHTS=", len(nightMutants)+len(nightStatements)))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	survivors := 0
	for line := range strings.Lines(string(out)) {
		var n int
		if _, err := fmt.Sscanf(line, "survived %d", &n); err == nil {
			t.Errorf("nothing contradicts: %s", names[n-1])
			survivors++
		}
	}
	if !strings.Contains(string(out), "all mutants ran") {
		t.Errorf("the mutants did not run:\n%s", out)
	}
	t.Logf("%d mutants, %d survive", len(names), survivors)
}

// instrument writes the mutated files and names the mutants, which count from 1.
func instrument(t *testing.T, put func(name, text string)) []string {
	t.Helper()
	var names []string
	mutated := map[string]map[string]string{} // file -> old text -> text with a choice
	add := func(format string, m mutant) {
		if mutated[m.file] == nil {
			mutated[m.file] = map[string]string{}
		}
		names = append(names, fmt.Sprintf("%s: %s -> %s", m.file, m.old, m.new))
		mutated[m.file][m.old] = fmt.Sprintf(format, len(names), m.new, cmp.Or(mutated[m.file][m.old], m.old))
	}
	const condition = "(mutantNumber == %[1]d && (%[2]s) || mutantNumber != %[1]d && (%[3]s))"
	const statement = "if mutantNumber == %d { %s } else { %s }"
	for _, kind := range []struct {
		format  string
		mutants []mutant
	}{{condition, conditionMutants}, {statement, statementMutants}, {condition, sentenceMutants}, {statement, tellingMutants}, {condition, nightMutants}, {statement, nightStatements}} {
		for _, m := range kind.mutants {
			add(kind.format, m)
		}
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
		put(file, strings.NewReplacer(pairs...).Replace(string(source)))
	}
	return names
}

// runMutants is the test of the mutated package. A mutant that panics is caught
// too.
const runMutants = `package forecast

import (
	"fmt"
	"os"
	"strconv"
	"testing"
)

func TestRunMutants(t *testing.T) {
	mutants, _ := strconv.Atoi(os.Getenv("MUTANTS"))
	recorded, _ := strconv.Atoi(os.Getenv("RECORDED"))
	night, _ := strconv.Atoi(os.Getenv("NIGHTS"))
	all := append(append(steps(t), cluster(t)...), factorial(t)...)
	states := nights(t)
	drifting := runsOf(t, "drift-comes-back")
	if contradicted(all) || lying() || unlawful(t, all[:152], states, drifting) {
		t.Fatal("the simulator contradicts the recordings without a mutant")
	}
	for mutantNumber = 1; mutantNumber <= mutants; mutantNumber++ {
		wrong := false
		switch {
		case mutantNumber <= recorded:
			wrong = contradicted(all)
		case mutantNumber <= mutants-night:
			wrong = lying()
		default:
			wrong = unlawful(t, all[:152], states, drifting)
		}
		if !wrong {
			fmt.Println("survived", mutantNumber)
		}
	}
	fmt.Println("all mutants ran")
}

func unlawful(t *testing.T, all []recording, nights map[string][]nightStatus, runs [][]string) (yes bool) {
	defer func() { yes = yes || recover() != nil }()
	for i := range all {
		if all[i].simulation(8).unlawful(&lawCount{}, uint64(i)) != nil {
			return true
		}
	}
	for name, states := range nights {
		if name != "twins" && unlawfulNight(&lawCount{}, states) != nil {
			return true
		}
	}
	for _, f := range runs {
		if r := recordedBy(t, "1.6.4", f); r.unlawful(&lawCount{}, 1) != nil {
			return true
		}
	}
	return false
}

func lying() (yes bool) {
	defer func() { yes = yes || recover() != nil }()
	for seed := range uint64(100) {
		if lies(seed) != "" {
			return true
		}
	}
	return false
}

func contradicted(all []recording) (yes bool) {
	defer func() { yes = yes || recover() != nil }()
	for i := range all {
		if all[i].replay(&all[i]) != all[i].want {
			return true
		}
	}
	return false
}
`
