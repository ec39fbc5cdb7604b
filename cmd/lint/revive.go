package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/revive"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// reviver are the flags of the command revive.
type reviver struct {
	source
	revive.Options
	repo string
}

func newRevive(std streams) *cobra.Command {
	r := &reviver{Options: revive.Options{Pause: 2 * time.Second, Now: time.Now, Extend: std.watch.Extend}}
	cmd := &cobra.Command{
		Use:   "revive NAMESPACE/NAME... | --all-stuck",
		Short: "Have Flux try again what is stuck on a cluster, as the forecast says",
		Long: `Show for HelmReleases that need a human the mildest request that is enough and what
comes of it. With --yes it makes the requests, one release after the other, waits
and says how each one ended. After one that fails again it begins no other.

A request sets the annotations of "flux reconcile helmrelease"; nothing else is
changed, and nothing deleted. Left alone is what is Ready, suspended, being deleted
or tried again by Flux itself. Mend the cause first.

Exit codes: 0 if all that was asked for is Ready, 1 if not or if --yes is missing,
2 if something cannot be read or changed, 3 if a release is not there.`,
		Example: `  flux-remedy revive apps/shop              # the plan
  flux-remedy revive apps/shop --yes
  flux-remedy revive --all-stuck --yes --at-once 3`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.Releases = args
			return r.run(cmd.Context(), std)
		},
	}
	r.Builder = build.NewBuilder()
	r.Register(cmd.Flags())
	storageFlag(cmd, &r.HelmStorage)
	clusterFlags(cmd, &r.Access, std)
	usage.Config(cmd, &r.Config, rules.ConfigFile)
	cmd.Flags().StringVar(&r.repo, "repo", "", "folder `DIR` of the repository, whose helm-controller and configuration count")
	usage.Complete(cmd, "output", revive.Formats())
	usage.Need(cmd, "keep-going", "yes")
	return cmd
}

func (r *reviver) run(ctx context.Context, std streams) error {
	if err := r.Check(); err != nil {
		return err
	}
	engine, err := r.Engine(ctx, onDisk(std), r.repo)
	if err != nil {
		return err
	}
	read, err := r.inRepo(ctx, std, engine, r.repo)
	if err != nil {
		return err
	}
	ready, err := r.Run(ctx, std.out, read.Config, read.Tree)
	switch {
	case errors.Is(err, revive.ErrNone):
		return &exitError{exitNothing, err}
	case err == nil && !ready:
		return &exitError{code: exitFindings}
	}
	return err
}
