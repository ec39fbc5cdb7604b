package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// diff are the flags of the command diff.
type diff struct {
	source
	selectFlags
	base        string
	outputs     []string
	failOn      string
	minSeverity string
	strict      bool
	allowPolicy bool
	inherited   bool
	noWaivers   bool
}

func newDiff(std streams) *cobra.Command {
	d := &diff{}
	cmd := &cobra.Command{
		Use:   "diff [PATH...]",
		Short: "Show what a change makes new or worse",
		Long: `Judge the HelmReleases below each PATH (default: the working directory) as they
are now and as they were in a revision of the Git repository, and show what has
changed: classes, findings that are new or gone, and forecasts that end differently.
Each state is judged under its own policy: configuration, waivers, tiers, controllers
and rules. The new state is judged under the policy of the revision, too: what only
a change of the policy excuses fails as policy-weakened.
The work tree and the index are not touched.`,
		Example: `  flux-remedy diff
  flux-remedy diff --base HEAD~1 clusters/production
  flux-remedy diff --base origin/main -o markdown=comment.md -o github`,
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd.Context(), std, args) },
	}
	d.source.register(cmd)
	d.selectFlags.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&d.base, "base", "", "revision `REV` to compare with (default: where HEAD departs from the remote's default branch)")
	outputFlag(cmd, &d.outputs, report.DiffFormats())
	flags.StringVar(&d.failOn, "fail-on", string(rules.Error), "exit with 1 if findings of this `SEVERITY` or worse are new: error, warning, info or off")
	minSeverityFlag(cmd, &d.minSeverity, report.DiffFormats())
	flags.BoolVar(&d.strict, "strict", false, "exit with 4 if something can no longer be determined in any tier, not only in production")
	allowPolicyFlag(cmd, &d.allowPolicy)
	inheritedFlag(cmd, &d.inherited, "")
	waiversFlag(cmd, &d.noWaivers)
	usage.Complete(cmd, "fail-on", report.Severities())
	return cmd
}

func (d *diff) run(ctx context.Context, std streams, paths []string) error {
	failOn, err := rules.ParseSeverity(d.failOn)
	if err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	listed, err := report.Listed(d.minSeverity, failOn)
	if err != nil {
		return err
	}
	outputs, err := report.ParseOutputs(d.outputs, report.DiffFormats())
	if err != nil {
		return err
	}
	engine, err := d.Engine(ctx, onDisk(std), orHere(paths)[0])
	if err != nil {
		return err
	}
	if err := d.resolve(std, engine); err != nil {
		return err
	}
	result, lengths, err := d.compare(ctx, std, engine, orHere(paths), outputs.Suggested())
	if err != nil {
		return err
	}
	status := d.exitStatus(result, failOn)
	err = outputs.WriteDiff(std.out, result, func(w io.Writer) report.Options {
		opts := reportOptions(w, described(engine), lengths, cmp.Or(d.pages, rulePages))
		opts.MinSeverity, opts.SourceURL, opts.Ends = listed, std.sourceURL(orHere(paths)[0]), why(status)
		return opts
	})
	if err != nil {
		return err
	}
	return status
}

// compare judges the work tree and the base. It returns the lengths of the lines of the
// former, too.
func (d *diff) compare(ctx context.Context, std streams, engine *rules.Engine, paths []string, suggests bool) (report.Diff, lineLengths, error) {
	now := time.Now()
	after, err := d.Load(ctx, std.process(), engine, onDisk(std), paths)
	if err != nil {
		return report.Diff{}, nil, err
	}
	d.pages = after.Config.Spec.RulePages
	evaluator, err := judge.NewEvaluator(engine, after.Config, now)
	if err != nil {
		return report.Diff{}, nil, err
	}
	state, err := evaluator.Evaluate(ctx, after.Tree)
	if err != nil {
		return report.Diff{}, nil, err
	}
	with, err := d.Compare(ctx, std.process(), after, state, d.base, now)
	if errors.Is(err, git.ErrNoRepository) {
		return report.Diff{}, nil, fmt.Errorf("%w: diff compares with a revision of it; \"flux-remedy forecast --compare\" compares two folders", err)
	}
	if err != nil && d.base == "" {
		return report.Diff{}, nil, fmt.Errorf("there is nothing to compare with: %w; name a revision, as in --base HEAD~1", err)
	}
	if err != nil {
		return report.Diff{}, nil, fmt.Errorf("compare with --base %s: %w", d.base, err)
	}
	state = with.Now
	waivers := with.Waivers()
	if d.noWaivers {
		with.Unwaive()
	}
	var hunks judge.Hunks
	if suggests {
		if hunks, err = d.suggestions(ctx, std, judged{Loaded: after, paths: paths, evaluator: evaluator, state: state}, repair.Options{Unsafe: true, Rule: engine.Rule, Rules: d.selection}); err != nil {
			return report.Diff{}, nil, err
		}
	}
	changed, err := with.Policy(ctx, d.allowPolicy, d.inherited)
	before := with.Before().Only(d.selection.Has)
	compare := func(shown judge.Shown) report.Diff {
		return report.Compare(with.Name, before, state.Side(shown).Only(d.selection.Has), d.inherited).With(changed)
	}
	result := compare(judge.Shown{HoldsUp: true})
	if result.HasFindings() { // most changes have none, and how others go away takes long to find out
		result = compare(judge.Shown{HoldsUp: true, Hunks: hunks, Remedy: repair.Remedies(state, evaluator.Foresee(ctx), false)})
	}
	result.Waivers = waivers
	return result, after.Options.LineLength, err
}

// exitStatus returns the exit code, and says why.
func (d *diff) exitStatus(r report.Diff, failOn rules.Severity) error {
	switch unknown := r.Undecided(d.strict); {
	case len(r.Problems) > 0:
		return ends(exitFailure, unreadable)
	case r.Worst(failOn) > 0:
		return findings(failOn)
	case unknown != "":
		return ends(exitUndetermined, unknown)
	case r.Nothing() != "":
		return &exitError{exitOK, errors.New(r.Nothing())}
	case r.Blind():
		return d.nothing("no HelmRelease can be judged any more")
	}
	return nil
}
