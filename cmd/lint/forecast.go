package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// forecaster are the flags of the command forecast.
type forecaster struct {
	source
	release   string
	scenarios []string
	list      bool
	maxSteps  int
	failAfter time.Duration
	outage    time.Duration
	compare   bool
	base      string
	output    string
	ascii     bool
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

Attempts are taken to fail after their effective timeout. Where several releases
are shown in every scenario, the text has one line a scenario.`,
		Example: `  flux-remedy forecast --release apps/shop --scenario upgrade-fails
  flux-remedy forecast --release apps/shop -o html > forecast.html
  flux-remedy forecast --scenarios
  flux-remedy forecast --compare old.yaml new.yaml
  flux-remedy forecast --base main --scenario upgrade-fails`,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd.Context(), std, args) },
	}
	f.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.release, "release", "", "only releases whose `NAMESPACE/NAME` or name matches; globs are allowed")
	flags.StringSliceVar(&f.scenarios, "scenario", nil, "only the scenario of that `NAME`; repeatable")
	flags.BoolVar(&f.list, "scenarios", false, "list the scenarios and exit")
	flags.IntVar(&f.maxSteps, "max-steps", 12, "show at most `N` steps of what goes on for ever")
	flags.DurationVar(&f.failAfter, "fail-after", 0, "how long an install or upgrade takes before it fails (default: its timeout)")
	flags.DurationVar(&f.outage, "outage", 10*time.Minute, "how long the outage lasts in the scenarios of one")
	flags.BoolVar(&f.compare, "compare", false, "compare two paths: before and after")
	flags.StringVar(&f.base, "base", "", "compare with a revision `REV` of the Git repository")
	flags.StringVarP(&f.output, "output", "o", "text", "`FORMAT`: "+strings.Join(timeline.Formats(), ", "))
	flags.BoolVar(&f.ascii, "ascii", false, "use no symbols beyond ASCII")
	usage.Exclude(cmd, "compare", "base")
	complete(cmd, "output", timeline.Formats())
	_ = cmd.RegisterFlagCompletionFunc("scenario", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return scenarioNames(), cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

func (f *forecaster) run(ctx context.Context, std streams, paths []string) error {
	if f.list {
		return listScenarios(std.out)
	}
	scenarios, err := f.chosen()
	if err != nil {
		return err
	}
	if err := f.validate(); err != nil {
		return err
	}
	switch {
	case f.base != "":
		return f.runBase(ctx, std, orHere(paths), scenarios)
	case f.compare && len(paths) != 2:
		return errors.New("--compare wants two paths: before and after")
	case f.compare:
		return f.runCompare(ctx, std, side{paths[0], onDisk(std), paths[:1]}, side{paths[1], onDisk(std), paths[1:]}, scenarios)
	}
	result, found, err := f.forecasts(ctx, std, onDisk(std), orHere(paths), scenarios)
	if err != nil {
		return err
	}
	if found == 0 {
		return f.nothing()
	}
	opts := f.options(std)
	opts.Brief = found > 1 && len(f.scenarios) == 0
	return timeline.Write(std.out, f.output, result, opts)
}

// validate refuses flags before anything is read.
func (f *forecaster) validate() error {
	_, err := path.Match(f.release, "")
	switch {
	case err != nil:
		return fmt.Errorf("--release %s: no valid glob: want a name or a pattern such as 'apps/*'", f.release)
	case !slices.Contains(timeline.Formats(), f.output):
		return fmt.Errorf("-o %s: unknown format: want %s", f.output, strings.Join(timeline.Formats(), ", "))
	case f.maxSteps < 1:
		return fmt.Errorf("--max-steps %d: want 1 or more", f.maxSteps)
	case f.failAfter < 0 || f.outage < 0:
		return errors.New("--fail-after and --outage cannot be negative")
	}
	return nil
}

func (f *forecaster) nothing() error {
	what := "no HelmRelease was found"
	if f.release != "" {
		what = fmt.Sprintf("no HelmRelease matches --release %s", f.release)
	}
	return f.source.nothing(what)
}

// chosen returns the scenarios that are asked for, all if none is.
func (f *forecaster) chosen() ([]forecast.Scenario, error) {
	if len(f.scenarios) == 0 {
		return forecast.Scenarios(), nil
	}
	var chosen []forecast.Scenario
	for _, name := range f.scenarios {
		scenario, err := forecast.Find(name)
		if err != nil {
			return nil, fmt.Errorf("--scenario: %w: \"flux-remedy forecast --scenarios\" lists them", err)
		}
		chosen = append(chosen, scenario)
	}
	return chosen, nil
}

// forecasts simulates the releases below the paths, and counts them.
func (f *forecaster) forecasts(ctx context.Context, std streams, from snapshot, paths []string, scenarios []forecast.Scenario) (timeline.Report, int, error) {
	result := timeline.Report{
		APIVersion: timeline.APIVersion, Kind: timeline.Kind,
		Forecasts: []timeline.Forecast{}, Undetermined: []timeline.Unforeseen{},
	}
	engine, err := newEngine(ctx, f.policies)
	if err != nil {
		return result, 0, err
	}
	read, err := f.load(ctx, std, engine, from, paths)
	if err != nil {
		return result, 0, err
	}
	if err := unreadable(read.tree); err != nil {
		return result, 0, err
	}
	found := 0
	for _, release := range read.tree.Releases {
		if f.matches(release.Release) {
			found++
			f.add(&result, release, scenarios)
		}
	}
	return result, found, nil
}

// unreadable says what could not be read, if anything.
func unreadable(tree *flux.Tree) error {
	var errs []error
	for _, p := range tree.Problems {
		errs = append(errs, fmt.Errorf("read %s:%d: %w", p.File, p.Line, p.Err))
	}
	return errors.Join(errs...)
}

func (f *forecaster) matches(r *release.Release) bool {
	if f.release == "" {
		return true
	}
	name := r.Name
	if strings.Contains(f.release, "/") {
		name = r.Namespace + "/" + r.Name
	}
	matched, _ := path.Match(f.release, name)
	return matched
}

func (f *forecaster) add(to *timeline.Report, release *flux.Release, scenarios []forecast.Scenario) {
	name := release.ID()
	if why := undetermined(release); why != "" {
		to.Undetermined = append(to.Undetermined, timeline.Unforeseen{Release: name, Cluster: release.Cluster, Reason: why})
		return
	}
	opts := forecast.Options{MaxSteps: f.maxSteps, FailAfter: f.failAfter, Outage: f.outage}
	for _, scenario := range scenarios {
		to.Forecasts = append(to.Forecasts, timeline.Forecast{
			Release: name, Cluster: release.Cluster,
			Timeline: forecast.Run(*release.Settings, release.Controller, scenario, opts),
		})
	}
}

// undetermined says why a release has no known settings, if so.
func undetermined(release *flux.Release) string {
	for _, reason := range release.Unknown {
		return reason
	}
	if release.Settings == nil {
		return "the API server would refuse it: \"flux-remedy lint\" says why"
	}
	return ""
}

// side is one side of a comparison: its name for people, and what is read.
type side struct {
	name  string
	from  snapshot
	paths []string
}

// runBase compares with a revision of the repository.
func (f *forecaster) runBase(ctx context.Context, std streams, paths []string, scenarios []forecast.Scenario) error {
	base, name, err := inRevision(ctx, paths[0], f.base)
	if err != nil {
		return fmt.Errorf("--base: %w", err)
	}
	return f.runCompare(ctx, std, side{name, base, paths}, side{"now", onDisk(std), paths}, scenarios)
}

func (f *forecaster) runCompare(ctx context.Context, std streams, before, after side, scenarios []forecast.Scenario) error {
	old, had, err := f.forecasts(ctx, std, before.from, before.paths, scenarios)
	if err != nil {
		return err
	}
	current, has, err := f.forecasts(ctx, std, after.from, after.paths, scenarios)
	if err != nil {
		return err
	}
	if had+has == 0 {
		return f.nothing()
	}
	return timeline.WriteComparison(std.out, f.output, timeline.Comparisons{
		APIVersion: timeline.APIVersion, Kind: timeline.ComparisonKind, Before: before.name, After: after.name,
		Comparisons: timeline.Compare(old.Forecasts, current.Forecasts),
	}, f.options(std))
}

func (f *forecaster) options(std streams) timeline.Options {
	return timeline.Options{
		Color: terminal.Colored(std.out, os.Getenv), Width: terminal.Width(std.out),
		Unicode: !f.ascii && terminal.Unicode(os.Getenv),
	}
}

func scenarioNames() []string {
	var names []string
	for _, s := range forecast.Scenarios() {
		names = append(names, s.Name+"\t"+s.Title)
	}
	return names
}

func listScenarios(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range forecast.Scenarios() {
		fmt.Fprintf(w, "%s\t%s\n", s.Name, s.Description)
	}
	return w.Flush()
}
