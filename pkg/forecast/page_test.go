package forecast

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

var update = flag.Bool("update", false, "rewrite the states in docs/incident.md")

// pageStates are the states that docs/incident.md tells of, each with the rule that
// reports the settings that lead there.
var pageStates = []struct {
	title, spec, scenario, rule string
	after                       int // reconciles; zero: to the end
}{
	{"An upgrade failed, no retries are set", specDefaults, "upgrade-fails", "recovery/no-recovery", 0},
	{"The first install failed, no retries are set", specDefaults, "install-fails", "recovery/no-recovery", 0},
	{"All upgrades failed and were rolled back", specBounded, "upgrade-fails", "", 0},
	{"All installs failed", specBounded, "install-fails", "", 0},
	{"The first install is retried, the upgrade rolled back", specHalf, "install-fails", "recovery/retry-then-rollback", 0},
	{"The controller ended during an upgrade, which then failed", specBounded, "killed-in-upgrade-then-fails", "recovery/bounded-restart-limit", 0},
	{"An upgrade runs, or was interrupted (pending-upgrade)", specBounded, "killed-in-upgrade-then-fails", "", 1},
	{"RetryOnFailure: every upgrade fails", specRetry, "upgrade-fails", "", 4},
	{"Unlimited remediation: upgrade and rollback alternate", specFlapping, "upgrade-fails", "recovery/unbounded-remediation", 6},
	{"A retry interval of zero", specNever, "install-fails", "timing/never-retried", 0},
	{"The rollback fails too", specBounded, "rollback-fails", "", 3},
	{"A failed install cannot be uninstalled", specBounded, "uninstall-fails", "", 3},
	{"The controller ended during an uninstall", specBounded, "killed-in-uninstall", "", 4},
	{"History is kept, and a failed upgrade uninstalled", specKept, "upgrade-fails", "data-safety/keep-history-deadlock", 4},
	{"The tests of an upgrade failed", specTested, "test-fails", "", 0},
	{"Failed tests are ignored by the remediation only", specLimbo, "test-fails", "visibility/test-limbo", 0},
	{"Failed tests are ignored by everything else", specBoth, "test-fails", "visibility/test-contradiction", 0},
	{"The chart cannot be rendered", specDefaults, "upgrade-not-rendered", "", 4},
	{"A dependency is not ready", specDefaults, "dependency-not-ready", "", 3},
	{"The chart is not ready", specDefaults, "source-not-ready", "", 3},
	{"A ConfigMap or Secret with values is missing", specDefaults, "values-missing", "", 3},
	{"A value was removed under preserveValues", specPreserved, "value-removed", "timing/preserve-values", 4},
	{"Suspended after a failed upgrade", specDefaults, "upgrade-fails+suspend", "visibility/suspended", 0},
}

// TestIncidentPage: the states on the page are those of the simulator.
func TestIncidentPage(t *testing.T) {
	const begin, end = "<!-- begin states -->\n", "<!-- end states -->"
	name := filepath.Join("..", "..", "docs", "incident.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), begin)
	_, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("%s has no place for the states", name)
	}
	want := before + begin + pageTable(t) + end + after
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(page) {
		t.Errorf("%s is stale: go test ./pkg/forecast -run %s -update", name, t.Name())
	}
}

func pageTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| what happened | Ready | also | what Flux does | what revives it |\n|---|---|---|---|---|\n")
	for _, row := range pageStates {
		settings := decode(t, row.spec, false)
		scenario, err := Find(row.scenario)
		if err != nil {
			t.Fatal(err)
		}
		s := newSimulation(&settings, release.Controller{}, &scenario, Options{})
		n := 0
		for range s.reconciles() {
			if n++; n == row.after {
				break
			}
		}
		settings = *s.spec.Settings // an event may have changed them
		title := row.title
		if row.rule != "" {
			title += fmt.Sprintf(" ([%s](../policies/rules/%s/README.md))", filepath.Base(row.rule), row.rule)
		}
		o := Outlooks(settings, release.Controller{}, liveFrom(&s.state), Options{})[0]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", title, shownCondition(s, ready), shownAlso(s), o.does(), o.helps())
	}
	return b.String()
}

func shownCondition(s *simulation, t conditionType) string {
	c := s.status.conditions[t]
	if c.status == "" {
		return "-"
	}
	return fmt.Sprintf("%s `%s`", c.status, c.reason)
}

func shownAlso(s *simulation) string {
	for _, t := range []conditionType{stalled, reconciling} {
		if c := s.status.conditions[t]; c.status == isTrue {
			return fmt.Sprintf("%s `%s`", conditionNames[t], c.reason)
		}
	}
	return "-"
}

// does says what comes if nobody does anything.
func (o Outlook) does() string {
	switch {
	case !o.Next.Again || len(o.Stays.Steps) == 0 && !o.Stays.Outcome.Endless():
		return "nothing"
	case o.Next.Running != "":
		return "if it fails: " + o.Stays.Brief()
	case o.Stays.Outcome.End == Waiting:
		return "looks again every " + Readable(o.Next.Wait.Duration)
	case len(o.Stays.Steps) == 0:
		return "looks again, up to 15m apart"
	case o.Stays.Outcome.Endless() && o.Next.Backoff:
		return "tries again, up to 15m apart: " + o.Stays.Brief()
	case o.Stays.Outcome.Endless():
		return "again every " + Readable(o.Stays.Outcome.Every.Duration) + ": " + o.Stays.Brief()
	}
	return o.Stays.Brief()
}

// helps names the mildest way, unless the release becomes healthy by itself.
func (o Outlook) helps() string {
	switch {
	case !o.Gone.Outcome.NeedsHuman:
		return "nothing is needed"
	case len(o.Ways) == 0:
		return "-"
	}
	way := o.Ways[0]
	if !Command(way.Do) {
		return way.Do
	}
	return "`" + strings.ReplaceAll(way.Do, ", then ", "`, then `") + "`: " + way.Then
}
