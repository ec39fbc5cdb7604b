package main

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/fix"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// hunks gives a fix of a release as edits of the files that decide; none if one
// of them cannot be edited to that end, or a safe one would take a comment away.
// What other releases say to that, --fix asks.
func hunks(j judged, f *rules.Fix) []report.Hunk {
	var edits []flux.Edit
	var names []string
	for _, set := range f.Set {
		more, err := j.Edits(set)
		if err != nil {
			return nil
		}
		for _, edit := range more {
			edits, names = append(edits, edit), append(names, edit.File)
		}
	}
	files, err := fix.Open(names)
	if err != nil {
		return nil
	}
	next, err := files.With(edits)
	if err != nil || f.Safe && files.Lost(next) != "" {
		return nil
	}
	var out []report.Hunk
	for _, h := range next.Hunks() {
		out = append(out, report.Hunk(h))
	}
	return out
}
