package audit

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/policyreport"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/labels"
)

// Options say what is looked at.
type Options struct {
	live.Access
	// Namespace is that of the releases; empty means all.
	Namespace string
	// Phases and Tiers are those of the releases, Selector is one of labels; empty means all.
	Phases, Tiers []string
	Selector      string
	// Contexts are names of contexts, or globs; empty means the one of Access. All means every
	// context of the kubeconfig.
	Contexts []string
	All      bool
	// Shard is the part of them that is looked at.
	Shard overview.Shard
	// ClusterTimeout is how long an answer of a cluster may take; zero for what is usual.
	ClusterTimeout time.Duration
	// Each is given each cluster as soon as it is known, whichever answers first, with its releases, those that need
	// somebody first, and how many clusters are asked; never two at once. Nil is given none.
	Each func(found overview.Cluster, releases []overview.Release, of int)
	// Streamed is true if Each has written the lines of releases (-o jsonl).
	Streamed bool
	// Until is when clusters are asked no more; zero for never.
	Until time.Time
	// Cluster is the name of the cluster where no context has it, as in a pod.
	Cluster string
	// File holds the objects instead of a cluster, "-" is standard input.
	File string
	// Outputs are the values of -o.
	Outputs []string
	// Width and Height are those of the terminal that shows the text, zero if none does. It
	// shows one screen, unless Whole asks for everything.
	Width, Height int
	Whole         bool
	// MetricsFile is written for the textfile collector of Prometheus; empty for none.
	MetricsFile string
	// WriteReports is the kind of report objects that are written to the clusters; empty for
	// none.
	WriteReports string
	// HelmStorage has the labels of Helm's records read: unfinished actions are there. Of releases that may be
	// uninstalled the newest record says what that deletes.
	HelmStorage bool
	// Readiness asks what admission would refuse.
	Readiness bool
	// Repo is the repository that is compared with the clusters; nil if none is.
	Repo *effective.Tree
	// Baseline holds findings that are known; WriteBaseline is written.
	Baseline, WriteBaseline string
	// Since is the file of an earlier report that is compared; empty for none.
	Since string
	// FailOn is the mildest severity that fails the run.
	FailOn string
}

// Check returns an error about options that cannot be followed.
func (o *Options) Check() error {
	if _, err := report.ParseOutputs(o.Outputs, Formats()); err != nil {
		return err
	}
	chosen, err := o.selection()
	if err != nil {
		return err
	}
	_, err = rules.ParseSeverity(o.FailOn)
	switch {
	case err != nil:
		return fmt.Errorf("--fail-on: %w", err)
	case o.All && len(o.Contexts) > 0:
		return errors.New("--all-contexts and --context exclude each other")
	case chosen.Narrow() && (o.WriteBaseline != "" || o.WriteReports != "" || o.Readiness):
		return errors.New("--write-baseline, --write-reports and --readiness are of all releases: want no --phase, --tier or --selector")
	case o.Baseline != "" && o.WriteBaseline != "":
		return errors.New("--baseline and --write-baseline exclude each other")
	case o.HelmStorage && o.File != "":
		return errors.New("--helm-storage: a file holds no records of Helm")
	case o.Shard != overview.Shard{} && (o.Since != "" || o.Baseline != "" || o.WriteBaseline != "" || o.Readiness || o.File != ""):
		return errors.New("--shard: a part of the clusters has no --since (merge has), --baseline, --write-baseline, --readiness or --filename")
	case o.ClusterTimeout < 0:
		return fmt.Errorf("--cluster-timeout %s: want a duration such as 30s", o.ClusterTimeout)
	case o.Cluster != "" && (o.All || len(o.Contexts) > 1):
		return errors.New("--cluster: several contexts have names of their own")
	case o.WriteReports != "" && !slices.Contains(policyreport.Names(), o.WriteReports):
		return fmt.Errorf("--write-reports=%s: unknown kind of reports: want %s", o.WriteReports, strings.Join(policyreport.Names(), ", "))
	case o.WriteReports != "" && o.File != "":
		return errors.New("--write-reports: a file is of no cluster: -o " + o.WriteReports + " prints the reports")
	case o.MetricsFile != "" && filepath.Ext(o.MetricsFile) != ".prom":
		return fmt.Errorf("--metrics-file %s: the textfile collector reads only names that end with .prom", o.MetricsFile)
	case o.File != "" && (o.All || len(o.Contexts) > 0 || o.Kubeconfig != ""):
		return errors.New("--filename: a file is of no cluster: want no --context, --all-contexts or --kubeconfig")
	}
	return nil
}

// selection reads the flags that select.
func (o *Options) selection() (selection, error) {
	s := selection{Selection: overview.Selection{Namespace: o.Namespace, Labels: o.Selector}}
	for _, name := range o.Phases {
		if !slices.Contains(overview.Phases(), name) {
			return s, fmt.Errorf("--phase %s: unknown phase: want %s", name, strings.Join(overview.Phases(), ", "))
		}
		s.Phases = append(s.Phases, overview.Phase(name))
	}
	for _, name := range o.Tiers {
		if !slices.Contains(release.Tiers, release.Tier(name)) {
			return s, fmt.Errorf("--tier %s: unknown tier: want production, staging or development", name)
		}
		s.Tiers = append(s.Tiers, name)
	}
	slices.Sort(s.Phases)
	slices.Sort(s.Tiers)
	var err error
	if s.selector, err = labels.Parse(o.Selector); err != nil {
		return s, fmt.Errorf("--selector: %w", err)
	}
	return s, nil
}

// InGit says what admission would refuse of what a repository has, and asks no cluster.
func InGit(ctx context.Context, engine *rules.Engine, tree *effective.Tree, config judge.Configuration, now time.Time) (overview.Report, error) {
	state, err := judge.Evaluate(ctx, engine, config, tree, now)
	if err != nil {
		return overview.Report{}, err
	}
	report := fromTree(state, config.Config, engine)
	report.InForce, report.Time = state.InForce, clock(now)
	return report, nil
}

// Run looks at all releases, by the rules under the configuration. What cannot be read hides
// nothing else.
func (o *Options) Run(ctx context.Context, from load.Snapshot, config judge.Configuration, engine *rules.Engine, now time.Time) (overview.Report, error) {
	by, err := incident.Under(engine, config, now)
	if err != nil {
		return overview.Report{}, err
	}
	chosen, err := o.selection()
	if err != nil {
		return overview.Report{}, err
	}
	c := collector{by: *by, config: config, chosen: chosen, problems: []string{}, all: []overview.Release{}}
	if c.known, err = readBaseline(o.Baseline); err != nil {
		return overview.Report{}, err
	}
	if o.File != "" {
		o.file(ctx, &c, from)
	} else {
		err = o.clusters(ctx, &c)
	}
	report := overview.Of(c.all, c.clusters, c.problems)
	if o.Namespace != "" || chosen.Narrow() {
		report.Selection, report.Summary.Of = &chosen.Selection, c.of
	}
	report.Shard, report.Time = o.Shard.String(), clock(now)
	report.InForce, report.Missing, report.Roots = by.Engine.InForce(), c.missing, c.roots
	if c.known != nil {
		report.Summary.Known = c.known.dropped
	}
	if o.Repo != nil {
		report.Undetermined = len(o.Repo.Undetermined) + len(o.Repo.Problems)
	}
	if o.Readiness {
		report.Readiness = overview.Admission(report.Releases, config.Config, by.Engine)
	}
	return report, err
}

func clock(now time.Time) string { return now.UTC().Format(time.RFC3339) }

// Register registers the flags that are the audit's own.
func (o *Options) Register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&o.Contexts, "context", nil, "`CONTEXT` of the kubeconfig, or a glob such as 'prod-*' (default: the current one); repeatable")
	flags.BoolVar(&o.All, "all-contexts", false, "all clusters of the kubeconfig, or of each one in a folder")
	flags.DurationVar(&o.ClusterTimeout, "cluster-timeout", 0, "ask a cluster nothing else after an answer that takes longer than this `DURATION` (default: 10s of several clusters)")
	flags.StringVar(&o.Cluster, "cluster", "", "`NAME` of the cluster in the configuration and the repository (default: that of the context)")
	flags.StringVarP(&o.Namespace, "namespace", "n", "", "only releases of that `NAMESPACE`")
	flags.StringSliceVar(&o.Phases, "phase", nil, "only releases in that `PHASE`: "+strings.Join(overview.Phases(), ", ")+"; repeatable")
	flags.StringSliceVar(&o.Tiers, "tier", nil, "only releases of that `TIER`: production, staging, development; repeatable")
	flags.StringVarP(&o.Selector, "selector", "l", "", "only releases whose labels, or those of their Namespace, match the `SELECTOR`, as team=shop")
	flags.StringVarP(&o.File, "filename", "f", "", "`FILE` with HelmReleases as kubectl prints them, instead of a cluster; - is standard input")
	flags.BoolVar(&o.Readiness, "readiness", false, "say what admission would refuse, and in which order to begin; with --repo of what Git has, without a cluster")
	flags.BoolVar(&o.HelmStorage, "helm-storage", false, "find actions of Helm that were left unfinished, by the labels of its records, and say what an uninstall that is ahead deletes; needs the right to list Secrets")
	flags.StringVar(&o.Baseline, "baseline", "", "report only what is not in the baseline `FILE` of an audit")
	flags.StringVar(&o.WriteBaseline, "write-baseline", "", "write what is found to `FILE`; from one that exists, only drop what is no longer found")
	flags.StringVar(&o.WriteReports, "write-reports", "", "write reports of that `KIND` to the cluster, and delete those of releases that are gone: "+strings.Join(policyreport.Names(), ", "))
	flags.Var(&o.Shard, "shard", "ask only the part `INDEX/COUNT` of several clusters, as 0/8; merge makes one report of the parts")
	o.RegisterOutput(flags)
}

// RegisterOutput registers the flags that say what a report is compared with, and how it is written.
func (o *Options) RegisterOutput(flags *pflag.FlagSet) {
	flags.StringVar(&o.Since, "since", "", "say which releases are stuck since the earlier audit whose JSON is in `FILE`, and which no longer are")
	flags.StringVar(&o.FailOn, "fail-on", string(rules.Error), "exit with 1 at stuck releases and findings of this `SEVERITY` or worse: error, warning, info or off")
	flags.BoolVar(&o.Whole, "all", false, "show everything: a terminal gets one screen of text")
	flags.StringVar(&o.MetricsFile, "metrics-file", "", "write metrics to `FILE`.prom, for the textfile collector of node-exporter")
}
