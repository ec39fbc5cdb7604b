package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// lint are the flags of the command lint.
type lint struct {
	source
	ratchet
	fixFlags
	outputs     []string
	failOn      string
	minSeverity string
	strict      bool
	noWaivers   bool
}

func newLint(std streams) *cobra.Command {
	l := &lint{}
	cmd := &cobra.Command{
		Use:   "lint [PATH...]",
		Short: "Judge the HelmReleases of a tree as Flux will apply them",
		Long: `Judge the HelmReleases below each PATH (default: the working directory) as each
cluster will apply them: built, patched and substituted. Every finding says what
would happen, which line decides it, and how the failure would go. A file, and
"-" for standard input, is taken as it is written.

What is production is judged strictly, staging one step milder, development
hardly at all. "flux-remedy rules" lists what is looked for.`,
		Example: `  flux-remedy lint
  flux-remedy lint --cluster 'prod*' --fail-on warning --strict
  flux-remedy lint -o text -o json=report.json
  kustomize build apps/production | flux-remedy lint -`,
		RunE: func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), std, args) },
	}
	l.source.register(cmd)
	l.ratchet.register(cmd)
	l.fixFlags.register(cmd)
	flags := cmd.Flags()
	flags.StringArrayVarP(&l.outputs, "output", "o", []string{"text"},
		"`FORMAT[=FILE]`: "+strings.Join(report.Formats(), ", ")+"; repeatable")
	flags.Lookup("output").DefValue = "text" // not [text]
	flags.StringVar(&l.failOn, "fail-on", string(rules.Error), "exit with 1 at findings of this `SEVERITY` or worse: error, warning, info or off")
	minSeverityFlag(cmd, &l.minSeverity, "json, sarif and html")
	flags.BoolVar(&l.strict, "strict", false, "exit with 4 if something could not be determined")
	flags.BoolVar(&l.noWaivers, "disallow-waivers", false, "count waived findings as if nothing waived them")
	complete(cmd, "output", report.Formats())
	complete(cmd, "fail-on", severities())
	return cmd
}

func (l *lint) run(ctx context.Context, std streams, paths []string) error {
	failOn, err := rules.ParseSeverity(l.failOn)
	if err != nil {
		return fmt.Errorf("--fail-on: %w", err)
	}
	listed, err := listed(l.minSeverity, failOn)
	if err != nil {
		return err
	}
	outputs, err := parseOutputs(l.outputs, report.Formats())
	if err != nil {
		return err
	}
	engine, err := newEngine(ctx, l.policies)
	if err != nil {
		return err
	}
	result, err := l.judge(ctx, std, engine, paths)
	if err != nil {
		return err
	}
	for _, output := range outputs {
		if l.diff && output.file == "" {
			continue // the diff stands there
		}
		err := output.write(std, func(w io.Writer) error {
			opts := reportOptions(w, engine.Rules())
			opts.MinSeverity = listed
			return report.Write(w, output.format, result, opts)
		})
		if err != nil {
			return err
		}
	}
	people := slices.ContainsFunc(outputs, func(o output) bool { return o.format == "text" })
	if people && result.Worst(rules.Info) > 0 && slices.ContainsFunc(paths, isFile) {
		fmt.Fprintln(std.err, "flux-remedy: a file is judged as it is written, without what patches it; give its folder to judge what Flux applies")
	}
	return l.verdict(result, failOn)
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// judge makes the report: of everything that is found, or of what is new.
func (l *lint) judge(ctx context.Context, std streams, engine *rules.Engine, paths []string) (report.Report, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	now := time.Now()
	tree, config, err := l.load(ctx, std, engine, paths)
	if err != nil {
		return report.Report{}, err
	}
	busy := startProgress(std.err, fmt.Sprintf("judging %d releases", len(tree.Releases)))
	all, err := judge(ctx, engine, config.Config, tree, now)
	busy.stop()
	if err != nil {
		return report.Report{}, err
	}
	if tree, all, err = l.repair(ctx, std, engine, config.Config, paths, state{tree, all}); err != nil {
		return report.Report{}, err
	}
	run := &judgement{tree: tree, all: all, paths: paths, whole: len(l.clusters) == 0, now: now}
	waivers := run.waivers(config, engine)
	noteRenamed(std, engine, all)
	if l.noWaivers {
		run.unwaive()
	}
	known, err := l.drop(ctx, std, engine, run)
	if err != nil {
		return report.Report{}, err
	}
	result := reportOf(tree, all)
	result.Waivers, result.Baseline = waivers, known
	return result, nil
}

// verdict gives the exit code; what it means has been said by the report.
func (l *lint) verdict(r report.Report, failOn rules.Severity) error {
	switch {
	case len(r.Problems) > 0:
		return &exitError{code: exitFailure}
	case r.Worst(failOn) > 0:
		return &exitError{code: exitFindings}
	case l.strict && len(r.Undetermined) > 0:
		return &exitError{code: exitUndetermined}
	case r.Summary.Judged == 0 && len(r.Undetermined) > 0:
		return l.nothing("no HelmRelease could be judged")
	case r.Summary.Judged == 0:
		return l.nothing("no HelmRelease was found to judge")
	}
	return nil
}
