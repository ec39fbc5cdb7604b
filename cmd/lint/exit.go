package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// The exit codes. The output format never changes them.
const (
	exitOK           = 0 // clean; warnings are allowed
	exitFindings     = 1 // findings at or above --fail-on
	exitFailure      = 2 // usage, configuration, or something that cannot be read
	exitNothing      = 3 // nothing to judge was found
	exitUndetermined = 4 // something could not be determined: --strict, or a change in production
)

// streams are where a run reads from and writes to, and what is beside it.
type streams struct {
	in       io.Reader
	out, err io.Writer

	environ []string // variables that stand for flags, and those of a job in CI, as NAME=VALUE

	watch  *limits.Watch                    // of the process; nil in tests
	render func(sandbox.Job) sandbox.Result // renders templates; nil does it here
	host   live.Host                        // what the plugins of a kubeconfig need
}

func (s streams) process() load.Process {
	return load.Process{In: s.in, Err: s.err, Watch: s.watch, Render: s.render}
}

// variable returns the value of an environment variable; empty if it is not set.
func (s streams) variable(name string) string {
	for _, v := range s.environ {
		if known, value, _ := strings.Cut(v, "="); known == name {
			return value
		}
	}
	return ""
}

// sourceURL returns a function that returns the addresses of files of the repository around a path. None has one if
// the job is about another commit, or about another repository.
func (s streams) sourceURL(path string) func(file string, line int) string {
	repository := sync.OnceValues(func() (*git.Repository, error) { return git.Open(path) })
	return report.SourceURL(s.variable, func(file, commit string) (string, error) {
		in, err := repository()
		if err != nil {
			return "", err
		}
		if !in.IsAt(commit) {
			return "", fmt.Errorf("%s is not of %s", file, commit)
		}
		return in.Path(file)
	})
}

// note writes a line to people.
func (s streams) note(format string, args ...any) {
	fmt.Fprintln(s.err, plain.Line("flux-remedy: "+fmt.Sprintf(format, args...)))
}

// unknownVariable says that a variable stands for no flag.
func (s streams) unknownVariable(name string, known []string) {
	s.note("%s is no variable of this program%s", name, rules.DidYouMean(name, known))
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

// ends returns an exit code, and the cause of it with the way out.
func ends(code int, cause string) error {
	return &exitError{code, fmt.Errorf("exit code %d: %s", code, cause)}
}

// unreadable is the cause of a run that fails by problems.
const unreadable = "what could not be read was not checked: repair it, or leave out the files with spec.ignore"

// findings ends a run with findings. Errors say by themselves that they fail it.
func findings(failOn rules.Severity) error {
	if failOn == rules.Error {
		return &exitError{code: exitFindings}
	}
	return ends(exitFindings, fmt.Sprintf("findings fail from %s on: repair or waive them, or choose another --fail-on", failOn))
}

// why returns what a report says of how the run fails; "" if there is nothing to say.
func why(err error) string {
	if exit := (*exitError)(nil); errors.As(err, &exit) && exit.code != exitOK && exit.err != nil {
		return exit.err.Error()
	}
	return ""
}
