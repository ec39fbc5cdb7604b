package wave

import (
	"cmp"
	"time"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/pkg/release"
)

// The versions of kustomize-controller that behave otherwise than those before them.
const (
	oneEntry    = "1.8.0" // its queue has one entry for each object
	restCounts  = "1.8.0" // without failing early, a health check ends once nothing is in progress
	interrupted = "1.8.0" // a request interrupts a health check, with the gate for it
)

// none is the time of what does not happen.
const none = time.Duration(-1)

// merges reports whether the queue has one entry for each object: what is asked for now takes
// the place of what was asked for later. Before controller-runtime 0.23 a delayed request was kept beside
// it, so that a Kustomization was looked at once more.
func (c *Controller) merges() bool { return c.atLeast(oneEntry) }

// gives reports whether a health check gives up for a failed object; rest reports whether nothing else is in
// progress any more, which did not matter before 1.8.
func (c *Controller) gives(rest bool) bool { return !c.Patient || rest && c.atLeast(restCounts) }

func (c *Controller) atLeast(version string) bool {
	return semver.Compare("v"+cmp.Or(c.Version, "1.9.5"), "v"+version) >= 0
}

// enqueue asks for a reconcile now. One that runs is repeated, or canceled and repeated.
func (s *simulation) enqueue(k *kustomization) {
	if s.fleet.Controller.merges() {
		k.due = none
	}
	switch {
	case k.running:
		k.again = true
		s.interrupt(k)
	case !k.queued:
		k.queued = true
		s.queue = append(s.queue, k)
		s.after(0, s.dispatch)
	}
}

// again asks for a reconcile later. The sooner of two requests counts.
func (s *simulation) again(k *kustomization, wait time.Duration) {
	at := s.now + wait
	if wait <= 0 || k.due != none && k.due <= at {
		return
	}
	k.due = at
	s.after(wait, func() {
		if k.due == at {
			k.due = none
			s.enqueue(k)
		}
	})
}

// workers returns how many there are: the default if that is not known.
func (c *Controller) workers() int {
	if c.Concurrent <= 0 {
		return release.DefaultWorkers
	}
	return c.Concurrent
}

// requeue returns after which time what finds a dependency not ready looks again.
func (c *Controller) requeue() time.Duration {
	return cmp.Or(c.RequeueDependency.Duration, requeueDependency)
}

// dispatch gives work to free workers.
func (s *simulation) dispatch() {
	for s.busy < s.fleet.Controller.workers() && len(s.queue) > 0 {
		k := s.queue[0]
		s.queue = s.queue[1:]
		k.queued, k.running = false, true
		s.busy++
		s.reconcile(k)
	}
}

// done ends a reconcile, after which the next one comes after a time; never if that is zero.
func (s *simulation) done(k *kustomization, wait time.Duration) {
	k.running, k.check = false, nil
	s.busy--
	if k.again {
		k.again = false
		s.enqueue(k)
	}
	if !k.queued || !s.fleet.Controller.merges() {
		s.again(k, wait)
	}
	s.after(0, s.dispatch)
}
