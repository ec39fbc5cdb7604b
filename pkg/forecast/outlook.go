package forecast

import (
	"reflect"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Outlook is what comes of a release on a cluster, by its status. Times count from
// the end of its last reconcile.
type Outlook struct {
	// Assumed says what is taken for granted that the status does not say. Empty: it
	// says all that matters.
	Assumed string `json:"assumed,omitempty"`
	// Now is what the cluster runs, where New is what was attempted last.
	Now Running `json:"now"`
	// Partly reports whether the API server refused what was to run, where nothing was before:
	// nothing of it, or a part, is there.
	Partly bool `json:"partly,omitempty"`
	Next   Next `json:"next"`
	// Stays, Gone and Fixed are what follows if nobody does anything: the cause of the
	// failure stays, it goes away, or a version is published that works. Of an action
	// that runs, or ran, Stays is what follows if it fails.
	Stays Timeline `json:"stays"`
	Gone  Timeline `json:"gone"`
	Fixed Timeline `json:"fixed"`
	// Ways are what a human can do that makes the release healthy once the cause is
	// gone, the mildest first. Vain are what does not.
	Ways []Way `json:"ways"`
	Vain []Way `json:"vain"`
}

// Next is when the controller looks at the release next.
type Next struct {
	// Again is false if nothing but a change or a human makes it look.
	Again bool `json:"again"`
	// Running is an action that runs now, empty if none does.
	Running Action `json:"running,omitempty"`
	// Wait is how long after the last reconcile, zero if at once. It is at least Least and at
	// most Most: the controller varies its intervals, and of a back-off Wait is an estimate, since
	// the controller forgets it when it restarts and counts what no status does.
	Wait    release.Duration `json:"wait"`
	Least   release.Duration `json:"least"`
	Most    release.Duration `json:"most"`
	Backoff bool             `json:"backoff"`
}

// Outlooks returns what comes of a release in each situation that its status allows,
// the likeliest first. Situations that come to the same are one.
func Outlooks(settings release.Settings, controller release.Controller, live *release.Live, opts Options) []Outlook {
	var all []Outlook
	for _, s := range situations(&settings, controller, live) {
		all = append(all, s.outlook(opts))
	}
	return different(all)
}

// different leaves out what differs only in what is assumed.
func different(all []Outlook) []Outlook {
	kept := all[:1]
	for _, o := range all[1:] {
		other := o
		other.Assumed = kept[0].Assumed
		if !reflect.DeepEqual(other, kept[0]) {
			kept = append(kept, o)
		}
	}
	if len(kept) == 1 {
		kept[0].Assumed = ""
	}
	return kept
}

func (s *situation) outlook(opts Options) Outlook {
	o := Outlook{
		Assumed: s.assumed, Now: s.workload.running(), Partly: s.workload.bare, Next: s.next(),
		Stays: s.follow(s.stays(opts), nil, opts), Gone: s.follow(world{over: true}, nil, opts),
		Fixed: s.follow(s.stays(opts), []Event{fixed}, opts), Ways: []Way{}, Vain: []Way{},
	}
	o.Ways, o.Vain = s.resume(s.stays(opts), opts).ways(!s.knows(Old))
	return o
}

// stays returns the world in which the cause of the failure stays.
func (s *situation) stays(opts Options) world {
	return newWorld(&Scenario{troubles: s.troubles, lacks: s.lacks}, opts)
}

// knows reports whether Helm has a record of a version.
func (s *situation) knows(version Version) bool {
	return slices.ContainsFunc(s.storage.records, func(r record) bool { return r.version == version })
}

func (s *situation) next() Next {
	wait, again := s.pending()
	n := Next{Running: s.running, Again: again || s.result == settled && s.spec.Interval.Duration > 0 && !s.spec.Suspend}
	if n.Again {
		n.Wait.Duration = wait
	}
	n.Backoff = s.result == mustRequeue || s.result == inError
	n.Least, n.Most = n.Wait, n.Wait
	switch {
	case s.result == unfinished && s.running == "": // what was put back just now waits a little
		n.Most.Duration = minRetryDelay
	case n.Backoff:
		n.Least.Duration, n.Most.Duration = minRetryDelay, maxRetryDelay
	case s.result == retryAfter, s.result == settled, s.result == atInterval, s.lacks == sourceReady:
		n.Least.Duration, n.Most.Duration = time.Duration(float64(wait)*(1-Spread)), time.Duration(float64(wait)*(1+Spread))
	}
	return n
}

// follow returns what follows in a world: at once if something happens, otherwise
// when the controller looks again.
func (s *situation) follow(around world, events []Event, opts Options) Timeline {
	c := s.resume(around, opts)
	result := s.result
	wait, again := s.pending()
	switch {
	case len(events) > 0:
		for _, e := range events {
			c.journal.happened(e.kind(), Outcome{})
			c.let(e.kind())
		}
		result = c.drive()
	case again:
		c.clock.now = wait
		result = c.drive()
	}
	return c.timeline(result, opts)
}

// Spread is how much the controller varies its intervals, either way.
const Spread = 0.05

// Longest is the longest back-off of the controller's queue.
const Longest time.Duration = maxRetryDelay
