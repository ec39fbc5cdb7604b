package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
)

// run executes one command line and returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	std.err = plain.Writer{Writer: std.err}
	root := newRoot(std, args...)
	root.SetArgs(args)
	err := tree.Unchanged(func() error { return root.ExecuteContext(ctx) })
	if err == nil {
		return exitOK
	}
	if unknown := usage.UnknownCommand(root, args); unknown != nil {
		err = unknown
	}
	var exit *exitError
	var stopped *limits.Stopped
	if errors.As(context.Cause(ctx), &stopped) {
		err = &exitError{code: stopped.Code, err: stopped}
	}
	if !errors.As(err, &exit) {
		exit = &exitError{code: exitFailure, err: err}
	}
	if exit.err != nil {
		fmt.Fprintln(std.err, "flux-remedy: "+strings.ReplaceAll(exit.err.Error(), "\n", "\n  "))
	}
	return exit.code
}

// newRoot returns the command line. If the first argument names a command, the others are
// left out: their flags take longer to make than a file takes to judge.
func newRoot(std streams, args ...string) *cobra.Command {
	root := &cobra.Command{
		Use:     "flux-remedy",
		Version: buildVersion(),
		Short:   "Know what Flux will do when a HelmRelease fails, before it happens",
		Long: `Flux Remedy judges HelmReleases as Flux will apply them and says what
helm-controller would do when an install or an upgrade fails.

Exit codes: 0 clean (warnings allowed), 1 findings at or above --fail-on,
2 usage, configuration or read error, or a limit of time or memory was reached,
3 nothing to judge was found, 4 something is undetermined (with --strict; in diff
and with --new-from also without, if the change did it in production), 130 and
143 ended by SIGINT and SIGTERM.`,
		Example: `  flux-remedy lint                          # what is wrong in this repository
  flux-remedy render --release apps/shop    # the release as its clusters get it
  flux-remedy forecast --release apps/shop  # what happens when it fails
  flux-remedy rules no-recovery             # what a rule means`,
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	allowed := limits.Default()
	root.PersistentFlags().Var(&allowed.Memory, "max-memory", "end with an error beyond this `SIZE` of memory")
	root.PersistentFlags().DurationVar(&allowed.Time, "timeout", allowed.Time, "end with an error after this `DURATION`; one build may take a tenth of it")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if err := usage.FromEnvironment(cmd, std.environ, std.unknownVariable); err != nil {
			return err
		}
		std.watch.Set(allowed)
		return allowed.Check()
	}
	commands := map[string]func(streams) *cobra.Command{
		"lint": newLint, "lsp": newLSP, "render": newRender, "diff": newDiff, "forecast": newForecast, "why": newWhy, "revive": newRevive, "audit": newAudit,
		"rules": newRules, "config": newConfig, "vap": newVAP, "bundle": newBundle, "version": newVersion,
	}
	if len(args) > 0 && commands[args[0]] != nil {
		root.AddCommand(commands[args[0]](std))
	} else {
		for _, command := range commands {
			root.AddCommand(command(std))
		}
		root.AddCommand(usage.NewMan())
	}
	usage.Explain(root)
	return root
}
