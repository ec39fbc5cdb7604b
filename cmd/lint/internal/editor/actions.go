package editor

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
)

// actions returns the edits for what is found in some lines of a file, safe ones first: those that
// nothing objects to.
func (s *session) actions(v View, name string, lines extent) ([]codeAction, error) {
	out := []codeAction{}
	of, _ := s.documents.textOf(name)
	for _, safe := range []bool{true, false} {
		open := slices.DeleteFunc(v.Report.Lines(), func(line report.Line) bool {
			here := sameFile(line.File, name) && line.Line > lines.Start.Line && line.Line <= lines.End.Line+1
			return !here || !slices.ContainsFunc(line.Findings, func(f report.Finding) bool { return f.Fix != nil && f.Fix.Safe == safe })
		})
		suggested, err := v.suggested(open, safe)
		if err != nil {
			return nil, err
		}
		for _, line := range open {
			found := repaired(suggested, line)
			if found == nil || slices.ContainsFunc(out, func(other codeAction) bool { return reflect.DeepEqual(other.Edit, s.edit(found.Hunks)) }) {
				continue
			}
			d := diagnostic{Range: of.rest(line.Line, line.Column), Severity: severities[line.Severity], Source: source, Message: line.Message}
			s.found(&d, v, line.Findings)
			kind := map[bool]string{true: "safe", false: "unsafe"}[found.Fix.Safe]
			out = append(out, codeAction{
				Title: fmt.Sprintf("%s fix of %s: %s", kind, found.Rule, report.FixText(*found.Fix)), Kind: "quickfix", Preferred: found.Fix.Safe,
				Diagnostics: []diagnostic{d}, Edit: s.edit(found.Hunks),
			})
		}
	}
	return out, nil
}

func (v View) suggested(lines []report.Line, safe bool) (report.Report, error) {
	var names []string
	of := map[release.Name]bool{}
	for _, line := range lines {
		names = append(names, line.Findings[0].Rule)
		for _, f := range line.Findings {
			of[f.Release] = true
		}
	}
	if len(names) == 0 {
		return report.Report{}, nil
	}
	return v.Suggest(names, safe, slices.DeleteFunc(slices.Clone(v.State.Releases), func(r judge.Release) bool { return !of[r.ID()] }))
}

// repaired returns one of the findings of a line with the edit that makes them go away; nil without one.
func repaired(suggested report.Report, line report.Line) *report.Finding {
	for _, f := range suggested.Findings {
		if f.Rule == line.Findings[0].Rule && f.File == line.File && f.Line == line.Line && f.Fix != nil && len(f.Hunks) > 0 {
			return &f
		}
	}
	return nil
}

func (s *session) edit(hunks []report.Hunk) workspaceEdit {
	out := workspaceEdit{Changes: map[string][]textEdit{}}
	for _, h := range hunks {
		of, uri := s.documents.textOf(h.File)
		to := of.at(h.ToLine, h.ToColumn)
		out.Changes[uri] = append(out.Changes[uri], textEdit{extent{of.at(h.Line, h.Column), to}, string(h.Text)})
	}
	return out
}
