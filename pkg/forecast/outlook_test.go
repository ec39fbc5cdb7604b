package forecast

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestOutlooksRevive: what revives a release that has come to an end is the same by its
// status as by the run that led there.
func TestOutlooksRevive(t *testing.T) {
	checked := 0
	for _, spec := range []string{specDefaults, specBounded, specHalf, specNever, specTested, specLimbo, specReplaced} {
		settings := decode(t, spec, false)
		for _, scenario := range Scenarios() {
			if len(scenario.events) > 0 || scenario.Name == "rollback-target-deleted" || scenario.Name == "uninstall-fails" {
				continue
			}
			s := newSimulation(&settings, release.Controller{}, &scenario, Options{})
			out := s.outcome(s.drive())
			if !out.NeedsHuman || out.Endless() {
				continue
			}
			checked++
			want := s.revive(scenario.fresh)
			all := Outlooks(settings, release.Controller{}, liveFrom(&s.state), Options{})
			if !slices.ContainsFunc(all, func(o Outlook) bool { return sameWays(o.Ways, want) && o.Stays.Outcome.End == out.End }) {
				t.Errorf("%s of %s:\n%+v\nwant %+v", scenario.Name, spec, all[0].Ways, want)
			}
		}
	}
	if checked < 60 {
		t.Errorf("only %d ends", checked)
	}
}

// sameWays compares ways without what follows if the cause stays, which a status does
// not say: a cause may hit once.
func sameWays(a, b []Way) bool {
	plain := func(ways []Way) (out []string) {
		for _, w := range ways {
			out = append(out, fmt.Sprint(w.Do, w.Events, w.Then))
		}
		return out
	}
	return reflect.DeepEqual(plain(a), plain(b))
}

// TestOutlooks: what happens next, and what the prospects are.
func TestOutlooks(t *testing.T) {
	for _, c := range []struct {
		spec, scenario string
		after          int // reconciles
		next           string
		stays, gone    string
		fixed          string
	}{
		{specRetry, "upgrade-fails", 1, "again in 5m", "Retrying interval", "Ready UpgradeSucceeded", "Ready UpgradeSucceeded"},
		{specBounded, "upgrade-fails", 2, "backoff 1.5s", "Stalled RetriesExceeded", "Ready UpgradeSucceeded", "Ready UpgradeSucceeded"},
		{specBounded, "upgrade-fails", 4, "never", "Stalled RetriesExceeded", "Stalled RetriesExceeded", "Ready UpgradeSucceeded"},
		{specDefaults, "dependency-not-ready", 3, "again in 30s", "Waiting DependencyNotReady", "Ready InstallSucceeded", "Waiting DependencyNotReady"},
		{specDefaults, "values-missing", 3, "backoff 750ms", "Error ValuesError", "Ready InstallSucceeded", "Error ValuesError"},
		{specBounded, "killed-in-upgrade", 1, "again in 0s", "Stalled RetriesExceeded", "Ready UpgradeSucceeded", "Ready UpgradeSucceeded"},
		{specDefaults, "upgrade-fails-once", 1, "never", "Stalled RetriesExceeded", "Stalled RetriesExceeded", "Ready UpgradeSucceeded"},
	} {
		settings := decode(t, c.spec, false)
		scenario, _ := Find(c.scenario)
		s := newSimulation(&settings, release.Controller{}, &scenario, Options{})
		for range c.after {
			s.round()
		}
		o := Outlooks(settings, release.Controller{}, liveFrom(&s.state), Options{})[0]
		next := "never"
		switch {
		case o.Next.Backoff:
			next = "backoff " + Readable(o.Next.Wait.Duration)
		case o.Next.Again:
			next = "again in " + Readable(o.Next.Wait.Duration)
		}
		end := func(l Timeline) string { return string(l.Outcome.End) + " " + l.Outcome.Reason }
		if next != c.next || end(o.Stays) != c.stays || end(o.Gone) != c.gone || end(o.Fixed) != c.fixed {
			t.Errorf("%s of %s: next %s, stays %s, gone %s, fixed %s; want %+v", c.scenario, c.spec, next, end(o.Stays), end(o.Gone), end(o.Fixed), c)
		}
	}
}

// TestOutlookBetween: once what follows a rollback has begun, and before it is announced, the
// retries are still counted.
func TestOutlookBetween(t *testing.T) {
	settings := decode(t, specBounded, false)
	scenario, _ := Find("upgrade-fails")
	s := newSimulation(&settings, release.Controller{}, &scenario, Options{})
	s.round()
	s.status.markReconciling(reasonProgressing)
	live := liveFrom(&s.state)
	if reason := live.Condition("Ready").Reason; reason != reasonRollbackSucceeded {
		t.Fatalf("Ready says %s", reason)
	}
	for _, o := range Outlooks(settings, release.Controller{}, live, Options{}) {
		if o.Stays.Outcome.End != Stalled {
			t.Errorf("it ends %s: %s", o.Stays.Outcome.End, o.Stays.Outcome.Summary)
		}
	}
}

// TestOutlooksOfAnything: whatever a status says, there is an outlook, and soon.
func TestOutlooksOfAnything(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	one := func(all ...string) string { return all[random.IntN(len(all))] }
	reasons := append(slices.Clone(erring), reasonProgressing, reasonProgressingWithRetry, reasonInstallFailed, reasonUpgradeFailed,
		reasonUpgradeSucceeded, reasonRollbackFailed, reasonUninstallFailed, reasonUninstallSucceeded, reasonTestFailed, reasonRetriesExceeded,
		reasonMissingTarget, reasonDependencyNotReady, reasonHealthCheckCanceled, reasonPendingRelease, "AccessDenied", "")
	for range 3000 {
		settings := randomSettings(random)
		live := &release.Live{Generation: random.Int64N(3), Finalizer: random.IntN(9) > 0, Deleting: random.IntN(9) == 0, Requested: random.IntN(9) == 0}
		st := &live.Status
		st.LastAttemptedReleaseAction = helmv2.ReleaseAction(one("", "install", "upgrade"))
		st.LastAttemptedRevision, st.LastAttemptedGeneration = one("", "1.0.0", "2.0.0"), random.Int64N(3)
		st.Failures, st.InstallFailures, st.UpgradeFailures = random.Int64N(99)-1, random.Int64N(9)-1, random.Int64N(1<<40)
		for _, name := range conditionNames {
			if random.IntN(2) == 0 {
				message := one("", "Running 'upgrade' action with timeout of 5m0s", "Running 'rollback' action", "Running 'nonsense' action", "denied the request")
				st.Conditions = append(st.Conditions, metav1.Condition{
					Type: name, Status: metav1.ConditionStatus(one("True", "False", "Unknown")), Reason: reasons[random.IntN(len(reasons))], Message: message,
				})
			}
		}
		for range random.IntN(4) {
			st.History = append(st.History, &helmv2.Snapshot{
				Version: random.IntN(5) * random.IntN(1<<30) * (random.IntN(3) - 1), ChartVersion: one("1.0.0", "2.0.0", ""),
				Status: one("deployed", "failed", "superseded", "uninstalling", "uninstalled", "pending-upgrade", "unknown", ""),
			})
		}
		for _, o := range Outlooks(settings, release.Controller{}, live, Options{}) {
			if o.Now == "" || o.Stays.Outcome.Summary == "" {
				t.Fatalf("%+v of %+v", o, live)
			}
		}
	}
}

// TestObstacles: the message of a failure says which record is in the way, and nobody is
// told to uninstall what only was not rendered.
func TestObstacles(t *testing.T) {
	settings := decode(t, specKept, false)
	for _, c := range []struct {
		last, message, assumed string
		human                  bool
	}{
		{"install", "Helm install failed: cannot re-use a name that is still in use", "", true},
		{"install", "Helm install failed: execution error at (shop/templates/x.yaml)", "", false},
		{"install", "", "Helm has kept the record of an earlier release", true},
		{"upgrade", `Helm upgrade failed: "shop" has no deployed releases`, "", true},
		{"upgrade", "Helm upgrade failed: execution error at (shop/templates/x.yaml)", "Helm has a record of an earlier version", false},
	} {
		live := &release.Live{Generation: 1, Finalizer: true}
		live.Status.LastAttemptedGeneration, live.Status.LastAttemptedRevision, live.Status.Failures = 1, "2.0.0", 2
		live.Status.LastAttemptedReleaseAction = helmv2.ReleaseAction(c.last)
		reason := map[string]string{"install": reasonInstallFailed, "upgrade": reasonUpgradeFailed}[c.last]
		live.Status.Conditions = []metav1.Condition{
			{Type: "Ready", Status: "False", Reason: reason, Message: c.message},
			{Type: "Released", Status: "False", Reason: reason, Message: c.message},
			{Type: "Reconciling", Status: "True", Reason: reasonProgressing, Message: "Running '" + c.last + "' action with timeout of 5m0s"},
		}
		o := Outlooks(settings, release.Controller{}, live, Options{})[0]
		if o.Assumed != c.assumed || o.Gone.Outcome.NeedsHuman != c.human {
			t.Errorf("%s, %q: assumed %q, human %t: %s", c.last, c.message, o.Assumed, o.Gone.Outcome.NeedsHuman, o.Gone.Outcome)
		}
	}
}

// TestYoung: a release of which no version was ever deployed is upgraded, and needs no uninstall.
// What its history does not reach may have been deployed.
func TestYoung(t *testing.T) {
	for _, spec := range []string{specDefaults, `{"upgrade":{"strategy":{"name":"RetryOnFailure","retryInterval":"1m"}}}`} {
		settings := decode(t, spec, false)
		for _, c := range []struct{ newest, known, situations int }{{2, 2, 1}, {5, 5, 1}, {5, 4, 2}, {9, 5, 2}} {
			live := &release.Live{Generation: 1, Finalizer: true}
			live.Status = helmv2.HelmReleaseStatus{LastAttemptedGeneration: 1, LastAttemptedRevision: "1.1.0", LastAttemptedReleaseAction: "upgrade", UpgradeFailures: 1, Failures: 2}
			for i := range c.known {
				live.Status.History = append(live.Status.History, &helmv2.Snapshot{Version: c.newest - i, Status: "failed", ChartVersion: "1.1.0"})
			}
			for _, name := range []string{"Ready", "Released"} {
				live.Status.Conditions = append(live.Status.Conditions, metav1.Condition{Type: name, Status: "False", Reason: reasonUpgradeFailed})
			}
			if spec == specDefaults {
				live.Status.Conditions = append(live.Status.Conditions, metav1.Condition{Type: "Stalled", Status: "True", Reason: reasonRetriesExceeded})
			} else {
				live.Status.Conditions = append(live.Status.Conditions, metav1.Condition{Type: "Reconciling", Status: "True", Reason: reasonProgressingWithRetry})
			}
			all := situations(&settings, release.Controller{}, live)
			if len(all) != c.situations {
				t.Errorf("%+v: %d situations", c, len(all))
			}
			for _, o := range Outlooks(settings, release.Controller{}, live, Options{}) {
				if len(o.Ways) == 0 || slices.Equal(o.Ways[0].Events, lastResort.events) || o.Fixed.Outcome.End != Ready {
					t.Errorf("%+v of %s: %+v", c, spec, o.Ways)
				}
			}
		}
	}
}

// TestMildestFirst: what destroys comes last, whatever comes before it.
func TestMildestFirst(t *testing.T) {
	ways := []Way{{Events: lastResort.events}, {Events: []Event{"reset"}, Uninstalls: true}, {Events: []Event{fixed}}, {Events: []Event{"force"}}}
	var got []string
	for _, w := range MildestFirst(ways) {
		got = append(got, string(w.Events[0]))
	}
	if want := "force fix reset helm-uninstall"; strings.Join(got, " ") != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestCommitted: the cause of a failure may stay after a commit, too.
func TestCommitted(t *testing.T) {
	settings := decode(t, specDefaults, false)
	scenario, _ := Find("upgrade-fails")
	s := newSimulation(&settings, release.Controller{}, &scenario, Options{})
	s.drive()
	live := liveFrom(&s.state)
	live.Generation++
	for _, o := range Outlooks(settings, release.Controller{}, live, Options{}) {
		if o.Stays.Outcome.End != Stalled || o.Gone.Outcome.End != Ready || !o.Next.Again {
			t.Errorf("if %s: %s; once the cause is gone: %s", o.Assumed, o.Stays.Outcome, o.Gone.Outcome)
		}
	}
}
