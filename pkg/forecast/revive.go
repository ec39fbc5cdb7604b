package forecast

import (
	"cmp"
	"slices"
	"strings"
)

// wayKind is a way as events. healing ones are about the cause themselves.
type wayKind struct {
	do      string
	events  []Event
	healing bool
}

// wayKinds are the ways to revive a release, the mildest first. A reset only clears the
// failure counters (MustResetFailures in internal/action/reset.go of helm-controller): what
// follows is what the spec says, which is nothing for a release that is in sync by then. A
// forced upgrade is made in any state, before the spec is asked (actionForState in
// internal/reconcile/atomic_release.go), and leaves no retry if it fails.
var wayKinds = []wayKind{
	{"flux reconcile helmrelease NAME", []Event{"reconcile"}, false},
	{"flux resume helmrelease NAME", []Event{"resume"}, false},
	{"flux reconcile helmrelease NAME --reset", []Event{"reset"}, false},
	{"flux reconcile helmrelease NAME --force", []Event{"force"}, false},
	{"flux suspend helmrelease NAME, then flux resume helmrelease NAME", []Event{"suspend", "resume"}, false},
	{"a commit that changes the spec", []Event{"commit"}, false},
	{"a commit that removes spec.upgrade.preserveValues", []Event{unpreserved}, false},
	{"a version that works", []Event{fixed}, true},
	{"a commit that goes back to the old version", []Event{reverted}, true},
	{"kubectl rollout restart deployment/helm-controller -n flux-system", []Event{restarted}, false},
}

// lastResort is for releases that no way revives.
var lastResort = wayKind{
	"helm uninstall RELEASE, then flux reconcile helmrelease NAME --reset", []Event{"helm-uninstall", "reset"}, false,
}

// revive returns the ways that make a release healthy which does not become so by
// itself, the mildest first. Each has been tried.
func (s *simulation) revive(fresh bool) []Way {
	helpful, _ := s.ways(fresh)
	return helpful
}

// ways returns the ways that help, the mildest first, and those that do not. The last resort is
// only for releases that nothing else makes healthy.
func (s *simulation) ways(fresh bool) (helpful, vain []Way) {
	helpful, vain = []Way{}, []Way{}
	cured := false
	for _, kind := range wayKinds {
		if !s.possible(kind.events[0], fresh) {
			continue
		}
		way, helps := s.try(kind)
		cured = cured || helps
		if helps || way.Restores {
			helpful = append(helpful, way)
		} else {
			vain = append(vain, way)
		}
	}
	if way, helps := s.try(lastResort); helps && !cured && s.spec.controller.Modelled() {
		helpful = append(helpful, way)
	}
	return MildestFirst(helpful), vain
}

// MildestFirst sorts ways: those after which what runs may be uninstalled come behind the
// others, and the one that uninstalls it last.
func MildestFirst(ways []Way) []Way {
	slices.SortStableFunc(ways, func(a, b Way) int {
		return cmp.Or(cmp.Compare(a.harm(), b.harm()), cmp.Compare(a.rank(), b.rank()))
	})
	return ways
}

// harm is how much a way may destroy.
func (w Way) harm() int {
	switch {
	case slices.Equal(w.Events, lastResort.events):
		return 2
	case w.Uninstalls:
		return 1
	}
	return 0
}

// rank is where wayKinds has the way.
func (w Way) rank() int {
	return slices.IndexFunc(wayKinds, func(k wayKind) bool { return slices.Equal(k.events, w.Events) })
}

// possible reports whether a way that begins with an event can be gone.
func (s *simulation) possible(first Event, fresh bool) bool {
	switch first {
	case reverted:
		return !fresh
	case "suspend":
		return !s.spec.Suspend
	case "resume":
		return s.spec.Suspend
	case "reset", "force":
		return s.spec.controller.Modelled()
	case unpreserved:
		return s.spec.lean && s.spec.Upgrade.PreserveValues
	}
	return true
}

// try returns what a way leads to, and whether it helps.
func (s *simulation) try(kind wayKind) (way Way, helps bool) {
	gone, stays := s.after(kind.events, !kind.healing), s.after(kind.events, false)
	target := s.spec.Target
	way = Way{
		Do:     strings.ReplaceAll(kind.do, "RELEASE", Argument(target.Name, "RELEASE")+" -n "+Argument(target.StorageNamespace, "TARGET")),
		Events: kind.events, Then: gone.Brief(), Otherwise: stays.Brief(),
		Uninstalls: s.workload.running() != Nothing && slices.ContainsFunc(stays.Steps, func(s Step) bool { return s.Action == Uninstall }),
	}
	helps = gone.Outcome.End == Ready && !gone.Outcome.NeedsHuman
	way.acts = len(gone.Steps)+len(stays.Steps) > 0
	if way.Restores = !helps && way.Is("reconcile") && s.restored(gone); way.Restores {
		way.Then += ", with the old version running"
	}
	if way.Otherwise == way.Then {
		way.Otherwise = ""
	}
	return way, helps
}

// restored reports whether the old version runs again after a remediation, and did not before.
func (s *simulation) restored(after Timeline) bool {
	return after.Outcome.Running == OldVersion && s.workload.running() != OldVersion &&
		slices.ContainsFunc(after.Steps, func(step Step) bool { return step.Action == Rollback && step.Result == OK })
}

// after simulates what follows events at the end of s, on a copy.
func (s *simulation) after(events []Event, over bool) Timeline {
	c := simulate(s.state.clone(), s.world, s.clock.opts)
	c.queue, c.world.used = s.queue, slices.Clone(s.world.used)
	c.world.over = c.world.over || over
	for i, e := range events {
		c.let(e.kind())
		if e.kind().seen == atOnce {
			for _, next := range events[i+1:] {
				c.events = append(c.events, scheduled{what: next})
			}
			break
		}
	}
	out := c.outcome(c.drive())
	return Timeline{Steps: c.journal.steps, Outcome: out}
}

// Named returns the way for the HelmRelease of a name, as commands take it.
func (w Way) Named(name string) Way {
	w.Do = strings.ReplaceAll(w.Do, "NAME", name)
	return w
}

// Is reports whether the way is that one event.
func (w Way) Is(event Event) bool { return len(w.Events) == 1 && w.Events[0] == event }

// Command reports whether what [Way.Do] says can be run, not only published.
func Command(do string) bool { return !strings.HasPrefix(do, "a ") }

// Argument returns a name as a command for people may have it. One that a shell would
// read in another way, which is no name in Kubernetes either, becomes the placeholder.
func Argument(name, placeholder string) string {
	if strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789.-") != "" || strings.HasPrefix(name, "-") || name == "" {
		return placeholder
	}
	return name
}
