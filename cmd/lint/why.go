package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// explainer are the flags of the command why.
type explainer struct {
	source
	incident.Options
	repo string
}

func newWhy(std streams) *cobra.Command {
	e := &explainer{}
	cmd := &cobra.Command{
		Use:   "why [NAME | -]",
		Short: "Say what a HelmRelease on a cluster waits for, and what revives it",
		Long: `Say of a HelmRelease on a cluster in a few lines: how it is, since when and after
what, what Flux does next, what revives it, and which setting made it so.

It reads what kubectl prints, from FILE or, for "-", from standard input: an object
or a list. Without NAME it tells of all that are not Ready. It never reads a cluster.`,
		Example: `  kubectl get helmrelease shop -n apps -o yaml | flux-remedy why -
  kubectl get helmreleases -A -o yaml | flux-remedy why -
  flux-remedy why shop -n apps --filename releases.yaml --repo .`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			e.Name, e.Now = strings.Join(args, ""), time.Now()
			return e.run(cmd.Context(), std)
		},
	}
	e.register(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&e.Namespace, "namespace", "n", "", "only releases of that `NAMESPACE`")
	flags.StringVar(&e.File, "filename", "", "`FILE` with HelmReleases as the cluster has them; - is standard input")
	flags.StringVar(&e.repo, "repo", "", "folder `DIR` of the repository, to name the line that decides")
	flags.StringVarP(&e.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(incident.Formats(), ", "))
	complete(cmd, "output", incident.Formats())
	return cmd
}

func (e *explainer) run(ctx context.Context, std streams) error {
	if err := e.Check(); err != nil {
		return err
	}
	files, err := onDisk(std).Open(ctx, e.File, tree.Options{})
	if err != nil {
		return err
	}
	objects, err := e.Read(files)
	if err != nil {
		return err
	}
	if len(objects) == 0 {
		return e.nothing(e.Nothing())
	}
	engine, err := newEngine(ctx, e.policies)
	if err != nil {
		return err
	}
	var read loaded
	if e.repo != "" {
		read, err = e.load(ctx, std, engine, onDisk(std), []string{e.repo})
	} else {
		read.config, err = onDisk(std).Config(e.config, ".")
	}
	if err != nil {
		return err
	}
	return e.Explain(ctx, std.out, objects, engine, read.config, read.tree)
}
