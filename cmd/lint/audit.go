package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/audit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/output"
	"github.com/flux-remedy/remedy/cmd/lint/internal/ruleset"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// auditor are the flags of the command audit.
type auditor struct {
	audit.Options
	policies ruleset.Named
}

func newAudit(std streams) *cobra.Command {
	a := &auditor{}
	cmd := &cobra.Command{
		Use:   "audit",
		Short: "Show which HelmReleases of a cluster are stuck, and what the rules report",
		Long: `Look over all HelmReleases of the cluster that kubectl would ask: how each one is,
since when and after how many failed attempts, what Flux does next, and what the
rules report of it. It changes nothing but the reports of --write-reports, and
reads neither values nor Secrets.

The tier of a release is that of the configuration, or what its labels and the
names of the cluster (the context) and the namespace say.

Exit codes: 1 if a release is stuck or a finding is at or above --fail-on, 2 if
something cannot be read, 3 if there are no HelmReleases.`,
		Example: `  flux-remedy audit
  flux-remedy audit --context production --context staging -o markdown
  kubectl get helmreleases -n apps -o yaml | flux-remedy audit -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.run(cmd.Context(), std) },
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&a.Contexts, "context", nil, "`CONTEXT` of the kubeconfig (default: the current one); repeatable")
	clusterFlags(cmd, &a.Access, std)
	flags.BoolVar(&a.All, "all-contexts", false, "all clusters of the kubeconfig")
	usage.Exclude(cmd, "all-contexts", "context")
	flags.StringVar(&a.Cluster, "cluster", "", "`NAME` of the cluster for the configuration and tiers (default: that of the context)")
	flags.StringVarP(&a.Namespace, "namespace", "n", "", "only releases of that `NAMESPACE`")
	flags.StringVarP(&a.File, "filename", "f", "", "`FILE` with HelmReleases as kubectl prints them, instead of a cluster; - is standard input")
	usage.Config(cmd, &a.Config, rules.ConfigFile)
	policyFlags(cmd, &a.policies)
	flags.StringVar(&a.FailOn, "fail-on", string(rules.Error), "exit with 1 at stuck releases and findings of this `SEVERITY` or worse: error, warning, info or off")
	flags.StringVarP(&a.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(audit.Formats(), ", "))
	flags.StringVar(&a.MetricsFile, "metrics-file", "", "write metrics to `FILE`.prom, for the textfile collector of node-exporter")
	flags.StringVar(&a.WriteReports, "write-reports", "", "write reports of that `KIND` to the cluster, and delete those of releases that are gone: "+strings.Join(audit.KindNames(), ", "))
	complete(cmd, "write-reports", audit.KindNames())
	complete(cmd, "output", audit.Formats())
	complete(cmd, "fail-on", output.Severities())
	return cmd
}

func (a *auditor) run(ctx context.Context, std streams) error {
	if err := a.Check(); err != nil {
		return err
	}
	engine, err := a.policies.Open(ctx)
	if err != nil {
		return err
	}
	report, err := a.Run(ctx, a.policies.Over(onDisk(std)), engine, time.Now())
	if err == nil {
		err = a.Write(std.out, report, time.Now())
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
