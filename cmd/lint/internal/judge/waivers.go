package judge

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// expiring is how long before its end a waiver is reported.
const expiring = 14 * 24 * time.Hour

// Waivers lists the waivers of the tree and of the configuration, one for each
// place where one is written. An entry of the configuration whose releases the
// run may not have seen, as behind a build that fails, is left out, unless it has expired. What names a rule
// that the engine does not have is unknown.
func (run *Run) Waivers(config Configuration, engine *rules.Engine) []report.Waiver {
	annotations, entries := run.written(config.Config)
	out := annotations
	covered := config.File != "" && config.Root == "" && run.covers(filepath.Dir(config.File)) && run.built()
	for i, entry := range config.Spec.Waivers.Entries {
		w := report.Waiver{
			Rule: entry.Rule, Release: cmp.Or(entry.Namespace, "*") + "/" + cmp.Or(entry.Name, "*"), Where: whereOf(entry),
			Reason: entry.Reason, Owner: entry.Owner, Until: entry.Until, DaysLeft: entry.Until.Days(run.Now),
			State: stateOf(entry.Until, entries[i], run.Now),
		}
		if w.State != report.WaiverUnused || covered {
			w.File, w.Line = config.Place("spec", "waivers", "entries", i)
			out = append(out, w)
		}
	}
	out = append(out, run.commented(engine)...)
	for i := range out {
		if len(engine.Named(out[i].Rule)) == 0 {
			out[i].State, out[i].DidYouMean = report.WaiverUnknown, rules.DidYouMean(out[i].Rule, engine.IDs())
		}
	}
	slices.SortFunc(out, func(a, b report.Waiver) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Release, b.Release))
	})
	return out
}

// written returns the waivers in annotations, each place once although
// several clusters may apply it, and which entries of the configuration are used.
func (run *Run) written(config *rules.Config) (annotations []report.Waiver, entries map[int]bool) {
	type place struct {
		file string
		line int
		rule string
	}
	at := map[place]int{}
	annotations, entries = []report.Waiver{}, map[int]bool{}
	for _, r := range run.Releases {
		for waiver, used := range r.waivers() {
			if len(waiver.Path) == 0 {
				entries[waiver.Entry] = entries[waiver.Entry] || used
				continue
			}
			where := r.Locate(waiver.Path)
			w := report.Waiver{
				Rule: waiver.Rule, Release: r.ID().String(), Reason: r.Mask(waiver.Reason), Until: waiver.Until, DaysLeft: waiver.Until.Days(run.Now),
				State: stateOf(waiver.Until, used, run.Now), File: where.File, Line: where.Line,
			}
			k := place{w.File, w.Line, w.Rule}
			i, seen := at[k]
			switch {
			case !seen:
				at[k] = len(annotations)
				annotations = append(annotations, w)
			case annotations[i].State == report.WaiverUnused:
				annotations[i].State = w.State
			}
		}
	}
	return annotations, entries
}

// whereOf names what an entry is for beside releases.
func whereOf(entry rules.WaiverEntry) string {
	var parts []string
	for _, part := range [][2]string{{"in cluster", entry.Cluster}, {"decided in", entry.File}, {"by", entry.Field}} {
		if part[1] != "" {
			parts = append(parts, part[0]+" "+part[1])
		}
	}
	return strings.Join(parts, " ")
}

// commented returns the waivers in comments. One of a rule that there is and that is not used may be for what cannot be
// judged, or was not looked at: then it is left out.
func (run *Run) commented(engine *rules.Engine) []report.Waiver {
	var out []report.Waiver
	open := len(run.Tree.Undetermined)+len(run.Tree.Unapplied)+len(run.Tree.Problems) > 0
	for _, c := range run.Tree.Comments {
		if c.Err != nil || run.refused[c] != nil && !run.used[c] {
			continue
		}
		w := report.Waiver{
			Rule: c.Rule, Reason: c.Reason, Until: c.Until, DaysLeft: c.Until.Days(run.Now), State: stateOf(c.Until, run.used[c], run.Now),
			File: c.File, Line: c.Line,
		}
		if w.State != report.WaiverUnused || len(engine.Named(c.Rule)) == 0 || !open && run.covers(filepath.Dir(c.File)) {
			out = append(out, w)
		}
	}
	return out
}

// Displaced returns waivers with those in comments beside a line at which one patch would repair findings: they waive none of
// them, whatever else the run has not seen.
func (run *Run) Displaced(waivers []report.Waiver, found []report.Finding) []report.Waiver {
	for _, c := range run.Tree.Comments {
		if c.Err != nil || run.used[c] || run.refused[c] != nil || c.Until.Over(run.Now) {
			continue
		}
		var decided []string
		for _, f := range found {
			if at := fmt.Sprintf("%s:%d", f.File, f.Line); f.Rule == c.Rule && f.PatchedAt(c.File, c.Beside) && !slices.Contains(decided, at) {
				decided = append(decided, at)
			}
		}
		if len(decided) == 0 {
			continue
		}
		waivers = slices.DeleteFunc(waivers, func(w report.Waiver) bool { return w.File == c.File && w.Line == c.Line })
		waivers = append(waivers, report.Waiver{
			Rule: c.Rule, Reason: c.Reason, Until: c.Until, DaysLeft: c.Until.Days(run.Now), State: report.WaiverUnused, File: c.File, Line: c.Line, Decided: decided,
		})
	}
	return waivers
}

// waivers goes through the waivers written for a release and reports whether each
// accepts a finding, be it when the release is resumed. It may, if fields of the release are not known.
func (r Release) waivers() func(yield func(rules.Waiver, bool) bool) {
	all, unknown, findings := r.Verdict.Waivers, len(r.Unknown) > 0, r.Then().Verdict.Findings
	return func(yield func(rules.Waiver, bool) bool) {
		for i := range all {
			used := unknown || slices.ContainsFunc(findings, func(f rules.Finding) bool { return f.Waiver != nil && sameWaiver(*f.Waiver, all[i]) })
			if !yield(all[i], used) {
				return
			}
		}
	}
}

// sameWaiver reports whether two waivers of a release are written in the same place.
func sameWaiver(a, b rules.Waiver) bool {
	return a.Rule == b.Rule && a.Entry == b.Entry && a.File == b.File && a.Line == b.Line && a.Path.String() == b.Path.String()
}

// Renamed says which annotations and comments waive a rule by a name that it had before, each
// place once.
func (run *Run) Renamed(engine *rules.Engine) []string {
	var notes []string
	for _, r := range run.Releases {
		for _, waiver := range r.Verdict.Waivers {
			renamed := engine.Renamed(waiver.Rule)
			if renamed == "" || len(waiver.Path) == 0 {
				continue
			}
			where := r.Locate(waiver.Path)
			if note := fmt.Sprintf("%s:%d: %s", where.File, where.Line, renamed); !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	for _, c := range run.Tree.Comments {
		if renamed := engine.Renamed(c.Rule); c.Err == nil && renamed != "" {
			notes = append(notes, fmt.Sprintf("%s:%d: %s", c.File, c.Line, renamed))
		}
	}
	return notes
}

func stateOf(until rules.Date, used bool, now time.Time) report.WaiverState {
	switch {
	case until.Over(now):
		return report.WaiverExpired
	case !used:
		return report.WaiverUnused
	case until.Over(now.Add(expiring)):
		return report.WaiverExpiring
	}
	return report.WaiverUsed
}
