package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/audit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/policyreport"
	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/spf13/cobra"
)

// auditor are the flags of the command audit.
type auditor struct {
	source
	audit.Options
	repo string
}

func newAudit(std streams) *cobra.Command {
	a := &auditor{}
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show which HelmReleases of a cluster are stuck, and what the rules report",
		Long: `Look over all HelmReleases of the cluster that kubectl would ask: how each one is,
since when and after how many failed attempts, what Flux does next, and what the
rules report of it. It changes nothing but the reports of --write-reports. It keeps
no values and, unless --helm-storage asks for Helm's records, reads no content of
Secrets.

The tier of a release is that of the configuration, or what its labels and the
names of the cluster (the context) and the namespace say.

Ctrl-C ends the waiting for clusters: what is known is printed, and what is missing
is named.

Exit codes: 1 if a release is stuck, not as Git says, would be refused or, with
--readiness, could not be judged, or a finding is at or above --fail-on, 2 if
something cannot be read, 3 if there are no HelmReleases.`,
		Example: `  flux-remedy audit
  flux-remedy audit --context 'prod-*' --context staging -o markdown
  flux-remedy audit --readiness --repo .    # what admission would refuse
  kubectl get helmreleases -n apps -o yaml | flux-remedy audit -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context(), std) },
	}
	a.Builder = build.NewBuilder()
	a.Register(cmd.Flags())
	clusterFlags(cmd, &a.Access, std)
	cmd.Flags().Lookup("kubeconfig").Usage = "kubeconfig `FILE`, or a folder of them (default: $KUBECONFIG, or ~/.kube/config)"
	usage.Config(cmd, &a.source.Config, rules.ConfigFile)
	policyFlags(cmd, &a.Policies)
	cmd.Flags().StringVar(&a.repo, "repo", "", "folder `DIR` of the repository, to say what is not as Git has it")
	usage.Complete(cmd, "phase", overview.Phases())
	usage.Complete(cmd, "tier", []string{"production", "staging", "development"})
	usage.Complete(cmd, "write-reports", policyreport.Names())
	outputFlag(cmd, &a.Outputs, audit.Formats())
	usage.Complete(cmd, "fail-on", report.Severities())
	cmd.AddCommand(newAuditMerge(std))
	return cmd
}

func (a *auditor) run(ctx context.Context, std streams) error {
	if err := a.Check(); err != nil {
		return err
	}
	engine, err := a.Engine(ctx, onDisk(std), a.repo)
	if err != nil {
		return err
	}
	a.Until = std.watch.Until()
	waiting, answered := std.watch.Waiting(ctx)
	report, err := a.look(waiting, std, engine)
	if err != nil {
		return err
	}
	answered()
	err = a.tell(std, report)
	var stopped *limits.Stopped
	if len(report.Problems) > 0 && errors.As(context.Cause(waiting), &stopped) {
		return &exitError{stopped.Code, err}
	}
	return err
}

// tell writes a report, and returns an error as the exit code says.
func (a *auditor) tell(std streams, report overview.Report) error {
	var err error
	if a.Since != "" {
		err = report.Compare(a.Since)
	}
	if err == nil {
		a.Width, a.Height = terminal.Size(std.out)
		err = a.Write(std.out, report, buildVersion(), time.Now())
	}
	switch {
	case err != nil:
		return err
	case len(report.Problems) > 0:
		return &exitError{exitFailure, errors.New(strings.Join(report.Problems, "\n"))}
	case report.Fails(rules.Severity(a.FailOn)):
		return &exitError{code: exitFindings}
	case report.Nothing() != "":
		return &exitError{exitNothing, errors.New(report.Nothing())}
	}
	return nil
}

// look looks at the repository, if there is one, and at the clusters.
func (a *auditor) look(ctx context.Context, std streams, engine *rules.Engine) (overview.Report, error) {
	read, err := a.inRepo(ctx, std, engine, a.repo)
	switch {
	case err != nil:
		return overview.Report{}, err
	case a.Readiness && read.Tree != nil:
		return audit.InGit(ctx, engine, read.Tree, read.Config, time.Now())
	}
	a.Repo = read.Tree
	if a.File == "" {
		defer a.follow(std)()
	}
	return a.Run(ctx, onDisk(std), read.Config, engine, time.Now())
}

// follow has each cluster shown as soon as it is known: as lines of releases, if they are asked for, else counted on
// a terminal. The function that it returns ends that.
func (a *auditor) follow(std streams) (done func()) {
	const what = "asking clusters"
	if a.Streams() {
		std.watch.Show(what)
		a.Streamed = true
		a.Each = func(_ overview.Cluster, releases []overview.Release, _ int) {
			_ = overview.WriteLines(std.out, releases) // the last line will fail, too
		}
		return func() {}
	}
	progress := std.process().Begin(what)
	known, unread, stuck := 0, 0, 0
	a.Each = func(c overview.Cluster, _ []overview.Release, of int) {
		known, stuck = known+1, stuck+c.ByPhase[overview.Stuck]+c.ByPhase[overview.Interrupted]
		if c.Incomplete {
			unread++
		}
		progress.Show(fmt.Sprintf("%d of %d clusters answered, releases stuck or interrupted: %d, clusters not read: %d", known, of, stuck, unread))
	}
	return progress.Stop
}

func newAuditMerge(std streams) *cobra.Command {
	a := &auditor{}
	cmd := &cobra.Command{
		Use:   "merge FILE|DIR...",
		Short: "Make one report of several",
		Long: `Make one report of those that "audit -o json" has written, as with --shard on
several machines, or of all JSON files of a folder. A shard that is in no file, or
older than the others by an hour, is named, and the run exits with 2.`,
		Example: `  flux-remedy audit --all-contexts --shard 0/2 -o json > 0.json
  flux-remedy audit --all-contexts --shard 1/2 -o json > 1.json
  flux-remedy audit merge 0.json 1.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := report.ParseOutputs(a.Outputs, overview.Formats()); err != nil {
				return err
			}
			if err := a.Check(); err != nil {
				return err
			}
			report, err := overview.Merge(args)
			if err != nil {
				return err
			}
			return a.tell(std, report)
		},
	}
	a.RegisterOutput(cmd.Flags())
	outputFlag(cmd, &a.Outputs, overview.Formats())
	usage.Complete(cmd, "fail-on", report.Severities())
	return cmd
}
