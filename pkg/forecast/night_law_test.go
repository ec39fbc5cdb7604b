package forecast

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// The law of what is said of a release at night, over all recorded runs, cut after every
// reconcile:
//
//   - What is listed as next holds the action that came.
//   - Nothing helps itself of which it is said that it takes a human.
//   - Each wait is within the bounds that are given for it.
//   - No uninstall comes first where the run became Ready, or where something milder revives.
//
// Between the cuts the spec is changed at random, as somebody may who was woken: then it is the
// simulator that says what comes, which the recordings hold to the controller.
func TestRecordedLaw(t *testing.T) {
	t.Parallel()
	count := lawCount{}
	for i, r := range slices.Concat(steps(t), cluster(t), factorial(t)) {
		report(t, r.name, r.simulation(8).unlawful(&count, uint64(i)))
	}
	for i, f := range runsOf(t, "") {
		r := recordedBy(t, "1.6.4", f)
		r.clock.opts.Rounds = 8
		if !strings.HasSuffix(f[1], "-deleted") { // what is done behind the controller's back is in no status
			report(t, strings.Join(f[:3], " "), r.unlawful(&count, uint64(i)))
		}
	}
	t.Logf("%+v", count)
	if count.Cuts < 3000 || count.Changed < 1000 || count.Unaided < 300 {
		t.Errorf("only %+v", count)
	}
}

// runsOf returns the fields of the runs of a scenario that hack/flux has recorded, of all without one.
func runsOf(t *testing.T, scenario string) (all [][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "forecast", "1.6.4", "runs.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); scenario == "" || f[1] == scenario {
			all = append(all, f)
		}
	}
	return all
}

// TestNightsLaw: the same, of statuses that real controllers have written in situations of
// which no simulator knows the cause.
func TestNightsLaw(t *testing.T) {
	t.Parallel()
	count := lawCount{}
	for name, states := range nights(t) {
		if name != "twins" { // what another HelmRelease does to the same Helm release is in no status
			report(t, name, unlawfulNight(&count, states))
		}
	}
	t.Logf("%+v", count)
	if count.Cuts < 30 {
		t.Errorf("only %+v", count)
	}
}

// lawCount is what the law was held to.
type lawCount struct{ Cuts, Changed, Ambiguous, Unaided, Waits, Exact int }

func report(t *testing.T, name string, all []string) {
	t.Helper()
	for _, one := range all {
		t.Errorf("%s: %s", name, one)
	}
}

// cutAt is a run after a reconcile.
type cutAt struct {
	state
	world  world
	queue  queue
	result reconcileResult
	wait   time.Duration
	again  bool
	done   int // steps
	events int // that are still to come
	during Action
}

// unlawful cuts a run after every reconcile, and returns what is said of it against the law.
func (s *simulation) unlawful(count *lawCount, seed uint64) []string {
	random := rand.New(rand.NewPCG(seed, 31))
	var cuts []cutAt
	last := settled
	for result, wait := range s.reconciles() {
		c := cutAt{state: s.state.clone(), world: s.world, queue: s.queue, result: result, wait: wait, done: len(s.journal.steps), events: len(s.events)}
		c.world.used = slices.Clone(s.world.used)
		if result == died {
			c.during = s.journal.last()
		}
		cuts, last = append(cuts, c), result
	}
	end := s.outcome(last)
	var all []string
	for i, c := range cuts {
		if c.events > 0 || c.status.deleted {
			continue
		}
		c.again = i+1 < len(cuts)
		if wrong := c.against(count, s.journal.steps[c.done:], end); wrong != "" {
			all = append(all, fmt.Sprintf("after reconcile %d: %s", i+1, wrong))
		}
		if random.IntN(4) == 0 && !c.status.deleting {
			if wrong := c.changed(count, random); wrong != "" {
				all = append(all, fmt.Sprintf("after reconcile %d and a change: %s", i+1, wrong))
			}
		}
	}
	return all
}

// changes are those of a spec that somebody may make.
var lawChanges = []Event{"switch-to-retry", "switch-to-rollback", "commit", unpreserved, "suspend"}

// changed changes the spec, and lets the simulator say what comes.
func (c cutAt) changed(count *lawCount, random *rand.Rand) string {
	s := simulate(c.state.clone(), c.world, Options{Instant: true, Rounds: 8})
	s.world.used = slices.Clone(c.world.used)
	what := lawChanges[random.IntN(len(lawChanges))]
	s.let(what.kind())
	changed := cutAt{state: s.state.clone(), world: c.world, result: died, during: c.during}
	end := s.outcome(s.drive())
	count.Changed++
	if wrong := changed.against(count, s.journal.steps, end); wrong != "" {
		return string(what) + ": " + wrong
	}
	return ""
}

// against returns what is said of the release against what came.
func (c *cutAt) against(count *lawCount, future []Step, end Outcome) string {
	live := liveFrom(&c.state)
	if r := live.Condition("Reconciling"); r != nil && c.during != "" {
		r.Message = fmt.Sprintf("Running '%s' action with timeout of 5m0s", c.during)
	}
	all := Outlooks(*c.spec.Settings, c.spec.controller, live, Options{Instant: true})
	count.Cuts++
	if len(all) > 1 {
		count.Ambiguous++
	}
	came := firstAction(future)
	switch {
	case came != "" && !slices.Contains(listed(all), came):
		return fmt.Sprintf("%s came, and %v is listed; %s", came, listed(all), conditionsText(c.status.conditions))
	case unaidedIn(all) && !end.NeedsHuman:
		return fmt.Sprintf("it takes nobody, and is called stuck: %s; %s", end, conditionsText(c.status.conditions))
	case c.again && c.result != died && c.result != settled && !waitsWithin(all, c.wait):
		return fmt.Sprintf("it waits %s, and %+v is said", c.wait, all[0].Next)
	case destroysFirst(all) && (end.End == Ready && !end.NeedsHuman || !c.destroysTruly()):
		return fmt.Sprintf("an uninstall is advised first: %s; %s", end, conditionsText(c.status.conditions))
	case c.knownToHelm() && destroys(all):
		return "an uninstall is advised, though Helm can upgrade from what the history has: " + (&recording{}).historyText(c.status.history)
	}
	if unaidedIn(all) {
		count.Unaided++
	}
	if c.again && c.result != died && c.result != settled {
		count.Waits++
		if all[0].Next.Wait.Duration == c.wait {
			count.Exact++
		}
	}
	return ""
}

// firstAction returns the first action that is not an unlock.
func firstAction(steps []Step) Action {
	for _, s := range steps {
		if s.Action != Unlock {
			return s.Action
		}
	}
	return ""
}

// listed returns the actions that are said to come next.
func listed(all []Outlook) []Action {
	var actions []Action
	for _, o := range all {
		actions = append(actions, o.Next.Running, firstAction(o.Stays.Steps), firstAction(o.Gone.Steps))
	}
	return actions
}

func unaidedIn(all []Outlook) bool {
	return !slices.ContainsFunc(all, func(o Outlook) bool { return o.Next.Running != "" || !o.Gone.Outcome.NeedsHuman })
}

func waitsWithin(all []Outlook, wait time.Duration) bool {
	return slices.ContainsFunc(all, func(o Outlook) bool {
		return o.Next.Again && o.Next.Least.Duration <= wait && wait <= o.Next.Most.Duration
	})
}

// destroysFirst reports whether an uninstall by hand is the mildest that is advised.
func destroysFirst(all []Outlook) bool {
	var ways []Way
	for _, o := range all {
		ways = append(ways, o.Ways...)
	}
	return len(ways) > 0 && MildestFirst(ways)[0].harm() == 2
}

// knownToHelm reports whether the release has come to an end whose record the history has.
func (c *cutAt) knownToHelm() bool {
	ended := c.result == exceeded || c.result == missingTarget
	return ended && len(c.status.history) > 0 && slices.Contains([]recordStatus{failed, deployed}, c.status.history.latest().status)
}

// destroys reports whether an uninstall by hand is advised at all.
func destroys(all []Outlook) bool {
	return slices.ContainsFunc(all, func(o Outlook) bool {
		return slices.ContainsFunc(o.Ways, func(w Way) bool { return w.harm() == 2 })
	})
}

// destroysTruly reports whether nothing milder revives, by all that there is to know.
func (c *cutAt) destroysTruly() bool {
	s := simulate(c.state.clone(), c.world, Options{Instant: true})
	s.world.used, s.queue = slices.Clone(c.world.used), c.queue
	ways, _ := s.ways(!slices.ContainsFunc(c.storage.records, func(r record) bool { return r.version == Old }))
	return len(ways) > 0 && ways[0].harm() == 2
}

// nightStatus is a HelmRelease as a cluster had it, At seconds after the first.
type nightStatus struct {
	Run    string
	At     float64
	Object map[string]any

	live     *release.Live
	settings *release.Settings
}

// nights returns the recorded statuses of each run, in order.
func nights(tb testing.TB) map[string][]nightStatus {
	tb.Helper()
	file, err := os.Open(filepath.Join("..", "..", "testdata", "incident", "nights.jsonl.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	all := map[string][]nightStatus{}
	scan := bufio.NewScanner(text)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		var s nightStatus
		if err := json.Unmarshal(scan.Bytes(), &s); err != nil {
			tb.Fatal(err)
		}
		r, err := release.Decode(s.Object, release.Controller{})
		if err != nil {
			tb.Fatal(err)
		}
		if s.live, err = release.LiveOf(s.Object); err != nil {
			tb.Fatal(err)
		}
		s.settings = r.Settings
		all[s.Run] = append(all[s.Run], s)
	}
	if err := scan.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}

// announces returns the action that a status announces, which began with it. An install or
// upgrade is over where Ready is known again.
func (s *nightStatus) announces() Action {
	c, action := s.live.Condition("Reconciling"), runningAction(s.live)
	ready := s.live.Condition("Ready")
	if c == nil || c.Reason != reasonProgressing || action.kind() == releaseKind && ready != nil && ready.Status != "Unknown" {
		return ""
	}
	return action
}

// same reports whether nobody has done anything between two statuses: neither spec, nor requests,
// nor what is offered have changed.
func (s *nightStatus) same(other *nightStatus, revision string) bool {
	meta := func(s *nightStatus) any { return s.Object["metadata"].(map[string]any)["annotations"] }
	return s.live.Generation == other.live.Generation && fmt.Sprint(meta(s)) == fmt.Sprint(meta(other)) && other.live.Status.LastAttemptedRevision == revision
}

// undisturbed returns the statuses up to the first before which somebody did something.
func (s *nightStatus) undisturbed(later []nightStatus) []nightStatus {
	revision := s.live.Status.LastAttemptedRevision
	for i := range later {
		revision = cmp.Or(revision, later[i].live.Status.LastAttemptedRevision)
		if !s.same(&later[i], revision) && later[i].live.Status.LastAttemptedRevision != "" {
			return later[:i]
		}
	}
	return later
}

// passing reports whether a status stood for a moment only: the conditions are written before the rest.
func (s *nightStatus) passing(later []nightStatus) bool {
	c := s.live.Condition("Ready")
	return len(later) > 0 && later[0].At-s.At < 1 && (c == nil || c.Status != "Unknown")
}

// whole leaves out what another status follows at once that says the same and more.
func whole(states []nightStatus) []nightStatus {
	var kept []nightStatus
	for i, s := range states {
		if i+1 == len(states) || states[i+1].At-s.At > 0.5 || states[i+1].announces() != s.announces() {
			kept = append(kept, s)
		}
	}
	return kept
}

// unlawfulNight returns what is said against the law, status by status.
func unlawfulNight(count *lawCount, states []nightStatus) []string {
	var all []string
	states = whole(states)
	for i := range states {
		if wrong := states[i].against(count, states[i+1:]); wrong != "" {
			all = append(all, fmt.Sprintf("status %d, %.1f s: %s", i+1, states[i].At, wrong))
		}
	}
	return all
}

func (s *nightStatus) against(count *lawCount, later []nightStatus) string {
	if s.passing(later) {
		return ""
	}
	all := Outlooks(*s.settings, release.Controller{}, s.live, Options{})
	count.Cuts++
	later = s.undisturbed(later)
	recovered := len(later) > 0 && later[len(later)-1].live.Condition("Ready") != nil && later[len(later)-1].live.Condition("Ready").Status == "True"
	came := slices.IndexFunc(later, func(l nightStatus) bool { return l.announces() != "" && l.announces() != s.announces() })
	ready := s.live.Condition("Ready") != nil && s.live.Condition("Ready").Status == "True"
	actions := listed(all)
	for _, o := range all {
		for _, line := range []Timeline{o.Stays, o.Gone} {
			if len(line.Steps) > 0 {
				actions = append(actions, line.Steps[0].Action) // an unlock
			}
			for _, step := range line.Steps {
				if o.Next.Running != "" { // what follows the one that runs
					actions = append(actions, step.Action)
				}
			}
		}
	}
	switch {
	case came >= 0 && !ready && !slices.Contains(actions, later[came].announces()):
		return fmt.Sprintf("%s came, and %v is listed", later[came].announces(), actions)
	case s.announces() == Upgrade && slices.ContainsFunc(all, func(o Outlook) bool { return o.Now == Nothing }):
		return "an upgrade runs, and nothing is said to be installed"
	case unaidedIn(all) && recovered && !ready:
		return "it became Ready, and is called stuck"
	case destroysFirst(all) && recovered:
		return "it became Ready, and an uninstall is advised"
	case Unmet(s.live) && !ready && !slices.ContainsFunc(all, func(o Outlook) bool { return o.Stays.Outcome.Endless() || o.Stays.Outcome.End == Stalled }):
		return fmt.Sprintf("an end is promised: %s", all[0].Stays.Outcome)
	}
	if wrong := s.outnumbers(all, later); wrong != "" {
		return wrong
	}
	if unaidedIn(all) {
		count.Unaided++
	}
	return s.punctual(count, all, later)
}

// outnumbers returns that more attempts came than were said to come at most.
func (s *nightStatus) outnumbers(all []Outlook, later []nightStatus) string {
	if s.live.Condition("Released") == nil || s.live.Condition("Released").Status != "False" {
		return "" // nothing has failed yet
	}
	attempts, before := 0, s.announces()
	for _, l := range later {
		if now := l.announces(); now != before {
			before = now
			if now == Install || now == Upgrade {
				attempts++
			}
		}
	}
	most := 0
	for _, o := range all {
		said := 0
		for _, step := range o.Stays.Steps {
			if step.Action.kind() == releaseKind {
				said++
			}
		}
		if o.Stays.Outcome.End != Stalled {
			return ""
		}
		most = max(most, said)
	}
	if attempts > most {
		return fmt.Sprintf("%d attempts came, and %d are said to come at most", attempts, most)
	}
	return ""
}

// punctual compares a back-off or an interval with when the next action was announced. Times of a status are
// whole seconds, and after an attempt the controller may wait ten more for its cache.
func (s *nightStatus) punctual(count *lawCount, all []Outlook, later []nightStatus) string {
	next := all[0].Next
	came := slices.IndexFunc(later, func(l nightStatus) bool { return l.announces() != "" })
	begun := s.live.Condition("Reconciling") != nil && runningAction(s.live) == "" && s.live.Condition("Reconciling").Reason == reasonProgressing
	if came < 0 || begun || next.Running != "" || !next.Again || next.Most.Duration == 0 || Unmet(s.live) {
		return ""
	}
	count.Waits++
	waited := time.Duration((later[came].At - s.At) * float64(time.Second))
	if waited < next.Least.Duration-2*time.Second || waited > next.Most.Duration+time.Minute {
		return fmt.Sprintf("it waited %s, and %+v is said", waited, next)
	}
	return ""
}
