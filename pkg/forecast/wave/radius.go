package wave

import (
	"fmt"
	"maps"
	"slices"
	"strings"
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

// Lane is a Kustomization while it is not ready.
type Lane struct {
	Kustomization string `json:"kustomization"`
	// Waits reports whether it waits for another one, before it applies anything.
	Waits     bool      `json:"waits"`
	For       []string  `json:"waitsFor"`
	Stretches []Stretch `json:"stretches"`
}

// Stretch is time in which a Kustomization does the same.
type Stretch struct {
	From  release.Duration `json:"from"`
	To    release.Duration `json:"to"`
	Doing Doing            `json:"doing"`
}

// Doing is what a Kustomization does.
type Doing string

// It checks the health of what it has applied, and holds a worker; it has failed, and is tried again at
// the end; or it is blocked by a dependency.
const (
	Checking Doing = "checking"
	Failing  Doing = "failed"
	Blocked  Doing = "blocked"
)

// limit ends a wave that is of no other end.
const limit = 30 * 24 * time.Hour

// repeats is how many failures of a Kustomization show that it goes on so.
const repeats = 3

// RadiusOf returns what a release of a fleet holds up in a scenario; false if the scenario does not
// begin with a commit. The fleet is as it is before, without events.
func RadiusOf(fleet Fleet, name string, scenario forecast.Scenario, opts forecast.Options) (Radius, bool) {
	if !scenario.Published() {
		return Radius{}, false
	}
	part, at := fleet.around(name)
	if at == nil {
		return Radius{}, true
	}
	at.Fresh, at.Options = scenario.Installs(), opts
	source := part.source(at.Parent)
	part.Events = []Event{{What: Commit, On: source, Versions: map[string]forecast.Version{name: forecast.New}}}
	for _, other := range slices.Sorted(maps.Keys(part.sources())) {
		if other != source { // that commits arrive from elsewhere, too
			part.Events = append(part.Events, Event{At: release.Duration{Duration: time.Minute}, What: Commit, On: other})
		}
	}
	at.Scenario = scenario.Untroubled()
	usual := part.follow()
	at.Scenario = scenario.WithoutCommits()
	for _, c := range forecast.Commits(at.Settings, at.Controller, scenario, opts) {
		e := Event{What: Commit, On: source, Versions: map[string]forecast.Version{name: c.Version}}
		e.At.Duration = c.At
		part.Events = append(part.Events, e)
	}
	troubled := part.follow()
	out := troubled.radius(at.Parent, usual)
	if troubled.exhausted() {
		out.For.Duration = 0
		out.Unknown = append(out.Unknown, fmt.Sprintf("what happens after %s, as they are reconciled too often", forecast.Readable(troubled.now.Round(time.Second))))
	}
	out.NeedsHuman = out.For.Duration == 0 && len(out.Lanes) > 0 && forecast.Run(at.Settings, at.Controller, scenario, opts).Outcome.NeedsHuman
	return out, true
}

// follow simulates a fleet until there is no more to see.
func (f Fleet) follow() *simulation {
	f.Until.Duration = limit
	s := newSimulation(&f)
	s.run(s.settled)
	return s
}

// around returns the part of a fleet that a release can hold up, and the release in it; nil if nothing
// waits for it.
func (f Fleet) around(name string) (Fleet, *Release) {
	out := Fleet{Controller: f.Controller}
	out.Controller.Concurrent = len(f.Kustomizations) + 1
	i := slices.IndexFunc(f.Releases, func(r Release) bool { return r.Name == name })
	if i < 0 {
		return out, nil
	}
	in := map[string]bool{f.Releases[i].Parent: true}
	for grown := true; grown; {
		grown = false
		for _, k := range f.Kustomizations {
			touches := in[k.Name] || slices.ContainsFunc(k.DependsOn, func(on string) bool { return in[on] }) ||
				slices.ContainsFunc(f.Kustomizations, func(child Kustomization) bool { return in[child.Name] && f.waits(k, child) })
			if touches && !in[k.Name] {
				in[k.Name], grown = true, true
			}
		}
	}
	for _, k := range f.Kustomizations {
		if in[k.Name] {
			k.DependsOn = slices.DeleteFunc(slices.Clone(k.DependsOn), func(on string) bool { return !in[on] })
			out.Kustomizations = append(out.Kustomizations, k)
		}
	}
	for _, r := range f.Releases {
		if in[r.Parent] {
			r.DependsOn = nil
			out.Releases = append(out.Releases, r)
		}
	}
	at := slices.IndexFunc(out.Releases, func(r Release) bool { return r.Name == name })
	return out, &out.Releases[at]
}

// waits reports whether a Kustomization waits for the health of another one.
func (f Fleet) waits(k, child Kustomization) bool {
	return k.Wait && child.Parent == k.Name || !k.Wait && slices.Contains(k.Checks, "Kustomization/"+child.Name)
}

func (f Fleet) sources() map[string]bool {
	out := map[string]bool{}
	for _, k := range f.Kustomizations {
		out[k.Source] = true
	}
	return out
}

func (f Fleet) source(kustomization string) string {
	for _, k := range f.Kustomizations {
		if k.Name == kustomization {
			return k.Source
		}
	}
	return ""
}

// settled reports whether there is no more to see: all is ready, or what fails has shown that it goes on.
func (s *simulation) settled() bool {
	if s.now <= s.last() {
		return false
	}
	for _, r := range s.releases {
		if r.Course != nil && (r.Health(s.now) == forecast.InProgress && !r.Over()) {
			return false
		}
	}
	open, shown := 0, 0
	for _, k := range s.all {
		switch {
		case k.ready || k.suspended:
		case k.failures >= repeats:
			shown++
		case k.end != Dependency:
			return false
		default:
			open++
		}
	}
	return open == 0 || shown > 0
}

// last returns when the last event happens.
func (s *simulation) last() time.Duration {
	last := time.Duration(0)
	for _, e := range s.fleet.Events {
		last = max(last, e.At.Duration)
	}
	return last
}

// radius reads the lanes from the steps. What a commit takes as usual, without any trouble, is none.
func (s *simulation) radius(own string, usual *simulation) Radius {
	out := Radius{Lanes: []Lane{}, Releases: []string{}}
	open := false
	for i, k := range s.all {
		lane := s.lane(k)
		if len(lane.Stretches) == 0 || k.ready && lane.ends() <= usual.lane(usual.all[i]).ends()+polling {
			continue
		}
		out.Lanes = append(out.Lanes, lane)
		out.For.Duration = max(out.For.Duration, lane.ends())
		open = open || !k.ready
		if lane.Waits {
			for _, r := range s.releases {
				if r.Parent == k.Name {
					out.Releases = append(out.Releases, r.Name)
				}
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

// rank orders lanes: the Kustomization of the release, those above it, those that wait for them.
func rank(l Lane, own string) int {
	switch {
	case l.Kustomization == own:
		return 0
	case !l.Waits:
		return 1
	}
	return 2
}

// lane returns what a Kustomization does while it is not ready.
func (s *simulation) lane(k *kustomization) Lane {
	out := Lane{Kustomization: k.Name, For: []string{}}
	var since time.Duration
	doing := Doing("")
	add := func(to time.Duration) {
		if doing != "" && to > since {
			out.Stretches = append(out.Stretches, Stretch{release.Duration{Duration: since}, release.Duration{Duration: to}, doing})
		}
		since = to
	}
	for _, step := range s.steps {
		if step.Kustomization != k.Name {
			continue
		}
		add(step.Began.Duration)
		if step.End != Dependency {
			doing = Checking
			add(step.At.Duration)
		}
		doing = map[End]Doing{Unhealthy: Failing, Canceled: Failing, Dependency: Blocked}[step.End]
		out.Waits = out.Waits || step.End == Dependency
		for _, what := range step.For {
			if !slices.Contains(out.For, what) {
				out.For = append(out.For, what)
			}
		}
	}
	if k.check != nil {
		add(k.began)
		doing = Checking
	}
	add(s.now)
	out.Stretches = slices.DeleteFunc(out.Stretches, func(s Stretch) bool { // it was ready as soon as it was applied
		return s.Doing == Checking && s.To.Duration-s.From.Duration <= 2*applying
	})
	return out
}

// ends returns when it is ready again, zero if it always was.
func (l Lane) ends() time.Duration {
	if n := len(l.Stretches); n > 0 {
		return l.Stretches[n-1].To.Duration
	}
	return 0
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
	if len(r.Lanes) == 0 {
		return ""
	}
	long := "as long as the cause lasts"
	switch {
	case r.For.Duration > 0:
		long = "for " + forecast.Readable(r.For.Duration)
	case r.NeedsHuman:
		long = "until someone acts"
	}
	if n := r.Waiting(); n > 0 {
		what := counted(n, "Kustomization")
		if len(r.Releases) > 0 {
			what = counted(len(r.Releases), "release") + " in " + what
		}
		return fmt.Sprintf("holds up %s %s%s", what, long, r.delay())
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
