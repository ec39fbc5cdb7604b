package judge

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Run is a state with what was looked at to reach it.
type Run struct {
	State
	Paths []string
	// Inputs are what was read.
	Inputs []effective.Input
	Whole  bool // no cluster was left out
	Now    time.Time
}

// Unwaive removes every waiver.
func (s State) Unwaive() {
	for _, r := range s.Releases {
		for i := range r.Verdict.Findings {
			r.Verdict.Findings[i].Waiver = nil
		}
		if r.Resumed != nil {
			State{Releases: []Release{*r.Resumed}}.Unwaive()
		}
	}
}

// KeepNew keeps the findings that a diff with an earlier state calls new or worse,
// and drops the others. From names that state. With charge, what new releases inherit
// is kept, too.
func (run *Run) KeepNew(from string, before report.Side, charge bool) *report.Baseline {
	gained, inherited, suspended := map[identity]bool{}, map[identity]bool{}, map[place]bool{}
	diff := report.Compare(from, before, run.Side(Shown{}), charge)
	for _, c := range diff.Changes {
		at := place{c.Name, c.Cluster, c.File, c.Line}
		suspended[at] = c.Suspended
		for _, f := range c.Gained {
			gained[identity{at, f.Rule, f.Path}] = true
		}
		for _, f := range c.Inherited {
			inherited[identity{at, f.Rule, f.Path}] = true
		}
	}
	run.asResumed(suspended)
	known := run.drop(func(r Release, f rules.Finding) bool {
		return !gained[identityOf(r, f)] && !inherited[identityOf(r, f)]
	})
	late := run.drop(func(r Release, f rules.Finding) bool { return !gained[identityOf(r, f)] })
	return &report.Baseline{From: from, Known: known, Inherited: late, Existing: diff.Existing, Stale: []report.Known{}, Undetermined: diff.Unaccepted(), Unapplied: diff.PassedOver(), Nothing: diff.Nothing()}
}

// place is what a release of a run is told from the others by.
type place struct {
	release.Name
	cluster, file string
	line          int
}

func placeOf(r Release) place { return place{r.ID(), r.Cluster, r.File, r.Line} }

// identity is what a finding of a run is told from the others by.
type identity struct {
	place
	rule, path string
}

func identityOf(r Release, f rules.Finding) identity {
	return identity{placeOf(r), f.Rule, f.Path.String()}
}

// drop removes old findings, but no waived ones, and counts them as a report does: once for all clusters.
func (run *Run) drop(old func(Release, rules.Finding) bool) int {
	var dropped []report.Finding
	memory := forecast.Memory{}
	for i := range run.Releases {
		r := &run.Releases[i]
		r.Verdict.Findings = slices.DeleteFunc(r.Verdict.Findings, func(f rules.Finding) bool {
			is := f.Waiver == nil && old(*r, f)
			if is {
				dropped = append(dropped, r.finding(f, Shown{}, memory))
			}
			return is
		})
	}
	return len(report.New(nil, dropped, nil, nil).Findings)
}

// covers reports whether the run has looked at everything below a folder, so that
// what it has not seen is not there.
func (run *Run) covers(dir string) bool {
	return run.Whole && slices.ContainsFunc(run.Paths, func(path string) bool {
		above, err1 := filepath.Abs(path)
		below, err2 := filepath.Abs(dir)
		if err1 != nil || err2 != nil || path == "-" {
			return false
		}
		rel, err := filepath.Rel(above, below)
		return err == nil && filepath.IsLocal(rel)
	})
}

// built reports whether everything was read and built, but for what is accepted, so that nothing is behind a build that
// fails.
func (run *Run) built() bool {
	return len(run.Tree.Unbuilt())+len(run.Tree.Problems) == 0 && !slices.ContainsFunc(run.Tree.Undetermined, func(u release.Undetermined) bool {
		return u.NoPath && u.Accepted == ""
	})
}

// sees reports whether the run sees every release of a cluster in a folder.
func (run *Run) sees(dir, cluster string) bool {
	hidden := false
	for _, u := range run.Tree.Undetermined {
		hidden = hidden || u.Cluster == "" || cluster == "" || u.Cluster == cluster
	}
	return run.covers(dir) && !hidden && len(run.Tree.Problems) == 0
}
