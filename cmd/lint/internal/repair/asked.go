package repair

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/output"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Kinds are the kinds of repairs that can be asked for.
var Kinds = []string{"safe", "unsafe", "central"}

// Asked says which repairs were asked for on the command line.
type Asked struct {
	Kinds []string // --fix
	Diff  bool     // --diff: only shown
	// Patched is true if standard output gets the patch as a report.
	Patched bool
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

// TakePatch takes note of whether the patch of the repairs goes to standard output.
func (a *Asked) TakePatch(outputs []output.Output) error {
	for _, o := range outputs {
		if o.Format.Name != "patch" {
			continue
		}
		if !a.Wanted() {
			return errors.New("-o patch: it is the patch of repairs: add --fix or --diff")
		}
		a.Patched = a.Patched || o.File == ""
	}
	return nil
}
