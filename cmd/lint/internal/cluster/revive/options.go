package revive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/loss"
	"github.com/flux-remedy/remedy/pkg/release"
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
	// HelmStorage has Helm's records read, for what an uninstall deletes.
	HelmStorage bool
	// KeepGoing begins others after one that failed again.
	KeepGoing bool
	// Format is how the plan and the outcome are written.
	Format string
	Now    func() time.Time
	// Extend is told for how long the command waits at most; nil if nobody asks.
	Extend func(time.Duration)
}

// most is how many releases may be tried at once: each may hold a worker of helm-controller
// until its timeout.
const most = 20

// Check returns an error about options that cannot be followed.
func (o *Options) Check() error {
	switch {
	case !slices.Contains(Formats(), o.Format):
		return fmt.Errorf("-o %s: unknown format: want %s", o.Format, strings.Join(Formats(), ", "))
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
// releases that were asked for are Ready at the end. tree is the repository that they are
// written in; nil if it is not known.
func (o *Options) Run(ctx context.Context, out io.Writer, config judge.Configuration, tree *effective.Tree) (ready bool, err error) {
	c, err := o.Open()
	if err != nil {
		return false, err
	}
	r := &runner{
		Cluster: c, by: incident.Source{Config: config.Config, Now: o.Now(), Address: incident.Address{Context: o.Context, Kubeconfig: o.Kubeconfig}},
		opts: o, out: progress(out, o.Format), count: map[Result]int{},
	}
	if o.HelmStorage {
		r.by.Recorded = func(hr *release.Release, status *release.Live) (*loss.Release, error) {
			return c.HelmRecord(ctx, hr, status)
		}
	}
	if err := r.knows(ctx, config, tree); err != nil {
		return false, err
	}
	steps, unread := o.plan(ctx, r)
	if steps == nil {
		return false, unread
	}
	write(r.out, steps)
	ready, err = o.carryOut(ctx, r, steps)
	return ready, errors.Join(err, unread, o.report(out, c, steps))
}

// knows finds out by which helm-controller the releases are judged.
func (r *runner) knows(ctx context.Context, config judge.Configuration, tree *effective.Tree) error {
	deployment, err := r.HelmController(ctx)
	if err != nil {
		return err
	}
	r.by.On(r.Name, deployment)
	r.by.In(tree, config)
	return nil
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
		for _, batch := range batches(steps) {
			r.run(ctx, batch)
		}
		fmt.Fprintln(r.out, r.summary())
	}
	if r.count[Unknown] > 0 {
		err = errors.New("the cluster could not be asked")
	}
	return idle == 0 && r.count[Revived] == doing, err
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

// Register registers the flags that say what is revived, and how.
func (o *Options) Register(flags *pflag.FlagSet) {
	flags.BoolVar(&o.AllStuck, "all-stuck", false, "all releases that need a human")
	flags.BoolVar(&o.Yes, "yes", false, "make the requests")
	flags.IntVar(&o.AtOnce, "at-once", 1, "try `N` releases at once")
	flags.DurationVar(&o.Wait, "wait", 15*time.Minute, "wait for the outcome of a release for this `DURATION`")
	flags.BoolVar(&o.KeepGoing, "keep-going", false, "go on with other releases after one that fails again")
	flags.StringVarP(&o.Namespace, "namespace", "n", "", "releases of that `NAMESPACE` (default: that of the context; with --all-stuck all)")
	flags.StringVarP(&o.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(Formats(), ", "))
}
