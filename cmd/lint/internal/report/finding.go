package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

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
	// HoldsUp is what stands still in the scenario of the forecast; absent if nothing else does, or if that
	// is not known.
	HoldsUp *HoldsUp `json:"holdsUp,omitempty"`
	// Blocks are the Kustomizations of which Flux applies nothing because of the finding,
	// one for each cluster; absent if it can be applied.
	Blocks []Blocked `json:"blocks,omitempty"`
	// Fix is an edit that makes the finding go away; absent if no single one does.
	Fix *rules.Fix `json:"fix,omitempty"`
	// Help says what to do where the finding says more than its rule; absent elsewhere.
	Help string `json:"help,omitempty"`
	// Remedy is the same for people: what to write, and where. Nil if that is not known.
	Remedy *Remedy `json:"-"`
	// Hunks are the same as edits of files, at most one for each; nil if they are
	// not known, or no format shows them.
	Hunks []Hunk `json:"-"`
	// CountsFrom is the version from which the finding counts: spec.rulesAsOf holds it back
	// until then, and it fails no run. Absent if it counts.
	CountsFrom string `json:"countsFrom,omitempty"`
	// Waived is set when a waiver accepts the finding.
	Waived *rules.Waiver `json:"waived,omitempty"`
	number int           // in the page
	again  bool          // told of at another place to edit, too, and counted there
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
	Path string `json:"path"`
	// Steps are those of Path.
	Steps  release.Path `json:"-"`
	File   string       `json:"file"`
	Line   int          `json:"line"`
	Column int          `json:"column"`
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

// ofOne reports whether a finding is of one release, and not of what many share.
func (f Finding) ofOne() bool { return f.Release != (release.Name{}) }

// Place is a line of a file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// What is written there: "patch 2 of Kustomization flux-system/apps";
	// empty for the release's own document.
	What string `json:"what,omitempty"`
}

// written says what is written in a place and where; the file once.
func (p Place) written() string {
	at := place(p.File, p.Line, 0)
	if what, same := strings.CutSuffix(p.What, " "+p.File); same {
		return what + " " + at
	}
	return p.What + ", " + at
}

// fingerprints returns for each finding an identity that outlives edits of its file:
// it is made of the rule, the release, the path and the clusters, never of
// lines. The file counts where no cluster is known. No two are the same.
func fingerprints(findings []Finding) []string {
	seen := map[string]int{}
	prints := make([]string, len(findings))
	for i, f := range findings {
		where := strings.Join(f.Clusters, ",")
		if where == "" {
			where = f.File
		}
		key := strings.Join([]string{f.Rule, f.Release.String(), f.Path, where}, "\n")
		if seen[key]++; seen[key] > 1 {
			key += fmt.Sprintf("\n%d", seen[key])
		}
		sum := sha256.Sum256([]byte(key))
		prints[i] = hex.EncodeToString(sum[:16])
	}
	return prints
}

// merge joins findings that are equal, with the same fix and forecast, but for the
// cluster, the tier and the severity that follows from the tier; the worst severity
// counts.
func merge(findings []Finding) []Finding {
	type key struct {
		rule, message, path, file string
		release                   release.Name
		line, column              int
		waived                    bool
	}
	type place struct{ merged, first int } // the first one of findings
	at := make(map[key][]place, len(findings))
	merged := make([]Finding, 0, len(findings))
	for n, f := range findings {
		k := key{f.Rule, f.Message, f.Path, f.File, f.Release, f.Line, f.Column, f.Waived != nil}
		equal := slices.IndexFunc(at[k], func(p place) bool { return findings[p.first].consequences() == f.consequences() })
		if equal < 0 {
			at[k] = append(at[k], place{len(merged), n})
			merged = append(merged, f)
			continue
		}
		i := at[k][equal].merged
		merged[i] = join(merged[i], f)
	}
	slices.SortFunc(merged, compareFindings)
	return merged
}

// consequences returns the fix, the help and how the forecast ends, as text that is the same for
// equal ones only.
func (f Finding) consequences() string {
	of := []any{f.Fix, f.Help, nil}
	if f.Forecast != nil {
		of[2] = f.Forecast.Outcome
	}
	text, _ := json.Marshal(of) // made of plain values
	return string(text)
}

func join(a, b Finding) Finding {
	a.Tiers, a.ByTier = union(a.Tiers, b.Tiers), a.byTier()
	maps.Copy(a.ByTier, b.byTier())
	a.Clusters = union(a.Clusters, b.Clusters)
	a.Remedy = a.Remedy.and(b.Remedy)
	a.Blocks = slices.Concat(a.Blocks, b.Blocks)
	if len(a.Clusters) > 0 {
		a.Cluster = a.Clusters[0]
	}
	if b.Severity.AtLeast(a.Severity) {
		a.Severity = b.Severity
	}
	a.Degree, a.ShownDegree = max(a.Degree, b.Degree), max(a.ShownDegree, b.ShownDegree)
	if b.Was == "" {
		a.Was = "" // new somewhere is new
	}
	return a
}

// byTier returns the severity in each tier, as a map of its own.
func (f Finding) byTier() map[release.Tier]rules.Severity {
	all := map[release.Tier]rules.Severity{}
	for _, tier := range f.Tiers {
		all[tier] = f.Severity
	}
	maps.Copy(all, f.ByTier)
	return all
}

func (f *Finding) severityIn(tier release.Tier) (severity rules.Severity, has bool) {
	if severity, has = f.ByTier[tier]; has {
		return severity, true
	}
	return f.Severity, slices.Contains(f.Tiers, tier)
}

// rank is smaller for what is to be read first.
func (f Finding) rank() int {
	if f.Waived != nil {
		return len(rules.Severities)
	}
	return f.Severity.Rank()
}

// compareFindings orders findings: the worst first and the waived last, then by place.
func compareFindings(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.rank(), b.rank()),
		cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Release.Namespace, b.Release.Namespace),
		cmp.Compare(a.Release.Name, b.Release.Name), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Cluster, b.Cluster))
}

// Cause is what makes a finding, of however many releases of however many clusters: the
// rule, and the field that decides. It stays the same as long as that field is written
// in its file: it has no line, no message and no value.
type Cause struct {
	Rule string `json:"rule"`
	// File holds the field.
	File string `json:"file"`
	// Field names it in the file: the object, and the path in it.
	Field string `json:"field"`
}

// Cause returns what makes a finding.
func (f Finding) Cause() Cause { return Cause{f.Rule, f.File, f.Field} }

// Excuse is a finding that the policy of the base has, and the new one has not.
type Excuse struct {
	Rule     string         `json:"rule"`
	Release  string         `json:"release"` // namespace/name
	Cluster  string         `json:"cluster"`
	Severity rules.Severity `json:"severity"`
}
