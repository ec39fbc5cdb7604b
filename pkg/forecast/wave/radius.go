package wave

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Radius is what a failing release holds up.
type Radius struct {
	// Lanes are the Kustomizations that are not ready meanwhile: first the one that applies the release, then
	// those above it, then those that depend on them.
	Lanes []Lane `json:"lanes"`
	// Releases are those below the Kustomizations that wait for another one: no commit reaches them.
	Releases []string `json:"releases"`
	// Dependents are other releases that wait for it, because they depend on it or on such a one.
	Dependents []string `json:"dependents,omitempty"`
	// For is how long, from the commit on; zero if it goes on as long as the cause does, or longer: until a
	// human acts if NeedsHuman.
	For        release.Duration `json:"for,omitzero"`
	NeedsHuman bool             `json:"needsHuman,omitempty"`
	// Late is how long a later commit to the release, such as the fix, waits at the most until its
	// Kustomization applies it.
	Late release.Duration `json:"late,omitzero"`
	// Unknown says what of it is not known, because the tree does not show it.
	Unknown []string `json:"unknown,omitempty"`
}

// limit ends a wave that is of no other end.
const limit = 30 * 24 * time.Hour

// RadiusOf returns what a release of a fleet holds up in a scenario, with the settings and the controller that it is given
// here; false if the scenario does not begin with a commit. The fleet is as it is before, without events.
func RadiusOf(fleet Fleet, links Links, r Release, scenario forecast.Scenario, opts forecast.Options) (Radius, bool) {
	if !scenario.Published() {
		return Radius{}, false
	}
	dependents := fleet.dependents(r.Name)
	part, at := fleet.around(r.Name, dependents, links)
	at.Settings, at.Controller = r.Settings, r.Controller
	out := part.radius(at, scenario, opts)
	out.depend(dependents, *at, scenario, opts)
	return out, true
}

// depend adds the releases that depend on one while it is not ready.
func (r *Radius) depend(on map[string]bool, at Release, scenario forecast.Scenario, opts forecast.Options) {
	for _, name := range r.Releases {
		delete(on, name)
	}
	end := forecast.Run(at.Settings, at.Controller, scenario, opts).Outcome
	usual := forecast.Run(at.Settings, at.Controller, scenario.Untroubled(), opts).Outcome
	if len(on) == 0 || end.End == forecast.Ready && end.After.Duration <= usual.After.Duration {
		return
	}
	r.Dependents = slices.Sorted(maps.Keys(on))
	switch {
	case end.End != forecast.Ready:
		r.For.Duration, r.NeedsHuman = 0, end.NeedsHuman
	case len(r.Lanes) == 0 || r.For.Duration > 0:
		r.For.Duration = max(r.For.Duration, end.After.Duration)
	}
}

// radius returns what one of the releases of a fleet holds up in it.
func (f Fleet) radius(at *Release, scenario forecast.Scenario, opts forecast.Options) Radius {
	f.commit(at, scenario, opts)
	f.trouble(at, scenario)
	troubled := f.follow()
	out := troubled.radius(at.Parent, sync.OnceValue(func() []Lane {
		at.Scenario = scenario.Untroubled()
		return f.follow().lanes()
	}))
	if troubled.exhausted() {
		out.For.Duration = 0
		out.Unknown = append(out.Unknown, fmt.Sprintf("what happens after %s, as they are reconciled too often", forecast.Readable(troubled.now.Round(time.Second))))
	}
	out.NeedsHuman = out.For.Duration == 0 && len(out.Lanes) > 0 && forecast.Run(at.Settings, at.Controller, scenario, opts).Outcome.NeedsHuman
	return out
}

// commit adds the commit that a scenario begins with.
func (f *Fleet) commit(at *Release, scenario forecast.Scenario, opts forecast.Options) {
	at.Fresh, at.Options = scenario.Installs(), opts
	source := f.source(at.Parent)
	f.Events = []Event{{What: Commit, On: source, Versions: map[string]forecast.Version{at.Name: forecast.New}}}
	for _, other := range slices.Sorted(maps.Keys(f.sources())) {
		if other != source { // that commits arrive from elsewhere, too
			f.Events = append(f.Events, Event{At: release.Duration{Duration: time.Minute}, What: Commit, On: other})
		}
	}
}

// trouble adds what goes wrong with the release after the commit, and the commits that follow.
func (f *Fleet) trouble(at *Release, scenario forecast.Scenario) {
	at.Scenario = scenario.WithoutCommits()
	for _, c := range forecast.Commits(at.Settings, at.Controller, scenario, at.Options) {
		e := Event{What: Commit, On: f.source(at.Parent), Versions: map[string]forecast.Version{at.Name: c.Version}}
		e.At.Duration = c.At
		f.Events = append(f.Events, e)
	}
}

// follow simulates a fleet until there is no more to see.
func (f Fleet) follow() *simulation {
	f.Until.Duration = limit
	s := newSimulation(&f)
	s.run(s.settled)
	return s
}

// radius reads the lanes from the steps. What the commits take as usual, without any trouble, is none.
func (s *simulation) radius(own string, usual func() []Lane) Radius {
	out := Radius{Lanes: []Lane{}, Releases: []string{}}
	open := false
	for i, lane := range s.lanes() {
		if len(lane.Stretches) == 0 || !lane.Open && lane.within(usual()[i]) {
			continue
		}
		out.Lanes = append(out.Lanes, lane)
		out.For.Duration = max(out.For.Duration, lane.ends())
		open = open || lane.Open
		if lane.Waits {
			for _, r := range s.below[lane.Kustomization] {
				out.Releases = append(out.Releases, r.Name)
			}
		}
	}
	if open {
		out.For.Duration = 0
	}
	out.Late.Duration = s.late(own)
	slices.SortStableFunc(out.Lanes, func(a, b Lane) int { return rank(a, own) - rank(b, own) })
	return out
}

// late returns how long a commit to a Kustomization waits at the most until it is applied.
func (s *simulation) late(name string) time.Duration {
	k, longest, revision := s.find(name), time.Duration(0), 0
	for _, e := range s.fleet.Events {
		if e.What != Commit || e.On != k.Source {
			continue
		}
		if revision++; revision < len(k.applied) {
			longest = max(longest, k.applied[revision]-e.At.Duration-applying)
		}
	}
	return longest
}

// Waiting counts the Kustomizations that wait for another one.
func (r Radius) Waiting() int {
	n := 0
	for _, l := range r.Lanes {
		if l.Waits {
			n++
		}
	}
	return n
}

// String says in a line what is held up, without a full stop; empty if nothing is.
func (r Radius) String() string {
	if len(r.Lanes)+len(r.Dependents) == 0 {
		return ""
	}
	long := "as long as the cause lasts"
	switch {
	case r.For.Duration > 0:
		long = "for " + forecast.Readable(r.For.Duration)
	case r.NeedsHuman:
		long = "until someone acts"
	}
	var held []string
	if n := r.Waiting(); n > 0 {
		what := counted(n, "Kustomization")
		if len(r.Releases) > 0 {
			what = counted(len(r.Releases), "release") + " in " + what
		}
		held = append(held, what)
	}
	if n := len(r.Dependents); n > 0 {
		held = append(held, counted(n, "release")+" by dependsOn")
	}
	if len(held) > 0 {
		return fmt.Sprintf("holds up %s %s%s", strings.Join(held, " and "), long, r.delay())
	}
	names := make([]string, len(r.Lanes))
	for i, l := range r.Lanes {
		names[i] = l.Kustomization
	}
	noun := "Kustomization"
	verb := "is"
	if len(names) > 1 {
		noun, verb = "Kustomizations", "are"
	}
	return fmt.Sprintf("%s %s %s not ready %s%s", noun, strings.Join(names, ", "), verb, long, r.delay())
}

// delay says that commits wait, if they do.
func (r Radius) delay() string {
	if r.Late.Duration < polling {
		return ""
	}
	return ", and the next commit is applied " + forecast.Readable(r.Late.Duration) + " late"
}

func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
