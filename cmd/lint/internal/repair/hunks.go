package repair

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Hunks returns a fix of a release as edits of the files that decide; none if one
// of them cannot be edited to that end, or a safe fix would remove a comment.
// Whether other releases object, only a [Repairer] looks at.
func Hunks(r judge.Release, fix *rules.Fix) []report.Hunk {
	edits, err := editsOf(r, fix)
	if err != nil {
		return nil
	}
	var names []string
	for _, edit := range edits {
		names = append(names, edit.File)
	}
	files, err := Open(names)
	if err != nil {
		return nil
	}
	next, err := files.With(edits)
	if err != nil || fix.Safe && files.Lost(next) != "" {
		return nil
	}
	return next.Hunks()
}
