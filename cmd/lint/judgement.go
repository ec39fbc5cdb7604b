package main

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// judgement is what one run has looked at, and what it has found.
type judgement struct {
	tree  *flux.Tree
	all   []judged
	paths []string
	whole bool // no cluster was left out
	now   time.Time
}

// covers tells whether the run has looked at everything below a folder, so that
// what it has not seen is not there.
func (run *judgement) covers(dir string) bool {
	return run.whole && slices.ContainsFunc(run.paths, func(path string) bool {
		above, err1 := filepath.Abs(path)
		below, err2 := filepath.Abs(dir)
		if err1 != nil || err2 != nil || path == "-" {
			return false
		}
		rel, err := filepath.Rel(above, below)
		return err == nil && filepath.IsLocal(rel)
	})
}

// unwaive takes every waiver away.
func (run *judgement) unwaive() {
	for _, j := range run.all {
		for i := range j.verdict.Findings {
			j.verdict.Findings[i].Waiver = nil
		}
	}
}

// drop removes findings, but no waived ones, and counts them.
func (run *judgement) drop(old func(judged, rules.Finding) bool) int {
	n := 0
	for i := range run.all {
		j := &run.all[i]
		before := len(j.verdict.Findings)
		j.verdict.Findings = slices.DeleteFunc(j.verdict.Findings, func(f rules.Finding) bool {
			return f.Waiver == nil && old(*j, f)
		})
		n += before - len(j.verdict.Findings)
	}
	return n
}

// sees tells whether the run sees every release of a cluster in a folder.
func (run *judgement) sees(dir, cluster string) bool {
	hidden := false
	for _, u := range run.tree.Undetermined {
		hidden = hidden || u.Cluster == "" || cluster == "" || u.Cluster == cluster
	}
	return run.covers(dir) && !hidden && len(run.tree.Problems) == 0
}

// known gives the identities of the findings that nothing waives, in order.
func (run *judgement) known(dir string) []report.Known {
	all := []report.Known{}
	for _, j := range run.all {
		for _, f := range j.verdict.Findings {
			if f.Waiver == nil {
				k := knownOf(j, f, dir)
				k.Severity = f.Severity
				all = append(all, k)
			}
		}
	}
	slices.SortFunc(all, func(a, b report.Known) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Release, b.Release), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Severity, b.Severity))
	})
	return slices.Compact(all)
}

// knownOf gives the identity of a finding for a baseline in dir.
func knownOf(j judged, f rules.Finding, dir string) report.Known {
	k := report.Known{Rule: f.Rule, Release: j.ID().String(), Path: f.Path.String(), Cluster: j.Cluster}
	if k.Cluster == "" {
		k.File = fileFrom(dir, j.File)
	}
	return k
}

// fileFrom gives a file as seen from a folder, with slashes.
func fileFrom(dir, file string) string {
	from, err1 := filepath.Abs(dir)
	to, err2 := filepath.Abs(file)
	if rel, err := filepath.Rel(from, to); file != "-" && errors.Join(err, err1, err2) == nil {
		return filepath.ToSlash(rel)
	}
	return file
}
