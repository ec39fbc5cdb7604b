package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// expiring is how long before its end a waiver is spoken of.
const expiring = 14 * 24 * time.Hour

// waivers lists the waivers of the tree and of the configuration, one for each
// place where one is written. An entry of the configuration whose releases the
// run may not have seen is left out, unless it has expired. What names a rule
// that the engine does not have is unknown.
func (run *judgement) waivers(config configuration, engine *rules.Engine) []report.Waiver {
	annotations, entries := run.written(config.Config)
	out := annotations
	covered := config.file != "" && run.covers(filepath.Dir(config.file))
	for i, entry := range config.Spec.Waivers.Entries {
		w := report.Waiver{
			Rule: entry.Rule, Release: cmp.Or(entry.Namespace, "*") + "/" + cmp.Or(entry.Name, "*"),
			Reason: entry.Reason, Owner: entry.Owner, Until: entry.Until, DaysLeft: entry.Until.Days(run.now),
			State: stateOf(entry.Until, entries[i], run.now),
		}
		if w.State != report.WaiverUnused || covered {
			w.File, w.Line = config.entry(i)
			out = append(out, w)
		}
	}
	for i := range out {
		if len(engine.Named(out[i].Rule)) == 0 {
			out[i].State = report.WaiverUnknown
		}
	}
	slices.SortFunc(out, func(a, b report.Waiver) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Release, b.Release))
	})
	return out
}

// written gives the waivers that stand in annotations, each place once although
// several clusters may apply it, and which entries of the configuration are used.
func (run *judgement) written(config *rules.Config) (annotations []report.Waiver, entries map[int]bool) {
	type place struct {
		file string
		line int
		rule string
	}
	at := map[place]int{}
	annotations, entries = []report.Waiver{}, map[int]bool{}
	for _, j := range run.all {
		for waiver, used := range j.waivers(config) {
			if len(waiver.Path) == 0 {
				entries[waiver.Entry] = entries[waiver.Entry] || used
				continue
			}
			where := j.Locate(waiver.Path)
			w := report.Waiver{
				Rule: waiver.Rule, Release: nameOf(j).String(), Reason: waiver.Reason, Until: waiver.Until, DaysLeft: waiver.Until.Days(run.now),
				State: stateOf(waiver.Until, used, run.now), File: where.File, Line: where.Line,
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

// waivers goes through the waivers written for a release and tells whether each
// accepts a finding. It may, if the release cannot be judged.
func (j judged) waivers(config *rules.Config) func(yield func(rules.Waiver, bool) bool) {
	all, unknown := j.verdict.Waivers, j.verdict.Class == rules.ClassUnknown
	if unknown {
		all, _ = config.Waivers(j.Release.Release)
	}
	return func(yield func(rules.Waiver, bool) bool) {
		for i := range all {
			used := unknown || slices.ContainsFunc(j.verdict.Findings, func(f rules.Finding) bool { return f.Waiver == &all[i] })
			if !yield(all[i], used) {
				return
			}
		}
	}
}

// noteRenamed says which annotations waive a rule by a name that it had before.
func noteRenamed(std streams, engine *rules.Engine, all []judged) {
	said := map[string]bool{}
	for _, j := range all {
		for _, waiver := range j.verdict.Waivers {
			renamed := engine.Renamed(waiver.Rule)
			if renamed == "" || len(waiver.Path) == 0 {
				continue
			}
			where := j.Locate(waiver.Path)
			if note := fmt.Sprintf("%s:%d: %s", where.File, where.Line, renamed); !said[note] {
				said[note] = true
				fmt.Fprintf(std.err, "flux-remedy: %s\n", note)
			}
		}
	}
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

// entry gives the place of an entry of the configuration's waivers.
func (c configuration) entry(i int) (file string, line int) {
	file = relative(c.file)
	data, err := os.ReadFile(c.file)
	if err != nil {
		return file, 0
	}
	parsed, err := yamledit.Parse(c.file, data)
	if err != nil || len(parsed.Documents) == 0 {
		return file, 0
	}
	at, _ := parsed.Documents[0].Find("spec", "waivers", "entries", i)
	return file, at.Line
}

// relative gives a file as seen from the working directory, if it is below.
func relative(file string) string {
	here, err := os.Getwd()
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(here, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}
