package report

import (
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// issue is one of GitLab's code quality report. GitLab reads no other field of one: an edit
// can only be told in the description.
// https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
type issue struct {
	Description string   `json:"description"`
	CheckName   string   `json:"check_name"`
	Fingerprint string   `json:"fingerprint"`
	Severity    string   `json:"severity"`
	Location    location `json:"location"`
}

type location struct {
	Path  string `json:"path"`
	Lines lines  `json:"lines"`
}

type lines struct {
	Begin int `json:"begin"`
}

// writeGitLab writes the findings that are not waived. What could not be known
// or read is an issue too, unless the configuration accepts it: a merge request shows nothing else.
func writeGitLab(w io.Writer, r Report, opts Options) error {
	all := r.Findings
	for _, u := range opts.listed(r.Undetermined) {
		all = append(all, Finding{Rule: "undetermined", Severity: rules.Info, Message: reasonOf(u), Position: Position{File: u.File, Line: u.Line}})
	}
	for _, u := range unappliedPlaces(opts.listed(r.Unapplied)) {
		all = append(all, Finding{Rule: "unapplied", Severity: rules.Info, Message: u.Reason, Position: Position{File: u.File, Line: u.Line}})
	}
	for _, p := range r.Problems {
		all = append(all, Finding{Rule: "unreadable", Severity: rules.Error, Message: p.Message, Position: Position{File: p.File, Line: p.Line}})
	}
	issues := []issue{}
	prints := fingerprints(all)
	for i, f := range all {
		if f.Waived != nil {
			continue
		}
		description := f.Message
		if f.Release != (release.Name{}) {
			description = message([]Finding{f}) + f.HoldsUp.clause()
		}
		if repair := repairText(f); repair != "" {
			description += "; " + repair
		}
		issues = append(issues, issue{
			Description: description, CheckName: f.Rule, Fingerprint: prints[i], Severity: gitLabSeverities[f.Severity],
			Location: location{strings.TrimPrefix(f.File, "./"), lines{max(f.Line, 1)}},
		})
	}
	return plain.WriteJSON(w, issues)
}

var gitLabSeverities = map[rules.Severity]string{rules.Error: "critical", rules.Warning: "minor", rules.Info: "info"}
