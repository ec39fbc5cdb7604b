package main

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/revive"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newRevive(std streams) *cobra.Command {
	o := &revive.Options{Pause: 2 * time.Second, Now: time.Now, Extend: std.watch.Extend}
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
			o.Releases = args
			ready, err := o.Run(cmd.Context(), std.out, onDisk(std))
			switch {
			case errors.Is(err, revive.ErrNone):
				return &exitError{exitNothing, err}
			case err == nil && !ready:
				return &exitError{code: exitFindings}
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.AllStuck, "all-stuck", false, "all releases that need a human")
	flags.BoolVar(&o.Yes, "yes", false, "make the requests")
	flags.IntVar(&o.AtOnce, "at-once", 1, "try `N` releases at once")
	flags.DurationVar(&o.Wait, "wait", 15*time.Minute, "wait for the outcome of a release for this `DURATION`")
	flags.BoolVar(&o.KeepGoing, "keep-going", false, "go on with other releases after one that fails again")
	flags.StringVar(&o.Context, "context", "", "`CONTEXT` of the kubeconfig (default: the current one)")
	clusterFlags(cmd, &o.Access, std)
	flags.StringVarP(&o.Namespace, "namespace", "n", "", "releases of that `NAMESPACE` (default: that of the context; with --all-stuck all)")
	flags.StringVar(&o.Config, "config", "", "configuration `FILE` (default: "+rules.ConfigFile+" found upward from the working directory)")
	usage.Need(cmd, "keep-going", "yes")
	return cmd
}
