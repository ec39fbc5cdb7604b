package wave

import (
	"container/heap"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// simulation is kustomize-controller at work.
type simulation struct {
	fleet *Fleet
	*relations
	now      time.Duration
	timers   timers
	set      int // timers, to keep the order of those of one time; at most those of patience
	all      []*kustomization
	releases []*course
	named    map[string]*kustomization // the first of each name
	courses  map[string]*course        // the first of each name
	sources  map[string]*source
	queue    []*kustomization // that wait for a worker
	busy     int              // workers
	steps    []Step
	last     time.Duration  // the time of the last event
	stirring *kustomization // that kept it from being settled when that was asked last
	worn     bool           // a Kustomization has failed often enough, or for good
}

// source is a source of content.
type source struct {
	// versions are those of the releases, for each revision.
	versions []map[string]forecast.Version
}

func (s *source) revision() int { return len(s.versions) }

func newSimulation(fleet *Fleet) *simulation {
	first := map[string]forecast.Version{}
	if fleet.Fresh {
		first = fleet.First
	}
	s := &simulation{fleet: fleet, sources: map[string]*source{}, named: map[string]*kustomization{}, courses: map[string]*course{}}
	for i := range fleet.Kustomizations {
		k := &kustomization{Kustomization: &fleet.Kustomizations[i], suspended: fleet.Kustomizations[i].Suspend, due: none, blocked: none}
		s.all = append(s.all, k)
		if s.named[k.Name] == nil {
			s.named[k.Name] = k
		}
		if s.sources[k.Source] == nil {
			s.sources[k.Source] = &source{versions: []map[string]forecast.Version{first}}
		}
	}
	for i := range fleet.Releases {
		r := newCourse(&fleet.Releases[i], fleet)
		s.releases = append(s.releases, r)
		if s.courses[r.Name] == nil {
			s.courses[r.Name] = r
		}
	}
	s.relations = relate(s.all, s.releases)
	for _, e := range fleet.Events {
		s.last = max(s.last, e.At.Duration)
		s.after(e.At.Duration, func() { s.happen(e) })
	}
	return s
}

// patience is how many timers are set in a run. Real fleets need less than 60,000; intervals of milliseconds would
// need any number.
const patience = 200_000

// exhausted reports whether a run ended although there was more to see.
func (s *simulation) exhausted() bool { return s.set >= patience }

// run lets happen what happens, until the fleet's time is over or enough has been seen.
func (s *simulation) run(enough func() bool) {
	s.begin()
	for len(s.timers) > 0 && s.timers[0].at <= s.fleet.Until.Duration && !enough() && !s.exhausted() {
		next := heap.Pop(&s.timers).(timer)
		s.now = next.at
		next.do()
	}
}

// begin sets the start: nothing, or everything ready.
func (s *simulation) begin() {
	for _, k := range s.all {
		switch {
		case !s.fleet.Fresh:
			k.exists, k.ready, k.end, k.healthy, k.applied = true, true, Ready, 1, []time.Duration{0}
			s.again(k, k.Interval.Duration)
		case k.Parent == "":
			s.after(0, func() { s.create(k) })
		}
	}
	for _, r := range s.releases {
		if r.Course == nil && len(r.DependsOn) > 0 && r.Interval.Duration > 0 {
			s.after(r.Interval.Duration, func() { s.watch(r) })
		}
	}
}

// after lets something happen after a time.
func (s *simulation) after(wait time.Duration, do func()) {
	s.set++
	heap.Push(&s.timers, timer{s.now + wait, s.set, do})
}

// happen lets an event happen.
func (s *simulation) happen(e Event) {
	switch e.What {
	case Commit:
		s.commit(s.sources[e.On], e)
	case Suspend, Resume:
		if k := s.find(e.On); k != nil {
			k.suspended = e.What == Suspend
			s.enqueue(k)
		}
	case Reconcile:
		if k := s.find(e.On); k != nil {
			s.enqueue(k)
		}
	}
}

// commit offers a revision. Who waits in a circle keeps the controller from telling any
// Kustomization of the source: each sees it at its next look.
// Source: requestsForRevisionChangeOf and sortAndEnqueue in kustomization_indexers.go.
func (s *simulation) commit(from *source, e Event) {
	if from == nil {
		return
	}
	versions := map[string]forecast.Version{}
	for name, v := range from.versions[len(from.versions)-1] {
		versions[name] = v
	}
	for name, v := range e.Versions {
		versions[name] = v
	}
	from.versions = append(from.versions, versions)
	var told []*kustomization
	for _, k := range s.all {
		if k.exists && s.sources[k.Source] == from {
			told = append(told, k)
		}
	}
	sorted, ok := s.sort(told, from)
	if !ok {
		return
	}
	for _, k := range sorted {
		s.enqueue(k)
	}
}

// sort sorts the Kustomizations of a source behind those that they depend on, whatever the source of these; false if they
// do so in a circle.
func (s *simulation) sort(all []*kustomization, from *source) ([]*kustomization, bool) {
	var sorted []*kustomization
	marks := map[*kustomization]int{}
	var visit func(k *kustomization) bool
	visit = func(k *kustomization) bool {
		marks[k] = 1
		for _, name := range k.DependsOn {
			on := s.find(name)
			switch {
			case on == nil || marks[on] == 2:
			case s.sources[on.Source] != from: // it is told, too
				marks[on] = 2
				sorted = append(sorted, on)
			case marks[on] == 1 || !visit(on):
				return false
			}
		}
		marks[k] = 2
		sorted = append(sorted, k)
		return true
	}
	for _, k := range all {
		if marks[k] == 0 && !visit(k) {
			return nil, false
		}
	}
	return sorted, true
}

// find returns a Kustomization by its name, nil if there is none.
func (s *simulation) find(name string) *kustomization {
	if k := s.named[name]; k != nil && k.exists {
		return k
	}
	return nil
}
