package main

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fix"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// identity is what a release keeps while its tree is repaired. A cluster that
// applies a release twice has two of one identity.
type identity struct{ cluster, namespace, name, file string }

func identityOf(j judged) identity {
	return identity{j.Cluster, j.Namespace, j.Release.Name, j.File}
}

// target is a finding of a release.
type target struct {
	release identity
	finding rules.Finding
	at      flux.Location
	name    string
}

func (t target) String() string {
	return fmt.Sprintf("%s:%d %s (%s)", t.at.File, t.at.Line, t.finding.Rule, t.name)
}

// is tells whether two targets are the same finding; its place may have moved.
func (t target) is(o target) bool {
	return t.release == o.release && t.finding.Rule == o.finding.Rule && reflect.DeepEqual(t.finding.Path, o.finding.Path)
}

// repair is what makes one or more findings go away: equal edits for several
// releases are one repair.
type repair struct {
	edits   []flux.Edit
	targets []target
	central *central // nil unless it is one patch for many releases
}

// refusal is a finding that could be repaired but is not.
type refusal struct {
	target
	reason string
}

// planner makes repairs of findings.
type planner struct {
	unsafe  bool
	central bool
	// clusters are globs of those whose findings are repaired; all if none is
	// given. The same findings of others go away with them.
	clusters []string
	refused  []refusal
	tried    map[string]bool       // the central repairs that were objected to
	unhelped map[string][]identity // by place and edits, those whom a patch there does not help
}

// plan gives the repairs of what is found, the worst first, but for what has
// been refused.
func (p *planner) plan(all []judged, files *fix.Files) []repair {
	same := map[string]int{} // by edits
	plan, planned := p.shared(all, files)
	for _, j := range all {
		for _, t := range targetsOf(j) {
			if !p.wants(t) || planned(t) {
				continue
			}
			edits, err := p.edits(j, t.finding.Fix, files)
			if err != nil {
				p.refuse(err.Error(), t)
				continue
			}
			key := fmt.Sprint(edits)
			if at, ok := same[key]; ok {
				plan[at].targets = append(plan[at].targets, t)
				continue
			}
			same[key] = len(plan)
			plan = append(plan, repair{edits: edits, targets: []target{t}})
		}
	}
	slices.SortStableFunc(plan, func(a, b repair) int {
		return cmp.Compare(rank(a.targets[0].finding.Severity), rank(b.targets[0].finding.Severity))
	})
	return p.compatible(slices.DeleteFunc(plan, func(r repair) bool { return !slices.ContainsFunc(r.targets, p.asked) }))
}

// asked tells whether a finding is of a cluster whose findings are repaired.
func (p *planner) asked(t target) bool {
	return len(p.clusters) == 0 || slices.ContainsFunc(p.clusters, func(glob string) bool {
		return doublestar.MatchUnvalidated(glob, t.release.cluster)
	})
}

// wants tells whether a finding is to be repaired.
func (p *planner) wants(t target) bool {
	return t.finding.Fix != nil && (t.finding.Fix.Safe || p.unsafe) && !p.hasRefused(t)
}

// targetsOf lists the findings of a release that no waiver accepts.
func targetsOf(j judged) []target {
	var targets []target
	for _, finding := range j.verdict.Findings {
		if finding.Waiver == nil {
			targets = append(targets, target{release: identityOf(j), finding: finding, at: locate(j, finding), name: title(j)})
		}
	}
	return targets
}

func title(j judged) string {
	name := j.Namespace + "/" + j.Release.Name
	if j.Cluster != "" {
		name += " in " + j.Cluster
	}
	return name
}

// rank is smaller for what is worse.
func rank(s rules.Severity) int { return slices.Index(rules.Severities, s) }

// edits translates a fix into edits of files and tries them alone. A comment
// beside what is taken away tells that somebody meant it.
func (p *planner) edits(j judged, f *rules.Fix, files *fix.Files) ([]flux.Edit, error) {
	var edits []flux.Edit
	for _, set := range f.Set {
		more, err := j.Edits(set)
		if err != nil {
			return nil, err
		}
		edits = append(edits, more...)
	}
	if len(edits) == 0 {
		return nil, errors.New("nothing is written that could be changed")
	}
	next, err := files.With(edits)
	if err != nil {
		return nil, err
	}
	if comment := files.Lost(next); comment != "" && !p.unsafe {
		return nil, fmt.Errorf("the comment %q would go with what it is about; --fix=unsafe takes both away", comment)
	}
	return edits, nil
}

// compatible leaves out the repairs that exclude others: until the next round
// if they are for the same release, for good if not.
func (p *planner) compatible(plan []repair) []repair {
	var kept []repair
	for _, r := range plan {
		waits := false
		for _, other := range kept {
			place, clash := clashes(other, r)
			if clash && sameRelease(other, r) {
				waits = true
			} else if clash {
				p.refuse(fmt.Sprintf("%s wants another value of %s", r.targets[0].name, place), other.targets...)
				p.refuse(fmt.Sprintf("%s wants another value of %s", other.targets[0].name, place), r.targets...)
			}
		}
		if !waits {
			kept = append(kept, r)
		}
	}
	return slices.DeleteFunc(kept, func(r repair) bool { return p.hasRefused(r.targets[0]) })
}

// clashes tells whether two repairs write different things in one place.
func clashes(a, b repair) (place string, clash bool) {
	for _, x := range a.edits {
		for _, y := range b.edits {
			if x.File == y.File && (x.At.Holds(y.At) || y.At.Holds(x.At)) && !reflect.DeepEqual(x, y) {
				return fmt.Sprintf("%s in %s", release.Path(x.At[len(x.At)-1].Path), x.File), true
			}
		}
	}
	return "", false
}

func sameRelease(a, b repair) bool {
	return slices.ContainsFunc(a.targets, func(t target) bool {
		return slices.ContainsFunc(b.targets, func(o target) bool { return t.release == o.release })
	})
}

func (p *planner) refuse(reason string, targets ...target) {
	for _, t := range targets {
		if !p.hasRefused(t) {
			p.refused = append(p.refused, refusal{t, reason})
		}
	}
}

func (p *planner) hasRefused(t target) bool {
	return slices.ContainsFunc(p.refused, func(r refusal) bool { return r.is(t) })
}
