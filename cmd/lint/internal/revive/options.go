package revive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/snapshot"
)

// Options say what is revived, and how.
type Options struct {
	live.Access
	// Releases are NAMESPACE/NAME, or NAME for Namespace or that of the context.
	Releases  []string
	Namespace string
	// AllStuck means all releases that need a human, of Namespace or of all.
	AllStuck bool
	// Yes acts. Without it the plan is only shown.
	Yes bool
	// AtOnce is how many releases are tried at once, Wait how long for each, and Pause the
	// time between two looks at one.
	AtOnce      int
	Wait, Pause time.Duration
	// KeepGoing begins others after one that failed again.
	KeepGoing bool
	// Config is the file of the configuration, which says which helm-controller runs; empty for
	// the one around the working directory.
	Config string
	Now    func() time.Time
	// Extend is told for how long the command waits at most; nil if nobody asks.
	Extend func(time.Duration)
}

// most is how many releases may be tried at once: each may hold a worker of helm-controller
// until its timeout.
const most = 20

// check returns an error about options that cannot be followed.
func (o *Options) check() error {
	switch {
	case o.AllStuck == (len(o.Releases) > 0):
		return errors.New("want NAMESPACE/NAME of releases, or --all-stuck")
	case o.AtOnce < 1 || o.AtOnce > most:
		return fmt.Errorf("--at-once %d: want 1 to %d", o.AtOnce, most)
	case o.Wait <= 0:
		return fmt.Errorf("--wait %s: want a duration such as 15m", o.Wait)
	}
	return nil
}

// ErrNone is that a release that is named is not there.
var ErrNone = errors.New("no HelmRelease of that name was found")

// Run shows the plan and, if it is told to act, carries it out. It reports whether all
// releases that were asked for are Ready at the end.
func (o *Options) Run(ctx context.Context, out io.Writer, from snapshot.Snapshot) (ready bool, err error) {
	if err := o.check(); err != nil {
		return false, err
	}
	config, err := from.Config(o.Config, ".")
	if err != nil {
		return false, err
	}
	c, err := o.Open()
	if err != nil {
		return false, err
	}
	r := &runner{
		Cluster: c, by: incident.Source{Config: config.Config, Cluster: c.Name, Now: o.Now()}, now: o.Now,
		atOnce: o.AtOnce, wait: o.Wait, pause: o.Pause, keepGoing: o.KeepGoing, out: out, count: map[result]int{},
	}
	steps, unread := o.plan(ctx, r)
	if steps == nil {
		return false, unread
	}
	write(out, steps)
	ready, err = o.carryOut(ctx, r, steps)
	return ready, errors.Join(err, unread)
}

// carryOut does what a plan says, or says how it would be done.
func (o *Options) carryOut(ctx context.Context, r *runner, steps []Step) (ready bool, err error) {
	doing, idle := tally(steps)
	switch {
	case len(steps) == 0:
		fmt.Fprintf(r.out, "no HelmRelease is stuck in cluster %s\n", r.Label())
	case doing > 0 && !o.Yes:
		fmt.Fprintln(r.out, "\nNothing was done. Mend the cause first, then add --yes")
		return false, nil
	case doing > 0:
		if o.Extend != nil {
			o.Extend(time.Duration(doing) * o.Wait)
		}
		fmt.Fprintln(r.out)
		r.run(ctx, steps)
		fmt.Fprintln(r.out, r.summary())
	}
	if r.count[unknown] > 0 {
		err = errors.New("the cluster could not be asked")
	}
	return idle == 0 && r.count[revived] == doing, err
}

// tally counts the steps that do something, and those that do nothing although their
// release is not Ready.
func tally(steps []Step) (doing, idle int) {
	for _, s := range steps {
		if s.Do != "" {
			doing++
		} else if !s.Ready {
			idle++
		}
	}
	return doing, idle
}
