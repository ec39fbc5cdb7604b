package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
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

// place names a place in a file as tools do: file:line:column.
func place(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
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
