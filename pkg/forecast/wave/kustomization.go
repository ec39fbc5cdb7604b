package wave

import (
	"cmp"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// kustomization is one at a moment.
type kustomization struct {
	*Kustomization
	exists    bool
	suspended bool
	// ready, end and healthy are the status: the Ready condition, its reason, and
	// lastAppliedRevision, of which all was healthy.
	ready   bool
	end     End
	healthy int

	running, queued, again bool
	due                    time.Duration // of the next look, none if there is none
	blocked                time.Duration // since when it finds a dependency not ready, look after look; none if it does not
	began                  time.Duration // of the reconcile that runs
	check                  *check
	failures               int             // of health checks, since the last event
	applied                []time.Duration // when each revision was
	targets                []string        // what it waits for, by Kind/name
}

// check is a health check that runs.
type check struct {
	revision int
	began    time.Duration
	look     time.Duration // the time of the next look that is worth it
}

// Times of the controller. Applying is how long it takes from the start of a reconcile to its
// first look at the health; polling is between two looks. Finalizing is the flag --min-retry-delay,
// after which what has just got its finalizer is looked at.
const (
	applying          = 400 * time.Millisecond
	polling           = 5 * time.Second
	finalizing        = 750 * time.Millisecond
	requeueDependency = 30 * time.Second // by default
)

// create lets a Kustomization appear on the cluster.
func (s *simulation) create(k *kustomization) {
	if !k.exists {
		k.exists = true
		s.after(finalizing, func() { s.enqueue(k) })
	}
}

// reconcile starts a reconcile: nothing if it is suspended, dependencies first.
// Source: Reconcile in kustomization_controller.go.
func (s *simulation) reconcile(k *kustomization) {
	k.blocked = none
	if k.suspended || !k.exists {
		s.done(k, 0)
		return
	}
	revision := s.sources[k.Source].revision()
	if on := s.unready(k, revision); on != "" {
		if k.ready, k.began = false, s.now; k.end != Dependency {
			s.step(k, Step{End: Dependency, Revision: revision, For: []string{"Kustomization/" + on}})
		}
		s.await(k)
		return
	}
	k.ready, k.end, k.began = false, "", s.now
	s.after(applying, func() { s.apply(k, revision) })
}

// await ends a look at dependencies that are not ready. Where there is always a worker for the next look, those at
// which nothing can have changed are left out.
func (s *simulation) await(k *kustomization) {
	if s.fleet.Controller.workers() <= len(s.all) || !s.fleet.Controller.merges() {
		s.done(k, s.fleet.Controller.requeue())
		return
	}
	k.blocked = s.now
	s.done(k, 0)
}

// wake has those that wait for a Kustomization look at it, each at its next time.
func (s *simulation) wake(on *kustomization) {
	every := s.fleet.Controller.requeue()
	for _, k := range s.dependents[on.Name] {
		if k.blocked != none {
			s.again(k, every-(s.now-k.blocked)%every)
		}
	}
}

// unready returns a dependency that is not ready: its Ready condition is not true or, where both have
// one source, it has not come to the revision that is to be applied.
// Source: checkDependencies.
func (s *simulation) unready(k *kustomization, revision int) string {
	for _, name := range k.DependsOn {
		on := s.find(name)
		if on == nil || !on.ready || on.Source == k.Source && on.healthy != revision {
			return name
		}
	}
	return ""
}

// apply applies a revision, and checks the health of what is waited for.
func (s *simulation) apply(k *kustomization, revision int) {
	versions := s.sources[k.Source].versions[revision-1]
	for len(k.applied) < revision { // those that it never saw are in this one
		k.applied = append(k.applied, s.now)
	}
	for _, child := range s.children[k.Name] {
		s.create(child)
	}
	for _, r := range s.below[k.Name] {
		s.publish(r, cmp.Or(versions[r.Name], forecast.Old))
	}
	if len(k.targets) == 0 {
		s.succeed(k, revision)
		return
	}
	this := &check{revision: revision, began: s.now, look: none}
	k.check = this
	s.after(k.Timeout.Duration, func() {
		if k.check == this {
			s.fail(k, false)
		}
	})
	s.poll(k, this)
}

// poll looks at the health, and again when it may have changed.
// Source: WaitForSetWithContext in ssa of fluxcd/pkg.
func (s *simulation) poll(k *kustomization, this *check) {
	if k.check != this {
		return
	}
	health := map[forecast.Health]int{}
	for _, name := range k.targets {
		health[s.health(name)]++
	}
	switch {
	case health[forecast.Failed] > 0 && s.fleet.Controller.gives(health[forecast.InProgress] == 0):
		s.fail(k, true)
		return
	case health[forecast.InProgress] == 0 && health[forecast.Failed] == 0:
		s.succeed(k, this.revision)
		return
	}
	for _, name := range k.targets {
		if at := s.next(name); at != none {
			s.look(k, this, at)
		}
	}
}

// look has a health check look at the first of its times from a time on: every 5 seconds from its begin.
// Those at which nothing can have changed are left out.
func (s *simulation) look(k *kustomization, this *check, from time.Duration) {
	looks := max(s.now-this.began+1, from-this.began)
	at := this.began + (looks+polling-1)/polling*polling
	if at >= this.began+k.Timeout.Duration || this.look > s.now && this.look <= at {
		return
	}
	this.look = at
	s.after(at-s.now, func() { s.poll(k, this) })
}

func (s *simulation) succeed(k *kustomization, revision int) {
	k.ready, k.healthy = true, revision
	s.step(k, Step{End: Ready, Revision: revision})
	s.changed("Kustomization/" + k.Name)
	s.wake(k)
	s.done(k, k.Interval.Duration)
}

// fail ends a health check.
func (s *simulation) fail(k *kustomization, early bool) {
	s.step(k, Step{End: Unhealthy, Revision: k.check.revision, Early: early, For: s.unhealthy(k)})
	s.done(k, k.Retry.Duration)
}

// interrupt ends a health check for a new request, if the controller's gate says so: at once or, before
// 1.8, for a new revision at the next of its looks at the source, and with another try after the retry
// interval.
func (s *simulation) interrupt(k *kustomization) {
	this := k.check
	if !s.fleet.Controller.Cancels || this == nil {
		return
	}
	var wait, retry time.Duration
	end := Canceled
	if !s.fleet.Controller.atLeast(interrupted) {
		if s.sources[k.Source].revision() == this.revision {
			return
		}
		end = Unhealthy
		wait, retry = polling-(s.now-this.began)%polling, k.Retry.Duration
	}
	s.after(wait, func() {
		if k.check == this {
			s.step(k, Step{End: end, Revision: this.revision, Early: true})
			s.done(k, retry)
		}
	})
}

// step notes the end of a reconcile.
func (s *simulation) step(k *kustomization, step Step) {
	k.end = step.End
	if step.End == Unhealthy && s.now > s.last {
		k.failures++
	}
	s.worn = s.worn || k.refused() || k.failures >= repeats
	step.Kustomization, step.At.Duration, step.Began.Duration = k.Name, s.now, k.began
	s.steps = append(s.steps, step)
}

// unhealthy lists what a Kustomization waits for in vain.
func (s *simulation) unhealthy(k *kustomization) []string {
	return slices.DeleteFunc(slices.Clone(k.targets), func(name string) bool { return s.health(name) == forecast.Current })
}
