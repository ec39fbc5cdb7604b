package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/loss"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// explainer are the flags of the command why.
type explainer struct {
	source
	incident.Options
	access live.Access
	repo   string
	stored bool
}

func newWhy(std streams) *cobra.Command {
	e := &explainer{}
	cmd := &cobra.Command{
		Use:   "why [NAME | -]",
		Short: "Say what a HelmRelease on a cluster waits for, and what revives it",
		Long: `Explain a HelmRelease on a cluster in a few lines: its state, since when and why,
what Flux does next, what revives it, and which setting decides that.
Without NAME it explains all that are not Ready.

It reads the cluster and the namespace that kubectl would read, and changes
nothing. It reads no Secret, unless --helm-storage asks for Helm's record. With
--filename it reads what kubectl has printed: an object or a list, "-" from standard input.`,
		Example: `  flux-remedy why shop -n apps
  flux-remedy why -A --context production
  kubectl get helmrelease shop -n apps -o yaml | flux-remedy why -
  flux-remedy why shop -n apps --filename releases.yaml --repo .`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.Name, e.Now = strings.Join(args, ""), time.Now()
			return e.run(cmd.Context(), std)
		},
	}
	e.register(cmd)
	e.Register(cmd.Flags())
	clusterFlags(cmd, &e.access, std)
	usage.Exclude(cmd, "all-namespaces", "namespace")
	cmd.Flags().StringVar(&e.repo, "repo", "", "folder `DIR` of the repository, to name the line that decides")
	storageFlag(cmd, &e.stored)
	usage.Exclude(cmd, "helm-storage", "filename")
	usage.Complete(cmd, "output", incident.Formats())
	return cmd
}

func (e *explainer) run(ctx context.Context, std streams) error {
	if err := e.Check(); err != nil {
		return err
	}
	found, around, err := e.find(ctx, std)
	if err != nil {
		return err
	}
	if len(found.Objects) == 0 {
		return e.nothing(e.Nothing(found.Where))
	}
	engine, err := e.Engine(ctx, onDisk(std), e.repo)
	if err != nil {
		return err
	}
	read, err := e.inRepo(ctx, std, engine, e.repo)
	if err != nil {
		return err
	}
	by, err := incident.Under(engine, read.Config, e.Now)
	if err != nil {
		return err
	}
	by.On(found.Cluster, found.Controller)
	by.Address = incident.Address{Context: e.access.Context, Kubeconfig: e.access.Kubeconfig}
	by.Beside = found.Beside
	by.Around, by.Unlisted = around, found.Unlisted
	by.In(read.Tree, read.Config)
	for _, unknown := range incident.Unresolved(read.Tree, found.Objects) {
		std.note("%s", unknown)
	}
	if e.stored {
		cluster, err := e.access.Open()
		if err != nil {
			return err
		}
		by.Recorded = recorded(ctx, cluster)
	}
	return e.Explain(ctx, std.out, found.Objects, by)
}

// storageFlag has Helm's records read.
func storageFlag(cmd *cobra.Command, stored *bool) {
	cmd.Flags().BoolVar(stored, "helm-storage", false, "say what an uninstall deletes and keeps, by the manifests in Helm's record of the release; needs the right to list Secrets")
}

// recorded reads Helm's record of a release. What it holds beside the names and sizes of objects is
// not printed.
func recorded(ctx context.Context, cluster *live.Cluster) func(*release.Release, *release.Live) (*loss.Release, error) {
	return func(r *release.Release, status *release.Live) (*loss.Release, error) {
		return cluster.HelmRecord(ctx, r, status)
	}
}

// inRepo reads a repository or, without one, the configuration around the working directory.
func (s *source) inRepo(ctx context.Context, std streams, engine *rules.Engine, folder string) (read load.Loaded, err error) {
	if folder != "" {
		return s.Load(ctx, std.process(), engine, onDisk(std), []string{folder})
	}
	read.Config, err = s.Policies.Over(onDisk(std)).Config(s.Config, ".")
	return read, err
}

// find reads the releases that are asked for, from a cluster or a file, and what is around them; nil if
// that is not known.
func (e *explainer) find(ctx context.Context, std streams) (found live.Found, around *standstill.Cluster, err error) {
	if e.File != "" {
		found.Objects, found.Beside, around, err = e.Read(ctx, onDisk(std))
		return found, around, err
	}
	if found, err = e.access.Releases(ctx, e.Namespace, e.Name, e.All); err == nil && found.Unlisted == nil {
		around = standstill.Of(found.Objects, found.Beside, found.Kustomizations)
	}
	return found, around, err
}

// clusterFlags say how clusters are found, as kubectl has them, unless the command has a context
// flag of its own.
func clusterFlags(cmd *cobra.Command, access *live.Access, std streams) {
	access.Host = std.host
	if cmd.Flags().Lookup("context") == nil {
		cmd.Flags().StringVar(&access.Context, "context", "", "`CONTEXT` of the kubeconfig (default: the current one)")
	}
	cmd.Flags().StringVar(&access.Kubeconfig, "kubeconfig", "", "kubeconfig `FILE` (default: $KUBECONFIG, or ~/.kube/config)")
	usage.CompleteLater(cmd, "context", func(context.Context, []string) []string {
		names, _ := access.Contexts()
		return names
	})
}
