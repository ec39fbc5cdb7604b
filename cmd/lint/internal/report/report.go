package report

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// The identity of the JSON report.
const (
	APIVersion = rules.ConfigAPIVersion
	Kind       = "Report"
)

// Report is the result of one run. Its JSON is read by other tools: names stay.
type Report struct {
	APIVersion string    `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	Kind       string    `json:"kind" jsonschema:"enum=Report"`
	Summary    Summary   `json:"summary"`
	Releases   []Release `json:"releases"`
	// Controllers are those that act on the releases, once for each cluster and version.
	Controllers []HelmController `json:"controllers"`
	// InForce is what the report is judged by.
	InForce rules.InForce `json:"policy"`
	// Causes count the findings that nothing waives by what makes them.
	Causes       []CountedCause         `json:"causes"`
	Findings     []Finding              `json:"findings"`
	Undetermined []release.Undetermined `json:"undetermined"`
	// Unapplied is what no cluster applies, in a tree that has entries of clusters:
	// releases, and what would apply some. It is not judged. The place is that of the
	// outermost file that would apply it.
	Unapplied []release.Undetermined `json:"unapplied"`
	// Problems are files that could not be read; the run exits with 2.
	Problems []Problem `json:"problems"`
	// Waivers are those that are written in the tree and the configuration.
	Waivers []Waiver `json:"waivers"`
	// Acceptances are the entries of spec.undetermined.accept; absent without any.
	Acceptances []AcceptedGap `json:"acceptances,omitempty"`
	// Baseline is what the run compares with; absent if nothing.
	Baseline *Baseline `json:"baseline,omitempty"`
	// Plan is what --fix repairs; absent without it.
	Plan *Plan `json:"plan,omitempty"`

	hidden hidden // findings that are counted, but left out of Findings
	// elsewhere is what is undetermined or cannot be read outside of the file that the
	// report is about, and not accepted.
	elsewhere int
}

// Summary counts.
type Summary struct {
	// Releases counts each release once for each cluster that applies it, whether it
	// could be built or not.
	Releases int `json:"releases"`
	// Judged are the releases whose failure settings are all known.
	Judged int `json:"judged"`
	// Undetermined counts what could not be known: releases, and places that
	// may hold more of them.
	Undetermined int `json:"undetermined"`
	// Accepted counts those among them that the configuration accepts.
	Accepted int `json:"accepted"`
	// Unapplied counts the releases, and what would apply some, that no cluster
	// applies. They count nowhere else.
	Unapplied int `json:"unapplied"`
	// AsWritten is true if the tree has no entry of a cluster, so that its releases
	// are judged as they are written.
	AsWritten bool `json:"asWritten,omitempty"`
	rules.Counts
	// NotSelected findings are of rules that --select or --ignore leaves out. They
	// count nowhere else and are not listed; absent if there are none.
	NotSelected int `json:"notSelected,omitempty"`
	// Problems counts what could not be read.
	Problems int `json:"problems"`
}

// Release is one release in one cluster.
type Release struct {
	release.Name
	Tier release.Tier `json:"tier"`
	// TierFrom says which fact decided the tier.
	TierFrom string `json:"tierFrom"`
	// TierIgnored says which marker of a tier is not followed; absent if there is none.
	TierIgnored string `json:"tierIgnored,omitempty"`
	// Cluster that applies it; empty if unknown.
	Cluster string `json:"cluster"`
	// File and Line of its own document.
	File  string      `json:"file"`
	Line  int         `json:"line"`
	Class rules.Class `json:"class"`
	// BlockedBy says why Flux applies nothing of the Kustomization that applies the release,
	// so that the cluster keeps what it has; absent if the fault is its own, or if there
	// is none.
	BlockedBy string `json:"blockedBy,omitempty"`
	// HelmController acts on it.
	HelmController HelmController `json:"-"`
	// DecidedBy says for each effective failure setting that is written, by
	// path, where.
	DecidedBy map[string]Place `json:"decidedBy,omitempty"`
}

// Blocked is a Kustomization of which Flux applies nothing, but for CRDs, ClusterRoles,
// Namespaces and classes.
type Blocked struct {
	// Kustomization is namespace/name, Releases how many it applies.
	Kustomization string `json:"kustomization"`
	Cluster       string `json:"cluster,omitempty"`
	Releases      int    `json:"releases"`
}

// Place is a line of a file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// What is written there: "patch 2 of Kustomization flux-system/apps";
	// empty for the release's own document.
	What string `json:"what,omitempty"`
}

// Finding is one finding; equal ones of several clusters or tiers are merged.
type Finding struct {
	Rule     string         `json:"rule"`
	Category string         `json:"category"`
	Severity rules.Severity `json:"severity"`
	Message  string         `json:"message"`
	Subject
	Position
	// Forecast is what helm-controller will do in the scenario that shows the
	// finding; absent if none does.
	Forecast *forecast.Timeline `json:"forecast,omitempty"`
	// Blocks are the Kustomizations of which Flux applies nothing because of the finding,
	// one for each cluster; absent if it can be applied.
	Blocks []Blocked `json:"blocks,omitempty"`
	// Fix is an edit that makes the finding go away; absent if no single one does.
	Fix *rules.Fix `json:"fix,omitempty"`
	// Remedy is the same for people: what to write, and where. Nil if that is not known.
	Remedy *Remedy `json:"-"`
	// Hunks are the same as edits of files, at most one for each; nil if they are
	// not known, or no format shows them.
	Hunks []Hunk `json:"-"`
	// Waived is set when a waiver accepts the finding.
	Waived *rules.Waiver `json:"waived,omitempty"`
	number int           // in the page
	// Excuses are what a finding of the rule policy-weakened is about, which is of
	// no single release; absent from others.
	Excuses []Excuse `json:"excuses,omitempty"`
	// Degree grows as a finding of the rule gets worse, in a unit of the rule's own:
	// the number of retries, a duration in seconds. Absent if the rule knows no degrees,
	// or if a Secret supplies settings of the release.
	ShownDegree float64 `json:"degree,omitempty"`
	// Degree is the same, also where it is not shown.
	Degree float64 `json:"-"`
	// Was says in a diff how a finding that is worse now stood before: its
	// severity, "milder" if only its degree is worse, "waived" or, if its release
	// could not be judged, "undetermined". Empty of a finding that is new.
	Was string `json:"was,omitempty"`
}

// Subject is the release that a finding is about, in which tiers and clusters.
type Subject struct {
	Release release.Name   `json:"release"`
	Tiers   []release.Tier `json:"tiers"`
	// ByTier is the severity in each of Tiers; Severity is the worst.
	ByTier map[release.Tier]rules.Severity `json:"-"`
	// Cluster is the first of Clusters; empty if unknown.
	Cluster  string   `json:"cluster"`
	Clusters []string `json:"clusters"`
	// Chart is the name of the release's chart, which messages may name; empty
	// if it is not known.
	Chart string `json:"-"`
}

// Position is the field that a finding is about, and where it is written.
type Position struct {
	// Path is the field of the effective release that decides.
	Path   string `json:"path"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	// Field names what decides in File: the object, and the path in it. It stays when
	// something else in the file changes.
	Field string `json:"field,omitempty"`
	// Exact reports whether the field itself is written there, not a parent.
	Exact bool `json:"exact"`
	// Provenance says what wrote the field if it is not the release's own
	// document, from the place outwards.
	Provenance []Place `json:"provenance,omitempty"`
	// Excerpt is the field as it is written there, and nothing else; Caret counts the
	// characters before it.
	Excerpt string `json:"-"`
	Caret   int    `json:"-"`
}

// Hunk replaces the text of a file from one position up to another, which
// are counted from 1, columns in characters.
type Hunk struct {
	File             string
	Line, Column     int
	ToLine, ToColumn int
	Text             plain.Verbatim
}

// Problem is something that could not be read.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	// Waiver reports whether an annotation was meant to waive a rule, and does not.
	Waiver bool `json:"waiver,omitempty"`
}

// Head says in a few words what is wrong.
func (p Problem) Head() string {
	if p.Waiver {
		return "waives nothing"
	}
	return "cannot be read"
}

// New makes a report: findings merged and sorted, and counted.
func New(releases []Release, findings []Finding, undetermined []release.Undetermined, problems []Problem) Report {
	r := Report{
		APIVersion: APIVersion, Kind: Kind,
		Releases: orEmpty(releases), Controllers: orEmpty(controllers(releases)), Findings: merge(findings),
		Undetermined: orEmpty(undetermined), Problems: orEmpty(problems),
		Waivers: []Waiver{}, Unapplied: []release.Undetermined{},
	}
	r.Summary.Undetermined, r.Summary.Problems = len(undetermined), len(problems)
	r.Summary.Accepted = len(undetermined) - undecided(undetermined)
	for _, n := range judged(releases) {
		r.Summary.Judged += n
	}
	r.Summary.Releases = r.Summary.Judged + r.unknown()
	for _, finding := range r.Findings {
		r.Summary.Add(finding.Severity, finding.Waived != nil)
	}
	return r
}

// judged counts the releases whose failure settings are known, by tier and class: one that a
// cluster applies twice, with different settings, once.
func judged(releases []Release) map[State]int {
	type id struct {
		name    release.Name
		cluster string
		at      Place // of one that is judged as it is written
	}
	seen, out := map[id]bool{}, map[State]int{}
	for _, r := range releases {
		of := id{name: r.Name, cluster: r.Cluster}
		if r.Cluster == "" {
			of.at = Place{File: r.File, Line: r.Line}
		}
		if r.Class != rules.ClassUnknown && !seen[of] {
			seen[of] = true
			out[State{r.Tier, r.Class}]++
		}
	}
	return out
}

// unknown counts the releases that have no class, each once in a cluster.
func (r Report) unknown() int {
	seen := map[release.Undetermined]bool{}
	for _, u := range r.Undetermined {
		if u.Release != "" && u.Severity == "" {
			seen[release.Undetermined{Release: u.Release, Cluster: u.Cluster}] = true
		}
	}
	return len(seen)
}

// SetAside returns the report with what no cluster applies.
func (r Report) SetAside(unapplied []release.Undetermined) Report {
	r.Unapplied, r.Summary.Unapplied = orEmpty(unapplied), len(unapplied)
	return r
}

// Worst counts the findings that are as bad as a severity or worse, and not waived.
func (r Report) Worst(severity rules.Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Waived == nil && f.Severity.AtLeast(severity) {
			n++
		}
	}
	return n
}

// Undecided counts what is not judged, undetermined or unapplied, and not
// accepted.
func (r Report) Undecided() int {
	return undecided(r.Undetermined) + undecided(r.Unapplied) + r.elsewhere
}

func undecided(all []release.Undetermined) int {
	n := 0
	for _, u := range all {
		if u.Accepted == "" {
			n++
		}
	}
	return n
}

// without leaves out the findings that are milder than a severity. They stay
// counted in the summary.
func (r Report) without(milder rules.Severity) Report {
	var listed []Finding
	r.hidden = hidden{}
	for _, f := range r.Findings {
		switch {
		case f.Severity.AtLeast(milder):
			listed = append(listed, f)
		case f.Waived == nil:
			r.hidden[f.Severity]++
		}
	}
	r.Findings = listed
	return r
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
