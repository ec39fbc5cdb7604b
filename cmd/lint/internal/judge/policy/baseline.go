package policy

import (
	"bytes"
	"fmt"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// baselines lists the baseline files of the tree to which entries have been added, or
// from which some are gone. They excuse nothing here: neither a diff nor a comparison
// with a revision reads them.
func baselines(was, is []effective.Input, lines *lines) []report.PolicyChange {
	var out []report.PolicyChange
	for _, in := range is {
		for _, name := range in.Files.Paths() {
			now := entriesOf([]effective.Input{in}, in.Files.Name(name))
			if now == nil {
				continue
			}
			before := entriesOf(was, in.Files.Name(name))
			added, gone := absent(now, before), absent(before, now)
			if len(added)+len(gone) == 0 {
				continue
			}
			change := report.PolicyChange{
				What: "baseline", Before: fmt.Sprintf("%d entries", len(before)),
				After: fmt.Sprintf("%d entries, %d added and %d gone", len(now), len(added), len(gone)), File: in.Files.Name(name), Line: 1,
			}
			if at, ok := findLine(lines.added(), filepath.Dir(change.File), `"rule"`); ok && len(added) > 0 && at.file == change.File {
				change.Line = at.number
			}
			out = append(out, change)
		}
	}
	return out
}

// entriesOf returns the entries of the baseline in a file; nil if it is none.
func entriesOf(inputs []effective.Input, name string) []report.Known {
	file := fileOf(inputs, name)
	if file == nil || !isManifest(name) {
		return nil
	}
	data, err := file.Data()
	if err != nil || !bytes.Contains(data, []byte("kind: Baseline")) {
		return nil
	}
	baseline, err := judge.ParseBaseline(name, data)
	if err != nil {
		return nil
	}
	return append([]report.Known{}, baseline.Findings...)
}

// absent returns the entries of a baseline that another one lacks.
func absent(from, other []report.Known) []report.Known {
	known := map[report.Known]bool{}
	for _, k := range other {
		known[k] = true
	}
	var out []report.Known
	for _, k := range from {
		if !known[k] {
			out = append(out, k)
		}
	}
	return out
}
