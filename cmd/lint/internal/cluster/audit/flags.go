package audit

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Register registers the flags that are the audit's own.
func (o *Options) Register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&o.Contexts, "context", nil, "`CONTEXT` of the kubeconfig, or a glob such as 'prod-*' (default: the current one); repeatable")
	flags.BoolVar(&o.All, "all-contexts", false, "all clusters of the kubeconfig, or of each one in a folder")
	flags.DurationVar(&o.ClusterTimeout, "cluster-timeout", 0, "ask a cluster nothing else after an answer that takes longer than this `DURATION` (default: 10s of several clusters)")
	flags.StringVar(&o.Cluster, "cluster", "", "`NAME` of the cluster in the configuration and the repository (default: that of the context)")
	flags.StringVarP(&o.Namespace, "namespace", "n", "", "only releases of that `NAMESPACE`")
	flags.StringSliceVar(&o.Phases, "phase", nil, "only releases in that `PHASE`: "+strings.Join(Phases(), ", ")+"; repeatable")
	flags.StringSliceVar(&o.Tiers, "tier", nil, "only releases of that `TIER`: production, staging, development; repeatable")
	flags.StringVarP(&o.Selector, "selector", "l", "", "only releases whose labels, or those of their Namespace, match the `SELECTOR`, as team=shop")
	flags.StringVarP(&o.File, "filename", "f", "", "`FILE` with HelmReleases as kubectl prints them, instead of a cluster; - is standard input")
	flags.BoolVar(&o.Readiness, "readiness", false, "say what admission would refuse, and in which order to begin; with --repo of what Git has, without a cluster")
	flags.BoolVar(&o.HelmStorage, "helm-storage", false, "find actions of Helm that were left unfinished, by the labels of its records, and say what an uninstall that is ahead deletes; needs the right to list Secrets")
	flags.StringVar(&o.Baseline, "baseline", "", "report only what is not in the baseline `FILE` of an audit")
	flags.StringVar(&o.WriteBaseline, "write-baseline", "", "write what is found to `FILE`; from one that exists, only drop what is no longer found")
	flags.StringVar(&o.WriteReports, "write-reports", "", "write reports of that `KIND` to the cluster, and delete those of releases that are gone: "+strings.Join(KindNames(), ", "))
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
