package repair

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// identity is what a release keeps while its tree is repaired. A cluster that
// applies a release twice has two of one identity.
type identity struct {
	cluster string
	name    release.Name
	file    string
}

func identityOf(r judge.Release) identity { return identity{r.Cluster, r.ID(), r.File} }

func (id identity) String() string { return id.name.String() }

// key tells it from all others.
func (id identity) key() string { return fmt.Sprint(id.cluster, " ", id.name, " ", id.file) }

// target is a finding of a release that is to go away.
type target struct {
	release identity
	finding rules.Finding
	title   string // of the release, for people
	instead string // why it is repaired in another way than the first; empty if it is not
	failed  int    // how many ways to repair it come before this one
	others  int    // how many come after it
	of      judge.Release
}

// at returns the place of the finding.
func (t target) at() effective.Location { return t.of.LocateFinding(t.finding) }

// cause returns what makes the finding, as reports group it.
func (t target) cause() report.Cause { return t.of.Cause(t.finding) }

func (t target) String() string { return fmt.Sprintf("%s (%s)", t.label(), t.title) }

// label names a finding by its place and rule.
func (t target) label() string {
	at := t.at()
	return fmt.Sprintf("%s:%d %s", at.File, at.Line, t.finding.Rule)
}

// key names a finding; its place may move.
func (t target) key() string { return findingKey(t.release, t.finding) }

// is reports whether two targets are the same finding; its place may have moved.
func (t target) is(o target) bool {
	return t.release == o.release && t.finding.Rule == o.finding.Rule && reflect.DeepEqual(t.finding.Path, o.finding.Path)
}

// worse reports whether a finding is more than it was.
func (t target) worse(than target) bool {
	return t.finding.Degree > than.finding.Degree || t.finding.Severity.Rank() < than.finding.Severity.Rank()
}

// targetsOf lists the findings of a release that no waiver accepts.
func targetsOf(r judge.Release) []target {
	var targets []target
	id, title := identityOf(r), title(r)
	for _, f := range r.Verdict.Findings {
		if f.Waiver == nil {
			targets = append(targets, target{release: id, finding: f, title: title, of: r})
		}
	}
	return targets
}

func title(r judge.Release) string {
	name := r.Namespace + "/" + r.Release.Name
	if r.Cluster != "" {
		name += " in " + r.Cluster
	}
	return name
}

// change makes one or more findings go away: equal edits for several releases are
// one change.
type change struct {
	edits   []effective.Edit
	targets []target
	central *centralPatch // nil unless it is one patch for many releases
}

// broad reports whether a change repairs releases of more than one name.
func (c change) broad() bool {
	return slices.ContainsFunc(c.targets, func(t target) bool { return t.release.name != c.targets[0].release.name })
}

// rank is that of the worst finding that goes away.
func (c change) rank() int {
	worst := len(rules.Severities)
	for _, t := range c.targets {
		worst = min(worst, t.finding.Severity.Rank())
	}
	return worst
}

// centralPatch is a patch that changes many releases.
type centralPatch struct {
	at  effective.PatchSite
	set []rules.Edit
	key string // names the attempt
}

// place names where the patch is, and what it writes.
func (p *centralPatch) place() string { return placeOf(p.at, p.set) }

func placeOf(site effective.PatchSite, set []rules.Edit) string { return fmt.Sprint(site.Writer, set) }

// made is a change that has been made, and which releases it has changed beside
// those that it is for.
type made struct {
	change
	others []target
}

// refusal is a finding that is not repaired. Untried is true if no repair of it was tried.
type refusal struct {
	target
	reason  string
	untried bool
}

// sameRelease reports whether two changes are for one release.
func sameRelease(a, b change) bool {
	return slices.ContainsFunc(a.targets, func(t target) bool {
		return slices.ContainsFunc(b.targets, func(o target) bool { return t.release == o.release })
	})
}

// clash returns a place where two changes write different things; empty if there
// is none.
func clash(a, b change) string {
	for _, x := range a.edits {
		for _, y := range b.edits {
			if x.File == y.File && (x.At.Holds(y.At) || y.At.Holds(x.At)) && !reflect.DeepEqual(x, y) {
				return fmt.Sprintf("%s in %s", release.Path(x.At[len(x.At)-1].Path), x.File)
			}
		}
	}
	return ""
}

func byIdentity(all []judge.Release) map[identity][]judge.Release {
	out := map[identity][]judge.Release{}
	for _, r := range all {
		out[identityOf(r)] = append(out[identityOf(r)], r)
	}
	return out
}

// findingKey names a finding of a release in whichever cluster: what one file decides is tried once for all.
func findingKey(of identity, f rules.Finding) string {
	return fmt.Sprint(of, " ", of.file, f.Rule, f.Path)
}
