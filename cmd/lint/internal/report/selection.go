package report

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Only returns the report with the findings of some rules. The others are counted in
// [Summary.NotSelected], unless they are waived, and nowhere else. What is undetermined
// stays, whatever its rules are.
func (r Report) Only(reported func(rule string) bool) Report {
	before := r.Summary.found()
	r.Findings = kept(r.Findings, func(f Finding) bool { return reported(f.Rule) })
	r.Summary.recount(r.Findings)
	r.Summary.NotSelected = before - r.Summary.found()
	return r
}

// In returns the part of the report that is about one file: what is found, undetermined,
// unapplied or unreadable there. A build that fails by what is in the file is told there. Releases stay, as many as were
// judged, and what is undetermined elsewhere counts in [Report.Undecided].
func (r Report) In(is func(file string) bool) Report {
	open := undecided(r.Undetermined) + len(r.Problems)
	r.Findings = kept(r.Findings, func(f Finding) bool { return is(f.File) })
	r.Problems = kept(r.Problems, func(p Problem) bool { return is(p.File) })
	r.Waivers = kept(r.Waivers, func(w Waiver) bool { return is(w.File) })
	r.Acceptances = kept(r.Acceptances, func(a AcceptedGap) bool { return is(a.File) })
	r.Unmatched = kept(r.Unmatched, func(u Unmatched) bool { return is(u.File) })
	r.Undetermined = words.Of(r.Undetermined, func(u release.Undetermined) release.Undetermined {
		if !is(u.File) && is(u.Cause) {
			u.File, u.Line = u.Cause, u.CauseLine
		}
		return u
	})
	r.Undetermined = kept(r.Undetermined, func(u release.Undetermined) bool { return is(u.File) })
	r.Unapplied = kept(r.Unapplied, func(u release.Undetermined) bool { return is(u.File) })
	s := Summary{Releases: r.Summary.Releases, Judged: r.Summary.Judged, AsWritten: r.Summary.AsWritten, NotSelected: r.Summary.NotSelected}
	s.Undetermined, s.Unapplied, s.Problems = len(r.Undetermined), len(r.Unapplied), len(r.Problems)
	s.Accepted = s.Undetermined - undecided(r.Undetermined)
	s.recount(r.Findings)
	r.Summary, r.elsewhere = s, open-undecided(r.Undetermined)-len(r.Problems)
	return r
}

// Elsewhere counts what is undetermined or cannot be read outside of the file that the
// report is about.
func (r Report) Elsewhere() int { return r.elsewhere }
