package forecast

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestLiveLaw cuts runs under random settings after a random reconcile: one of the
// situations that the status allows goes on as the run does.
func TestLiveLaw(t *testing.T) {
	t.Parallel()
	tried := 0
	seeds := []uint64{12303, 13750, 14682} // of 20,000 those that once went on otherwise
	for seed := range uint64(200) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 7))
		settings := randomSettings(random)
		settings.Suspend = false
		for _, scenario := range Scenarios() {
			// What is done behind the controller's back is in no status.
			if len(scenario.events) > 0 || scenario.Name == "rollback-target-deleted" {
				continue
			}
			if lost := cut(&settings, &scenario, 1+random.IntN(8)); lost != "" {
				t.Errorf("%s of %+v\n%s", scenario.Name, settings, lost)
			}
			tried++
		}
	}
	t.Logf("%d runs cut", tried)
}

// cut compares what follows after some reconciles with what follows from the status.
// It returns how they differ.
func cut(settings *release.Settings, scenario *Scenario, after int) string {
	s := newSimulation(settings, release.Controller{}, scenario, Options{})
	result, wait, again := unfinished, time0, true
	for range after {
		if !again {
			break
		}
		result, wait, again = s.round()
		if again {
			s.clock.now += wait
		}
	}
	live := liveFrom(&s.state)
	if c := live.Condition("Reconciling"); c != nil && result == died {
		c.Message = fmt.Sprintf("Running '%s' action with timeout of 5m0s", s.journal.last())
	}
	around := s.world
	around.used = slices.Clone(s.world.used)
	want := goOn(s, again)
	var got []string
	for _, one := range situations(settings, release.Controller{}, live) {
		c := one.resume(world{troubles: around.troubles, used: slices.Clone(around.used), outage: around.outage, lacks: around.lacks}, Options{})
		c.clock.now = s.clock.now
		_, goesOn := one.pending()
		text := goOn(c, goesOn)
		if text == want {
			return ""
		}
		got = append(got, one.assumed+"\n"+text)
	}
	return fmt.Sprintf("after %d reconciles, the last %v: %s %s\nforecast %s\nwant\n%s", after, result, conditionsText(s.status.conditions),
		(&recording{}).historyText(s.status.history), strings.Join(got, "\nor "), want)
}

const time0 = 0 * quick

// goOn writes what the next reconciles do.
func goOn(s *simulation, again bool) string {
	var lines []string
	first := len(s.journal.steps)
	unlocks := strings.NewReplacer("K+ ", "", " K+", "") // whether one is needed depends on how the controller ended
	for range 6 {
		if !again {
			break
		}
		var result reconcileResult
		result, _, again = s.round()
		lines = append(lines, fmt.Sprintf("%d %s %v %s", result, unlocks.Replace(word(s.journal.steps[first:])), s.status.failures, conditionsText(s.status.conditions)))
		first = len(s.journal.steps)
	}
	return strings.Join(lines, "\n")
}

// liveFrom returns what the API server would have of a state.
func liveFrom(s *state) *release.Live {
	o := &s.status
	digest := func(lean bool) string { return fmt.Sprintf("lean-%t", lean) }
	live := &release.Live{Generation: int64(o.generation), Finalizer: o.finalizer, Deleting: o.deleting}
	st := &live.Status
	st.ObservedGeneration, st.LastAttemptedGeneration = int64(o.observedGeneration), int64(o.attemptedGeneration)
	st.LastAttemptedRevision, st.LastAttemptedReleaseAction = string(o.attemptedVersion), helmv2.ReleaseAction(o.last)
	st.LastAttemptedConfigDigest = digest(s.spec.lean)
	st.InstallFailures, st.UpgradeFailures, st.Failures = int64(o.failures.install), int64(o.failures.upgrade), int64(o.failures.all)
	for t, c := range o.conditions {
		if c.status != "" {
			st.Conditions = append(st.Conditions, metav1.Condition{
				Type: conditionNames[t], Status: metav1.ConditionStatus(c.status), Reason: c.reason, ObservedGeneration: int64(c.generation),
			})
		}
	}
	for _, one := range o.history {
		snap := &helmv2.Snapshot{Version: one.revision, Status: string(one.status), ChartVersion: string(one.version), ConfigDigest: digest(one.lean), Action: helmv2.ReleaseAction(one.action)}
		switch one.tests {
		case passed:
			snap.SetTestHooks(map[string]*helmv2.TestHookStatus{"test": {Phase: "Succeeded"}})
		case testsFailed:
			snap.SetTestHooks(map[string]*helmv2.TestHookStatus{"test": {Phase: "Failed"}})
		}
		st.History = append(st.History, snap)
	}
	return live
}
