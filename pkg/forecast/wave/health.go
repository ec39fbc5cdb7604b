package wave

import (
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// course is a release over time.
type course struct {
	*Release
	*forecast.Course // nil of one that stays as it is
	exists           bool
	wanted           forecast.Version // what was published last
	held             bool             // it waits for a release that it depends on, and so is not ready
}

func newCourse(r *Release, f *Fleet) *course {
	c := &course{Release: r, exists: !f.Fresh && !r.Fresh, wanted: forecast.Old}
	scenario, opts := r.Scenario, r.Options
	over, touched := time.Duration(-1), !c.exists
	for _, e := range f.Events {
		if e.What == Heal && e.On == r.Name {
			over = e.At.Duration
		}
		_, named := e.Versions[r.Name]
		touched = touched || named
	}
	if scenario.Name == "" {
		scenario, opts = forecast.Until(!c.exists, r.Refused, over)
	}
	if touched {
		c.Course = forecast.NewCourse(r.Settings, r.Controller, scenario, opts)
	}
	return c
}

// publish lets a commit reach a release, once the releases that it depends on are ready.
func (s *simulation) publish(r *course, version forecast.Version) {
	if r.exists && r.wanted == version {
		return
	}
	r.exists, r.wanted = true, version
	if !r.held {
		s.offer(r)
	}
}

// offer publishes what is wanted of a release, or looks again later.
func (s *simulation) offer(r *course) {
	if r.held = s.waits(r); r.held {
		s.after(requeueDependency, func() { s.offer(r) })
		return
	}
	r.Publish(s.now, r.wanted)
	s.changed("HelmRelease/" + r.Name)
}

// waits reports whether a release depends on one that is not ready.
func (s *simulation) waits(r *course) bool {
	return slices.ContainsFunc(r.DependsOn, func(name string) bool { return s.courses[name].healthAt(s.now) != forecast.Current })
}

// watch has a release that nobody changes look at what it depends on: at its interval, and as long as that is not
// ready it is not ready either and looks again sooner.
// Source: reconcileRelease in helmrelease_controller.go of helm-controller.
func (s *simulation) watch(r *course) {
	wait := r.Interval.Duration
	if held := s.waits(r); held != r.held {
		r.held = held
		s.changed("HelmRelease/" + r.Name)
	}
	if r.held {
		wait = requeueDependency
	}
	s.after(wait, func() { s.watch(r) })
}

// health returns what is seen of an object. What is not there is in progress, and so is a
// Kustomization that is not ready.
// Source: Compute of kstatus in fluxcd/cli-utils.
func (s *simulation) health(target string) forecast.Health {
	kind, name, _ := strings.Cut(target, "/")
	if kind == "Kustomization" {
		if k := s.find(name); k != nil && k.ready {
			return forecast.Current
		}
		return forecast.InProgress
	}
	return s.courses[name].healthAt(s.now)
}

// healthAt returns what is seen of a release, nil if there is none.
func (r *course) healthAt(now time.Duration) forecast.Health {
	switch {
	case r == nil || !r.exists || r.held:
		return forecast.InProgress
	case r.Course == nil:
		return forecast.Current
	}
	return r.Health(now)
}

// next returns when the health of an object changes by itself; none if something else must happen first.
func (s *simulation) next(target string) time.Duration {
	name, is := strings.CutPrefix(target, "HelmRelease/")
	if r := s.courses[name]; is && r != nil && r.Course != nil && r.exists && !r.held {
		return r.Next(s.now)
	}
	return none
}

// changed has health checks look, at their next time, at an object that has changed.
func (s *simulation) changed(target string) {
	for _, k := range s.checking[target] {
		if k.check != nil {
			s.look(k, k.check, s.now)
		}
	}
}
