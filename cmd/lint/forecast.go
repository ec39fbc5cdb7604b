package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/predict"
	"github.com/flux-remedy/remedy/cmd/lint/internal/snapshot"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
)

// forecaster are the flags of the command forecast.
type forecaster struct {
	source
	predict.Options
	list    bool
	compare bool
	base    string
	output  string
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

Attempts are taken to fail after their effective timeout. Where several releases
are shown in every scenario, the text has one line a scenario.`,
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
	flags.IntVar(&f.Run.MaxSteps, "max-steps", 12, "show at most `N` steps of what goes on for ever")
	flags.DurationVar(&f.Run.FailAfter, "fail-after", 0, "how long an install or upgrade takes before it fails (default: its timeout)")
	flags.DurationVar(&f.Run.Outage, "outage", 10*time.Minute, "how long the outage lasts in the scenarios of one")
	flags.BoolVar(&f.compare, "compare", false, "compare two paths: before and after")
	flags.StringVar(&f.base, "base", "", "compare with a revision `REV` of the Git repository")
	flags.StringVarP(&f.output, "output", "o", "text", "`FORMAT`: "+strings.Join(timeline.Formats(), ", "))
	flags.BoolVar(&f.ascii, "ascii", false, "use no symbols beyond ASCII")
	usage.Exclude(cmd, "compare", "base")
	complete(cmd, "output", timeline.Formats())
	complete(cmd, "scenario", predict.Names())
	complete(cmd, "then", predict.Events())
	return cmd
}

func (f *forecaster) run(ctx context.Context, std streams, paths []string) error {
	if f.list {
		return predict.List(std.out)
	}
	if err := f.validate(); err != nil {
		return err
	}
	switch {
	case f.base != "":
		return f.runBase(ctx, std, orHere(paths))
	case f.compare && len(paths) != 2:
		return errors.New("--compare wants two paths: before and after")
	case f.compare:
		return f.runCompare(ctx, std, side{paths[0], onDisk(std), paths[:1]}, side{paths[1], onDisk(std), paths[1:]})
	}
	result, found, err := f.forecasts(ctx, std, onDisk(std), orHere(paths))
	if err != nil {
		return err
	}
	if found == 0 {
		return f.nothing()
	}
	opts := f.look(std)
	opts.Brief = found > 1 && len(f.Scenarios) == 0
	return timeline.Write(std.out, f.output, result, opts)
}

// validate refuses flags before anything is read.
func (f *forecaster) validate() error {
	if !slices.Contains(timeline.Formats(), f.output) {
		return fmt.Errorf("-o %s: unknown format: want %s", f.output, strings.Join(timeline.Formats(), ", "))
	}
	return f.Check()
}

func (f *forecaster) nothing() error {
	what := "no HelmRelease was found"
	if f.Release != "" {
		what = fmt.Sprintf("no HelmRelease matches --release %s", f.Release)
	}
	return f.source.nothing(what)
}

// forecasts simulates the releases below the paths, and counts them.
func (f *forecaster) forecasts(ctx context.Context, std streams, from snapshot.Snapshot, paths []string) (timeline.Report, int, error) {
	engine, err := newEngine(ctx, f.policies)
	if err != nil {
		return timeline.Report{}, 0, err
	}
	read, err := f.load(ctx, std, engine, from, paths)
	if err != nil {
		return timeline.Report{}, 0, err
	}
	return f.Report(read.tree)
}

// side is one side of a comparison: its name for people, and what is read.
type side struct {
	name  string
	from  snapshot.Snapshot
	paths []string
}

// runBase compares with a revision of the repository.
func (f *forecaster) runBase(ctx context.Context, std streams, paths []string) error {
	base, name, err := snapshot.InRevision(ctx, paths, f.base)
	if err != nil {
		return fmt.Errorf("--base: %w", err)
	}
	return f.runCompare(ctx, std, side{name, base, paths}, side{"now", onDisk(std), paths})
}

func (f *forecaster) runCompare(ctx context.Context, std streams, before, after side) error {
	old, had, err := f.forecasts(ctx, std, before.from, before.paths)
	if err != nil {
		return err
	}
	current, has, err := f.forecasts(ctx, std, after.from, after.paths)
	if err != nil {
		return err
	}
	if had+has == 0 {
		return f.nothing()
	}
	return timeline.WriteComparison(std.out, f.output, timeline.Comparisons{
		APIVersion: timeline.APIVersion, Kind: timeline.ComparisonKind, Before: before.name, After: after.name,
		Comparisons: timeline.Compare(old.Forecasts, current.Forecasts),
	}, f.look(std))
}

func (f *forecaster) look(std streams) timeline.Options {
	width, _ := terminal.Size(std.out)
	return timeline.Options{
		Color: terminal.Colored(std.out, os.Getenv), Width: width,
		Unicode: !f.ascii && terminal.Unicode(os.Getenv),
	}
}
