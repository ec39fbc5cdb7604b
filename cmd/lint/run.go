package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes. The output format never changes them.
const (
	exitOK           = 0 // clean; warnings are allowed
	exitFindings     = 1 // findings at or above --fail-on
	exitFailure      = 2 // usage, configuration, or something that cannot be read
	exitNothing      = 3 // nothing to judge was found
	exitUndetermined = 4 // something could not be determined, and --strict is set
)

// streams are where a run reads from and writes to.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// exitError carries an exit code to the edge of run. Its error may be nil when
// everything has been said.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// run executes one command line and gives the exit code.
func run(ctx context.Context, args []string, std streams) int {
	root := newRoot(std)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	var exit *exitError
	if !errors.As(err, &exit) {
		exit = &exitError{code: exitFailure, err: err}
	}
	if exit.err != nil {
		fmt.Fprintln(std.err, "flux-remedy: "+strings.ReplaceAll(inOurWords(exit.err.Error()), "\n", "\n  "))
	}
	return exit.code
}

func newRoot(std streams) *cobra.Command {
	root := &cobra.Command{
		Use:     "flux-remedy",
		Version: buildVersion(),
		Short:   "Know what Flux will do when a HelmRelease fails, before it happens",
		Long: `Flux Remedy judges HelmReleases as Flux will apply them and says what
helm-controller would do when an install or an upgrade fails.

Exit codes: 0 clean (warnings allowed), 1 findings at or above --fail-on,
2 usage, configuration or read error, 3 nothing to judge was found,
4 something could not be determined and --strict is set.`,
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
	cobra.AddTemplateFunc("bracketed", bracketed)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), "Flags.FlagUsages ", "Flags.FlagUsagesWrapped 100 | bracketed "))
	root.AddCommand(newLint(std), newRender(std), newDiff(std), newForecast(std), newRules(std), newConfig(std), newVersion(std), newMan())
	explain(root)
	return root
}

var optional = regexp.MustCompile(`(--[\w-]+) (\w+)\[=[a-z]+\]( *)`)

// bracketed writes the flags whose value may be left out as they are typed:
// --fix[=KIND].
func bracketed(usages string) string {
	return optional.ReplaceAllStringFunc(usages, func(flag string) string {
		m := optional.FindStringSubmatch(flag)
		typed := m[1] + "[=" + m[2] + "]"
		return typed + strings.Repeat(" ", len(flag)-len(typed))
	})
}
