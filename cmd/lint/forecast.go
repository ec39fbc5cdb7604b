package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline/predict"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
)

// forecaster are the flags of the command forecast.
type forecaster struct {
	source
	predict.Options
	list    bool
	compare bool
	base    string
	ascii   bool
}

func newForecast(std streams) *cobra.Command {
	f := &forecaster{}
	cmd := &cobra.Command{
		Use:   "forecast [PATH...]",
		Short: "Show what helm-controller will do when a release fails",
		Long: `Show, step by step, what helm-controller will do with each HelmRelease below PATH
(default: the working directory) in every scenario, or in those of --scenario:
which actions it takes and when, how it ends, what runs then, and whether a
human is needed. "-" reads manifests from standard input.

--then adds what happens afterwards: the fix fails too, or somebody runs
"flux reconcile --reset". Several events happen one after the other.

An attempt fails after its timeout, or after --fail-after. Where several releases
are shown in every scenario, the text has one line per scenario, once for all
releases that behave alike.`,
		Example: `  flux-remedy forecast --release apps/shop --scenario upgrade-fails
  flux-remedy forecast --release apps/shop -o html > forecast.html
  flux-remedy forecast --scenarios
  flux-remedy forecast --release apps/shop --scenario install-fails --then fix-fails --then reset
  flux-remedy forecast --compare old.yaml new.yaml
  flux-remedy forecast --base main --scenario upgrade-fails`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), std, args) },
	}
	f.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.Release, "release", "", "only releases whose `NAMESPACE/NAME` or name matches; globs are allowed")
	flags.StringSliceVar(&f.Scenarios, "scenario", nil, "only the scenario of that `NAME`; repeatable")
	flags.StringSliceVar(&f.Then, "then", nil, "`EVENT` that happens after the scenario; repeatable")
	flags.BoolVar(&f.list, "scenarios", false, "list the scenarios and events, and exit")
	flags.IntVar(&f.Run.MaxSteps, "max-steps", 12, "show at most `N` steps of what never ends")
	flags.DurationVar(&f.Run.FailAfter, "fail-after", 0, "an install or upgrade fails after this `DURATION` (default: its timeout)")
	flags.DurationVar(&f.Run.Outage, "outage", 10*time.Minute, "an outage lasts this `DURATION`")
	flags.BoolVar(&f.compare, "compare", false, "compare two paths: before and after")
	flags.StringVar(&f.base, "base", "", "compare with a revision `REV` of the Git repository")
	flags.StringVarP(&f.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(timeline.Formats(), ", "))
	flags.BoolVar(&f.ascii, "ascii", false, "use no symbols beyond ASCII")
	usage.Exclude(cmd, "compare", "base")
	usage.Complete(cmd, "output", timeline.Formats())
	usage.Complete(cmd, "scenario", predict.Names())
	usage.Complete(cmd, "then", predict.Events())
	return cmd
}

func (f *forecaster) run(ctx context.Context, std streams, paths []string) error {
	if f.list {
		return predict.List(std.out)
	}
	if err := f.Check(); err != nil {
		return err
	}
	sides, err := f.sides(ctx, std, paths)
	if err != nil {
		return err
	}
	width, _ := terminal.Size(std.out)
	err = f.Write(std.out, timeline.Options{
		Color: terminal.Colored(std.out, os.Getenv), Width: width,
		Unicode: !f.ascii && terminal.Unicode(os.Getenv),
	}, sides...)
	switch {
	case errors.Is(err, predict.ErrNothing) && f.Release != "":
		return f.nothing("no HelmRelease matches --release " + f.Release)
	case errors.Is(err, predict.ErrNothing):
		return f.nothing(err.Error())
	case errors.Is(err, predict.ErrUnread):
		return &exitError{code: exitFailure} // what was written says which
	}
	return err
}

// sides returns what is forecast; in a comparison, after what it is compared with.
func (f *forecaster) sides(ctx context.Context, std streams, paths []string) ([]predict.Side, error) {
	if f.compare {
		if len(paths) != 2 {
			return nil, errors.New("--compare wants two paths: before and after")
		}
		return []predict.Side{f.side(ctx, std, paths[0], onDisk(std), paths[:1]), f.side(ctx, std, paths[1], onDisk(std), paths[1:])}, nil
	}
	paths = orHere(paths)
	now := f.side(ctx, std, "now", onDisk(std), paths)
	if f.base == "" {
		return []predict.Side{now}, nil
	}
	base, name, err := load.InRevision(ctx, paths, f.base)
	if err != nil {
		return nil, fmt.Errorf("--base: %w", err)
	}
	return []predict.Side{f.side(ctx, std, name, base, paths), now}, nil
}

func (f *forecaster) side(ctx context.Context, std streams, name string, from load.Snapshot, paths []string) predict.Side {
	return predict.Side{Name: name, Read: func() (*effective.Tree, error) {
		engine, err := f.Engine(ctx, from, paths[0])
		if err != nil {
			return nil, err
		}
		read, err := f.Load(ctx, std.process(), engine, from, paths)
		return read.Tree, err
	}}
}
