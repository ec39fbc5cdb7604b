package repair

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Kinds are the kinds of repairs that can be asked for.
var Kinds = []string{"safe", "unsafe", "central"}

// Asked says which repairs were asked for on the command line.
type Asked struct {
	Kinds []string // --fix
	Diff  bool     // --diff: only shown
	// Reported is true if standard output gets a report with the plan, and no diff.
	Reported bool
}

// Wanted reports whether anything is repaired or shown.
func (a *Asked) Wanted() bool { return len(a.Kinds) > 0 || a.Diff }

// Check refuses kinds that there are not, and paths that cannot be changed.
func (a *Asked) Check(paths []string) error {
	for _, kind := range a.Kinds {
		if !slices.Contains(Kinds, kind) {
			return fmt.Errorf("--fix=%s: want safe, unsafe or central%s", kind, rules.DidYouMean(kind, Kinds))
		}
	}
	if len(a.Kinds) > 0 && len(paths) > 0 && slices.Contains(Kinds, paths[0]) {
		if _, err := os.Stat(paths[0]); err != nil {
			return fmt.Errorf("%s is no path: did you mean --fix=%s?", paths[0], paths[0])
		}
	}
	if a.Wanted() && slices.Contains(paths, "-") {
		return errors.New("--fix: standard input cannot be changed: name files or folders")
	}
	return nil
}

// TakeReports takes note of whether a report on standard output holds the plan of the repairs.
func (a *Asked) TakeReports(outputs report.Outputs) error {
	for _, o := range outputs {
		if o.Format.Name == "patch" && !a.Wanted() {
			return errors.New("-o patch writes what --fix repairs: add --fix, or --diff to leave the files as they are")
		}
		a.Reported = a.Reported || o.File == "" && HoldsPlan(o)
	}
	return nil
}

// HoldsPlan reports whether an output tells all of a plan, so that a diff beside it on standard
// output is in the way.
func HoldsPlan(o report.Output) bool {
	return slices.Contains([]string{"json", "markdown", "patch"}, o.Format.Name)
}
