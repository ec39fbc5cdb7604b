package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// DiffKind is the kind of the JSON document of a [Diff].
const DiffKind = "Diff"

// Diff is what a change makes of the releases of a tree. Its JSON is read by
// other tools: names stay.
type Diff struct {
	APIVersion string `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	Kind       string `json:"kind" jsonschema:"enum=Diff"`
	// Base names the state before, for people.
	Base    string      `json:"base"`
	Summary DiffSummary `json:"summary"`
	// Changes are the releases of which something changes, by cluster and name.
	Changes []Change `json:"changes"`
	// Policy is what changes in how releases are judged.
	Policy Policy `json:"policy"`
	// Undetermined is what is so only since the change.
	Undetermined []release.Undetermined `json:"undetermined"`
	// Unapplied is what no cluster applies any more, only since the change.
	Unapplied []release.Undetermined `json:"unapplied"`
	// UnappliedChanges is what the change edits and no cluster applied before either.
	UnappliedChanges []release.Undetermined `json:"unappliedChanges"`
	// Existing findings are there before the change as well, but only the new policy reports them, and its change is
	// allowed: they count nowhere else. Absent if there are none.
	Existing []Finding `json:"existing,omitempty"`
	// Waivers are those that accept nothing, only since the change.
	Waivers []Waiver `json:"waivers"`
	// Problems are files that cannot be read now and could be before, BaseProblems those that can
	// be now and could not before: what they hold may be reported as new.
	Problems     []Problem `json:"problems"`
	BaseProblems []Problem `json:"baseProblems"`

	// Remarks say for people what verdicts on the state now rest on; if no release has changed,
	// only what was not so before.
	Remarks []string `json:"remarks"`

	judgedBefore, judgedNow int // releases whose class is known

	// hidden are findings that are counted, but left out of Changes; lost are those of them that were there before.
	hidden, lost hidden
	over         spread // all releases
}

// DiffSummary counts. The findings are those that are new or worse.
type DiffSummary struct {
	// Releases counts those of both states, each once for each cluster, whether they could be built or not.
	Releases int `json:"releases"`
	Added    int `json:"added"`
	Removed  int `json:"removed"`
	// Changed counts those that are judged otherwise; that a finding is waived now is no such change.
	Changed int `json:"changed"`
	// Renamed counts the releases that are known by another name or in another cluster,
	// whether or not more of them changes.
	Renamed int `json:"renamed"`
	// Counts are of findings that are new or worse. Waived ones are accepted at once.
	rules.Counts
	// Lost findings are gone; Repaired ones are those among them whose releases are
	// still there and that nothing waives.
	Lost     int `json:"lost"`
	Repaired int `json:"repaired"`
	// RepairedInPart counts the lost findings of which something remains; they are not
	// among the repaired ones.
	RepairedInPart int `json:"repairedInPart"`
	// Eased findings are milder now, where two policies are compared; absent otherwise.
	Eased int `json:"eased,omitempty"`
	// Inherited findings are of new releases, by causes that were there.
	Inherited int `json:"inherited"`
	// Weakened counts the lines that excuse what the policy of the base reports.
	Weakened int `json:"policyWeakened"`
	// Undetermined counts the releases that were judged before and are not now.
	Undetermined int `json:"undetermined"`
	// Unapplied counts what the change adds, edits or leaves behind and no cluster applies, so
	// that it is not judged.
	Unapplied int `json:"unapplied"`
	// Unjudged counts those among the new findings, waived or not, whose releases
	// could not be judged before.
	Unjudged int `json:"unjudged"`

	existing      rules.Counts // see [Diff.Existing]
	gone          rules.Counts // the lost ones of releases that are gone, by severity
	whole, inPart rules.Counts // what is repaired, and what is in part, where the policy does not excuse it
}

// Change is what changes for one release of one cluster.
type Change struct {
	release.Name
	Cluster string `json:"cluster"`
	// File and Line of its own document, the one before if it is gone.
	File string `json:"file"`
	Line int    `json:"line"`
	// Before is absent for a new release, After for one that is gone.
	Before *State `json:"before,omitempty"`
	After  *State `json:"after,omitempty"`
	// From is what a release was before that was renamed, or whose cluster was.
	// Absent otherwise.
	From *Former `json:"from,omitempty"`
	// Uninstall is what Flux does to the release that was there, as it prunes its HelmRelease.
	// Absent if it stays, or if that is not known.
	Uninstall *Uninstall `json:"uninstall,omitempty"`
	// Suspended is true of a release that is suspended: it is compared as it will be when it is resumed.
	// Absent otherwise.
	Suspended bool `json:"suspended,omitempty"`
	// Gained findings are new or worse; Lost ones are gone or waived now.
	Gained []Finding `json:"gained"`
	Lost   []Finding `json:"lost"`
	// Eased findings are milder now, where two policies are compared. Absent otherwise.
	Eased []Finding `json:"eased,omitempty"`
	// Remaining findings are what is left of lost ones that are repaired in part, and what
	// these hid. Absent if there are none.
	Remaining []Finding `json:"remaining,omitempty"`
	// Inherited findings are those of a release that is new, by causes that were there
	// before and made what is as bad.
	Inherited []Finding `json:"inherited"`
	// Forecasts are the scenarios that end otherwise, of a release that was
	// there before.
	Forecasts []ForecastChange `json:"forecasts"`
	// Unknown says why a release that was judged before is not judged now: it is
	// undetermined, not gone. Absent otherwise.
	Unknown *release.Undetermined `json:"unknown,omitempty"`
	// WasUnknown says why a release that is judged now may not have been before: it
	// need not be new. Absent otherwise.
	WasUnknown *release.Undetermined `json:"wasUnknown,omitempty"`

	suspends bool // it was not suspended before
}

// Side is one of the two states that are compared.
type Side struct {
	Releases     []Judged
	Undetermined []release.Undetermined
	// Resumed is what is undetermined of suspended releases when they are resumed, in place of what names rules.
	Resumed   []release.Undetermined
	Unapplied []release.Undetermined
	Problems  []Problem
	Unbuilt   []Unbuilt
	// Stood reports whether what makes a finding of the other state stood in this one, although
	// the release could not be judged here; nil if that is not known.
	Stood func(Finding) bool
	// Rule returns the rule of an id; nil if none is known.
	Rule func(id string) (rules.Rule, bool)
	// Alone is what the change makes under the policy of one state alone, by that of each: what it makes under neither is
	// not new. Without it, or if the policy stays, all is that only the new policy reports.
	Alone []Diff
}

// Unbuilt is a Kustomization that cannot be built, so that nothing is known of what it applies.
type Unbuilt struct {
	Why   release.Undetermined
	Name  string          // namespace/name
	Files map[string]bool // that it reads
}

func (s Side) releases() []Release {
	return words.Of(s.Releases, func(j Judged) Release { return j.Release })
}

// Compare returns what changes from before to after. Base names the state before. With
// charge, what new releases inherit counts as what any others gain.
func Compare(base string, before, after Side, charge bool) Diff {
	return compare(base, before, after, charge, false)
}

// ComparePolicies returns what changes from one policy to another one for the same releases:
// also what is milder by the other.
func ComparePolicies(base string, before, after Side) Diff {
	return compare(base, before, after, false, true)
}

func compare(base string, before, after Side, charge, eases bool) Diff {
	renamed := renamedClusters(before, after)
	d := Diff{
		APIVersion: APIVersion, Kind: DiffKind, Base: base, Changes: []Change{}, Waivers: []Waiver{},
		Policy:       Policy{Changes: []PolicyChange{}, Weakened: []Finding{}},
		Undetermined: newlyUndetermined(underNewNames(before.Undetermined, renamed), after.Undetermined),
		Unapplied:    newlyUndetermined(underNewNames(before.Unapplied, renamed), after.Unapplied),
		Problems:     newProblems(after.Problems), BaseProblems: readNow(before.Problems, after.Problems),
		Remarks: orEmpty(remarks(after.releases(), controllers(after.releases()))),
	}
	d.UnappliedChanges = orEmpty(edited(before.Unapplied, after.Unapplied, d.Unapplied))
	were, are := gapsOf(before, after), gapsOf(after, before)
	are.only = slices.Clone(d.Undetermined)
	followed, known := pairs(before, after, renamed, were, are), knownCauses{}
	before, after = resumed(followed, before, after)
	d.Undetermined = newlyUndetermined(underNewNames(before.Undetermined, renamed), after.Undetermined)
	if !charge {
		known = causesOf(before, followed)
		d.Undetermined = slices.DeleteFunc(d.Undetermined, func(u release.Undetermined) bool { return were.hid(u) && known.hasStood(u) })
	}
	forecasts, fates := forecast.Memory{}, fates{}
	for _, p := range followed {
		d.judgedBefore += p.before.judged()
		d.judgedNow += p.after.judged()
		p.eases = eases
		change := p.change(were, are, known, before.Rule, forecasts)
		existing := change.setAside(before.Alone)
		d.Existing = append(d.Existing, existing...)
		for _, f := range existing {
			d.Summary.existing.Add(f.Severity, false)
		}
		fates.add(p, change)
		if !change.empty() {
			d.Changes = append(d.Changes, change)
			d.Summary.count(change)
		}
	}
	fates.count(&d.Summary)
	d.over = d.spread(followed, underNewNames(before.Undetermined, renamed), after.Undetermined)
	d.Summary.Releases = len(d.over)
	d.Existing = merge(d.Existing)
	slices.SortStableFunc(d.Changes, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name.Name, b.Name.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	d.Unapplied = slices.DeleteFunc(d.Unapplied, func(u release.Undetermined) bool { return d.unbuiltNow(u, after.Unbuilt) })
	d.Summary.Unapplied = len(d.Unapplied) + len(d.UnappliedChanges)
	if len(d.Changes) == 0 {
		known := remarks(before.releases(), controllers(before.releases()))
		d.Remarks = slices.DeleteFunc(d.Remarks, func(remark string) bool { return slices.Contains(known, remark) })
	}
	return d
}

// judged counts a release whose class is known.
func (j *Judged) judged() int {
	if j == nil || j.Class == rules.ClassUnknown {
		return 0
	}
	return 1
}

// Nothing says of a change after which nothing is judged why that is no fault of the change: nothing was
// judged before, or what was is gone. It is "" of any other change.
func (d Diff) Nothing() string {
	switch {
	case d.judgedNow > 0:
	case d.judgedBefore == 0:
		return "no HelmRelease could be judged, neither now nor before"
	case len(d.undetermined()) == 0:
		return "no HelmRelease is left to judge"
	}
	return ""
}

// Blind reports whether the change hides all that was judged before, as a build that it breaks.
func (d Diff) Blind() bool { return d.judgedNow == 0 && d.Nothing() == "" }

// With returns the diff with what has changed in the policy. What only that excuses is
// gone, but not repaired.
func (d Diff) With(policy Policy) Diff {
	s := &d.Summary
	d.Policy, s.Weakened = policy, len(policy.Weakened)
	s.Repaired, s.RepairedInPart, s.whole, s.inPart = 0, 0, rules.Counts{}, rules.Counts{}
	for _, c := range d.Changes {
		for _, f := range c.repairs() {
			if !policy.excuses(c, f) {
				s.addRepaired(c, f)
			}
		}
	}
	return d
}

// HasFindings reports whether it holds findings of the state after the change.
func (d Diff) HasFindings() bool {
	return len(d.Existing) > 0 || slices.ContainsFunc(d.Changes, func(c Change) bool {
		return len(c.Gained)+len(c.Eased)+len(c.Remaining)+len(c.Inherited) > 0
	})
}

// Worst counts the findings that are new or worse, as bad as a severity or
// worse, and not waived, and so what weakens the policy.
func (d Diff) Worst(severity rules.Severity) int {
	n := count(d.Policy.Weakened, func(f Finding) bool { return f.Severity.AtLeast(severity) })
	for _, c := range d.Changes {
		n += count(c.Gained, func(f Finding) bool { return f.fails(severity) })
	}
	return n
}

// without leaves out the findings that are milder than a severity, and the
// changes that are no more than that. They stay counted in the summary.
func (d Diff) without(milder rules.Severity) Diff {
	mild := func(f Finding) bool { return !f.Severity.AtLeast(milder) }
	all := d.Changes
	d.Changes, d.hidden, d.lost = []Change{}, hidden{}, hidden{}
	hide := func(list *[]Finding, out hidden) {
		for _, f := range *list {
			if mild(f) {
				out[f.Severity]++
			}
		}
		*list = slices.DeleteFunc(slices.Clone(*list), mild)
	}
	hide(&d.Existing, d.hidden)
	for _, c := range all {
		for list, out := range map[*[]Finding]hidden{&c.Gained: d.hidden, &c.Lost: d.lost, &c.Remaining: d.hidden, &c.Inherited: d.hidden} {
			hide(list, out)
		}
		c.Eased = slices.DeleteFunc(slices.Clone(c.Eased), func(f Finding) bool { return !rules.Severity(f.Was).AtLeast(milder) })
		if !c.empty() {
			d.Changes = append(d.Changes, c)
		}
	}
	return d
}

// notListed returns what is left out of Changes; empty if nothing is.
func (d Diff) notListed() string {
	lost := words.Of(d.lost.texts(""), func(text string) string { return strings.Replace(text, " ", " lost ", 1) })
	return strings.Join(append(d.hidden.texts(""), lost...), " and ")
}

// empty reports whether nothing changes.
func (c Change) empty() bool { return c.From == nil && c.alike() }

// alike reports whether a release is judged as it was.
func (c Change) alike() bool {
	return c.Before != nil && c.After != nil && *c.Before == *c.After && !c.suspends && len(c.Gained)+len(c.Remaining)+len(c.Inherited)+len(c.Lost)+len(c.Eased)+len(c.Forecasts) == 0
}

func (s *DiffSummary) count(c Change) {
	s.Lost, s.Inherited = s.Lost+len(c.Lost), s.Inherited+len(c.Inherited)
	for _, f := range c.repairs() {
		s.addRepaired(c, f)
	}
	s.Eased += len(c.Eased)
	for _, f := range c.Gained {
		if f.Was == Unjudged {
			s.Unjudged++
		}
		s.Add(f.Severity, f.Waived != nil)
	}
}

// addRepaired counts a finding that a change repairs, in whole or in part.
func (s *DiffSummary) addRepaired(c Change, f Finding) {
	if c.leaves(f) {
		s.RepairedInPart++
		s.inPart.Add(f.Severity, false)
		return
	}
	s.Repaired++
	s.whole.Add(f.Severity, false)
}

// Only returns the side with the findings of some rules.
func (s Side) Only(reported func(rule string) bool) Side {
	s.Releases = slices.Clone(s.Releases)
	for i := range s.Releases {
		j := &s.Releases[i]
		j.Findings = kept(j.Findings, func(f Finding) bool { return reported(f.Rule) })
		if j.Resumed != nil {
			j.Resumed = &Side{Releases: []Judged{*j.Resumed}}.Only(reported).Releases[0]
		}
	}
	return s
}
