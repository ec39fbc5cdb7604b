package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/spf13/cobra"
)

// source are the flags that say what is read, the same for every command that
// reads a tree.
type source struct {
	config   string
	clusters []string
	sources  map[string]string
	policies []string
}

func (s *source) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&s.config, "config", "", "configuration `FILE` (default: "+rules.ConfigFile+" found upward from the first path)")
	flags.StringSliceVar(&s.clusters, "cluster", nil, "only clusters whose name matches the `GLOB`; repeatable")
	policyFlag(cmd, &s.policies)
	flags.StringToStringVar(&s.sources, "source", nil, "folder that holds the content of a Flux source, as `Kind/namespace/name=DIR`; repeatable")
}

// load reads the tree that the paths name, under its configuration.
func (s *source) load(ctx context.Context, std streams, engine *rules.Engine, paths []string) (*flux.Tree, configuration, error) {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	config, err := loadConfig(s.config, paths)
	if err != nil {
		return nil, config, err
	}
	if err := engine.Check(config.Config); err != nil {
		return nil, config, fmt.Errorf("check configuration %s: %w", config.file, err)
	}
	busy := startProgress(std.err, "reading "+strings.Join(paths, ", "))
	defer busy.stop()
	opts := s.options(paths, config.Config, nil)
	opts.Stdin = std.in
	tree, err := flux.Load(ctx, opts)
	return tree, config, err
}

// options say what is read, with other content of some files.
func (s *source) options(paths []string, config *rules.Config, overlay map[string][]byte) flux.Options {
	return flux.Options{Paths: paths, Config: config, Clusters: s.clusters, Sources: s.sources, Overlay: overlay}
}

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
		Long: `Judge the HelmReleases below each PATH (default: the working directory) as Flux
will apply them. "-" reads manifests from standard input.`,
		Example: `  flux-remedy lint
  flux-remedy lint clusters/production --fail-on warning
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
	flags.StringVar(&l.failOn, "fail-on", string(rules.Error), "exit with 1 at findings of this `SEVERITY` or worse: error, warning, info or off")
	flags.StringVar(&l.minSeverity, "min-severity", string(rules.Warning),
		"list findings of this `SEVERITY` or worse: error, warning or info; json, sarif and html always hold all, and what --fail-on names is always listed")
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
	listed, err := l.listed(failOn)
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
	return l.verdict(result, failOn)
}

// listed gives the severity of the mildest findings that are listed. Those that
// fail the run are never hidden.
func (l *lint) listed(failOn rules.Severity) (rules.Severity, error) {
	listed, err := rules.ParseSeverity(l.minSeverity)
	switch {
	case err != nil || listed == rules.Off:
		return "", fmt.Errorf("--min-severity %s: want error, warning or info", l.minSeverity)
	case failOn != rules.Off && !failOn.AtLeast(listed):
		return failOn, nil
	}
	return listed, nil
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
	all, err := judge(ctx, engine, config.Config, tree, now)
	if err != nil {
		return report.Report{}, err
	}
	if tree, all, err = l.repair(ctx, std, engine, config.Config, paths, state{tree, all}); err != nil {
		return report.Report{}, err
	}
	run := &judgement{tree: tree, all: all, paths: paths, whole: len(l.clusters) == 0, now: now}
	waivers := run.waivers(config)
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
	case len(r.Releases) == 0 && len(r.Undetermined) == 0:
		return &exitError{code: exitNothing, err: errors.New("no HelmRelease was found to judge")}
	}
	return nil
}
