package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// lint are the flags of the command lint.
type lint struct {
	source
	knownFlags
	fixFlags
	selectFlags
	unsaved     load.Unsaved
	outputs     []string
	failOn      string
	minSeverity string
	strict      bool
	quiet       bool
	statistics  bool
	all         bool
	noWaivers   bool
}

func newLint(std streams) *cobra.Command {
	l := &lint{}
	cmd := &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "Check the HelmReleases in a repository as Flux will apply them",
		Long: `Check the HelmReleases below each PATH (default: the working directory) as each
cluster will apply them: built, patched and substituted. Every finding says which
line to edit, what would happen, and what to write instead. A file, and "-" for
standard input, is checked as it is written.

Production is checked strictly, staging one step milder, development hardly at
all. "flux-remedy rules" lists the rules.`,
		Example: `  flux-remedy lint
  flux-remedy lint --cluster 'prod*' --fail-on warning --strict
  flux-remedy lint -o text -o json=report.json
  kustomize build apps/production | flux-remedy lint -`,
		RunE: func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), std, args) },
	}
	l.source.register(cmd)
	l.selectFlags.register(cmd)
	l.knownFlags.register(cmd)
	l.fixFlags.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&l.unsaved.Path, "stdin-path", "", "judge the tree around `FILE` as if it held what standard input holds, and report only what is in that file; for editors")
	for _, other := range []string{"fix", "diff", "new-from", "write-baseline"} {
		usage.Exclude(cmd, "stdin-path", other)
	}
	outputFlag(cmd, &l.outputs, report.Formats())
	flags.StringVar(&l.failOn, "fail-on", string(rules.Error), "exit with 1 at findings of this `SEVERITY` or worse: error, warning, info or off")
	minSeverityFlag(cmd, &l.minSeverity, report.Formats())
	flags.BoolVar(&l.strict, "strict", false, "exit with 4 if something could not be determined, and the configuration does not accept that")
	waiversFlag(cmd, &l.noWaivers)
	flags.BoolVarP(&l.quiet, "quiet", "q", false, "print findings, what is undetermined and what cannot be read, and nothing else")
	flags.BoolVar(&l.all, "all", false, "show every finding, release and place in the text, however many there are, and what the configuration accepts")
	flags.BoolVar(&l.statistics, "statistics", false, "count findings by rule and by place instead of listing them, in the text")
	usage.Complete(cmd, "fail-on", report.Severities())
	return cmd
}

func (l *lint) run(ctx context.Context, std streams, paths []string) error {
	failOn, err := rules.ParseSeverity(l.failOn)
	if err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	listed, err := report.Listed(l.minSeverity, failOn)
	if err != nil {
		return err
	}
	outputs, err := report.ParseOutputs(l.outputs, report.Formats())
	if err != nil {
		return err
	}
	if l.statistics && !slices.ContainsFunc(outputs, report.Output.IsText) {
		return errors.New("--statistics: only the text shows them: add -o text")
	}
	if err := l.Check(paths); err != nil {
		return err
	}
	if err := l.TakeReports(outputs); err != nil {
		return err
	}
	paths, err = l.unsaved.Around(orHere(paths))
	if err != nil {
		return err
	}
	if l.quiet {
		std.err = io.Discard
	}
	engine, err := l.Engine(ctx, onDisk(std), paths[0])
	if err != nil {
		return err
	}
	if err := l.resolve(std, engine); err != nil {
		return err
	}
	result, lengths, err := l.judge(ctx, std, engine, paths, outputs)
	if err != nil {
		return err
	}
	status := l.exitStatus(result, paths, failOn)
	l.Builder = nil // the report may need as much memory as what was built
	for _, o := range outputs {
		if l.Diff && o.File == "" && !repair.HoldsPlan(o) {
			continue // the diff is written there
		}
		err := o.Write(std.out, func(w io.Writer) error {
			opts := reportOptions(w, described(engine), lengths, cmp.Or(l.pages, rulePages))
			opts.SourceURL, opts.Ends = std.sourceURL(paths[0]), why(status)
			opts.MinSeverity, opts.Quiet, opts.Statistics, opts.All = listed, l.quiet, l.statistics, l.all
			return o.Format.Write(w, result, opts)
		})
		if err != nil {
			return err
		}
	}
	if slices.ContainsFunc(outputs, report.Output.IsText) && result.Worst(rules.Info) > 0 && slices.ContainsFunc(paths, files.Is) {
		std.note("a file is judged as it is written, without what patches it; give its folder to judge what Flux applies")
	}
	if outputs.Bare() && l.unsaved.Path == "" {
		std.note("%s", result.InForce.Judged())
	}
	return status
}

// judge makes the report: of everything that is found, or of what is new. It
// returns the lengths of the lines that were read, too.
func (l *lint) judge(ctx context.Context, std streams, engine *rules.Engine, paths []string, outputs report.Outputs) (report.Report, lineLengths, error) {
	disk := onDisk(std)
	if l.Wanted() {
		disk = disk.Kept() // repairs are told of with what was there before
	}
	from, err := l.unsaved.On(disk, std.in)
	if err != nil {
		return report.Report{}, nil, err
	}
	l.Lean = l.newFrom == "" // a diff follows releases by them
	l.unsaved.Whole = l.strict || l.baseline != ""
	now, err := l.look(ctx, std, engine, from, paths)
	if err == nil && now.Options.Only != "" && len(now.Tree.Releases) == 0 {
		l.unsaved.Whole = true // whether there is anything to judge
		now, err = l.look(ctx, std, engine, from, paths)
	}
	if err != nil {
		return report.Report{}, nil, err
	}
	if now.Loaded, now.state, err = l.repair(ctx, std, now.evaluator, engine.Rule, now.Loaded, paths, now.state); err != nil {
		return report.Report{}, nil, err
	}
	var hunks judge.Hunks
	if outputs.Suggested() && l.unsaved.Name == "" && !slices.Contains(paths, "-") {
		if hunks, err = l.suggestions(ctx, std, now, repair.Options{Unsafe: true, Rule: engine.Rule, Rules: l.selection}); err != nil {
			return report.Report{}, nil, err
		}
	}
	result, err := l.report(ctx, std, engine, now, judge.Shown{HoldsUp: true, Hunks: hunks, Decided: outputs.Decided()}, true)
	if l.unsaved.Name != "" {
		if result = result.In(func(file string) bool { return file == l.unsaved.Name }); result.Elsewhere() > 0 {
			std.note("undetermined in other files: %d; \"flux-remedy lint\" lists them", result.Elsewhere())
		}
	}
	return result, now.Options.Texts().LineLength, err
}

// judged is what was read and judged, before it is known what of it is reported.
type judged struct {
	load.Loaded
	paths     []string
	evaluator *judge.Evaluator
	state     judge.State
	at        time.Time
}

func (l *lint) look(ctx context.Context, std streams, engine *rules.Engine, from load.Snapshot, paths []string) (judged, error) {
	now := judged{paths: paths, at: time.Now()}
	var err error
	if now.Loaded, err = l.Load(ctx, std.process(), engine, from, paths); err != nil {
		return now, err
	}
	l.pages = now.Config.Spec.RulePages
	busy := std.process().Begin(fmt.Sprintf("judging releases (%d)", len(now.Tree.Releases)))
	defer busy.Stop()
	if now.evaluator, err = judge.NewEvaluator(engine, now.Config, now.at); err != nil {
		return now, err
	}
	now.state, err = now.evaluator.Evaluate(ctx, now.Tree)
	return now, err
}

// report returns what is to be told of what was judged: without what is known, or not selected. With central,
// one patch for many releases is proposed.
func (l *lint) report(ctx context.Context, std streams, engine *rules.Engine, now judged, as judge.Shown, central bool) (report.Report, error) {
	run := &judge.Run{State: now.state.Apart(), Paths: now.paths, Inputs: now.Options.Inputs, Whole: len(l.Clusters) == 0, Now: now.at}
	waivers := run.Waivers(now.Config, engine)
	for _, note := range run.Renamed(engine) {
		std.note("%s", note)
	}
	if l.noWaivers {
		run.Unwaive()
	}
	whole := run.State.Apart() // a repair brings nothing that is only left out
	known, weakened, err := l.dropKnown(ctx, std, engine, now.Loaded, run)
	if err != nil {
		return report.Report{}, err
	}
	as.Remedy = repair.Remedies(whole, now.evaluator.Foresee(ctx), central)
	result := run.Report(as).Only(l.selection.Has)
	result.Add(weakened)
	result.Plan = l.plan
	result.Waivers, result.Baseline, result.Acceptances = run.Displaced(waivers, result.Findings), known, run.Acceptances(now.Config)
	result.Unmatched = run.Unmatched(now.Config, waivers, result.Acceptances)
	return result, nil
}

// exitStatus returns the exit code, and says why.
func (l *lint) exitStatus(r report.Report, paths []string, failOn rules.Severity) error {
	switch {
	case len(r.Problems) > 0:
		return ends(exitFailure, unreadable)
	case r.Worst(failOn) > 0:
		return findings(failOn)
	case l.strict && r.Undecided() > 0:
		return ends(exitUndetermined, "strict fails on what is undetermined or not applied by any cluster: let it be known or applied as the report says, or accept it in spec.undetermined.accept")
	case len(r.Baseline.Undecided()) > 0:
		return ends(exitUndetermined, "this change makes undetermined what was not, in production: let it be known as the report says"+report.OrAccept)
	case r.Summary.Judged == 0 && r.Baseline != nil && r.Baseline.Nothing != "":
		return &exitError{exitOK, errors.New(r.Baseline.Nothing)}
	case r.Summary.Judged == 0 && len(r.Undetermined) > 0:
		return l.nothing("no HelmRelease could be judged")
	case r.Summary.Judged == 0 && len(r.Unapplied) > 0:
		return l.nothing("no cluster here applies a HelmRelease of this tree; --unapplied judges them")
	case r.Summary.Judged == 0:
		return l.nothing(strings.TrimSuffix("no HelmRelease was found to judge in "+words.First(paths, 3, ""), " in ."))
	}
	return nil
}
