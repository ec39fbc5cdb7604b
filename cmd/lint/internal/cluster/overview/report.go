// Package overview is what is known of all HelmReleases of clusters: how each one is, since when, what Flux does next,
// and what the rules report.
//
//  1. [Report] lists [Release]s and counts them (report.go, release.go), says what several have in common (cause.go), what holds up
//     others and which fight (standing.go), what is not as Git says (git.go), what has changed (changes.go) and
//     what admission would refuse (readiness.go).
//  2. [Write] writes it for people and tools (text.go, markdown.go, html.go, metrics.go).
//  3. [Merge] makes one report of those of several machines (selection.go, merge.go).
//
// It asks no cluster: package audit does.
package overview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Report is what is known of the HelmReleases of some clusters. Its JSON is read by other
// tools: names stay.
type Report struct {
	Header
	Summary Summary `json:"summary"`
	// InForce is what the report is judged by.
	InForce rules.InForce `json:"policy"`
	Scope
	// Releases are all, those that need somebody first.
	Releases []Release `json:"releases"`
	// Roots are the objects that hold up others, those that hold up most first on each cluster.
	Roots []Root `json:"roots,omitempty"`
	// Causes are what several of them that are not well have in common; Changes is what has
	// changed since an earlier report, if one was given.
	Causes  []Cause  `json:"causes,omitempty"`
	Changes *Changes `json:"changes,omitempty"`
	InGit
	// Readiness is what admission would refuse, if that was asked for.
	Readiness *Readiness `json:"readiness,omitempty"`
	// Problems are objects and clusters that could not be read; the run exits with 2.
	Problems []string `json:"problems"`
}

// Header says what the document is, and of when.
type Header struct {
	APIVersion string `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	Kind       string `json:"kind" jsonschema:"enum=AuditReport"`
	// Time is when the clusters were looked at, in RFC 3339; of a merged report that of the
	// earliest.
	Time string `json:"time"`
}

// Scope is what was looked at.
type Scope struct {
	// Shard is the part of the clusters that was looked at, as 0/8; absent of all.
	Shard string `json:"shard,omitempty"`
	// Selection says which releases of the clusters are in it; absent of all.
	Selection *Selection `json:"selection,omitempty"`
	// Clusters are those that were looked at, by name; absent of a file.
	Clusters []Cluster `json:"clusters,omitempty"`
}

// reportKind is the kind of a report.
const reportKind = "AuditReport"

// Summary counts.
type Summary struct {
	Releases int `json:"releases"`
	// ByPhase counts the releases in each phase that there is.
	ByPhase map[Phase]int `json:"byPhase"`
	// Of is how many releases of the chosen tiers and labels there are, in whatever phase; absent if no
	// phase was chosen.
	Of int `json:"of,omitempty"`
	rules.Counts
	// Known are findings that a baseline holds; they count in none of the others.
	Known int `json:"known,omitempty"`
}

// String counts in a line.
func (s Summary) String() string {
	line := fmt.Sprintf("HelmReleases: %s; errors: %d, warnings: %d, infos: %d", counted(s.Releases, s.ByPhase), s.Errors, s.Warnings, s.Infos)
	if s.Known > 0 {
		line += fmt.Sprintf(", known: %d", s.Known)
	}
	if s.Waived > 0 {
		line += fmt.Sprintf(", waived: %d", s.Waived)
	}
	return line
}

// Cluster is one that was looked at, by its context.
type Cluster struct {
	Name     string `json:"name"`
	Releases int    `json:"releases"`
	// ByPhase counts its releases in each phase that there is.
	ByPhase map[Phase]int `json:"byPhase"`
	// Incomplete is true if not all of it could be read: see the problems.
	Incomplete bool `json:"incomplete,omitempty"`
	// Unfollowed is true if its Kustomizations could not be listed, so that it is not known what holds up what.
	Unfollowed bool `json:"unfollowed,omitempty"`

	// Unread are those that could not be judged.
	Unread []Release `json:"-"`
	// Revive is the command for all that are stuck; empty where no cluster was read.
	Revive string `json:"-"`
}

// String counts in a line.
func (c Cluster) String() string {
	line := c.Name + ": "
	switch {
	case c.Releases > 0:
		line += "HelmReleases: " + counted(c.Releases, c.ByPhase)
	case c.Incomplete:
		return line + "could not be read"
	default:
		line += "no HelmReleases"
	}
	if c.Incomplete {
		line += ", not all could be read"
	}
	return line
}

// counted is a number, and of how many phases it is made.
func counted(n int, by map[Phase]int) string {
	var counts []string
	for _, p := range phases {
		if n := by[p]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, p))
		}
	}
	return fmt.Sprintf("%d (%s)", n, strings.Join(counts, ", "))
}

// Phase is how a release is, in one word.
type Phase string

// The phases, those that need somebody first.
const (
	Stuck       Phase = "stuck"       // it takes somebody: Flux does nothing, or has tried too often for the team
	Interrupted Phase = "interrupted" // an action was announced, or a first one is due, and is past its time
	Failing     Phase = "failing"     // Flux tries again
	Waiting     Phase = "waiting"     // for something else: a dependency, a chart, values
	Busy        Phase = "busy"        // an action runs
	Deleting    Phase = "deleting"
	New         Phase = "new" // Flux has done nothing yet, or nothing with the newest spec
	Suspended   Phase = "suspended"
	Ready       Phase = "ready"
)

// Unknown is the phase of what could not be judged. No list has it.
const Unknown Phase = "unknown"

// phases in the order in which they are listed.
var phases = []Phase{Stuck, Interrupted, Failing, Waiting, Busy, Deleting, New, Suspended, Ready}

// Phases lists the names of phases.
func Phases() []string {
	return words.Of(phases, func(p Phase) string { return string(p) })
}

// Of sorts and counts what was found.
func Of(all []Release, clusters []Cluster, problems []string) Report {
	r := Report{Header: Header{APIVersion: rules.ConfigAPIVersion, Kind: reportKind}, Scope: Scope{Clusters: clusters}, Releases: all, Problems: problems}
	Sorted(r.Releases)
	r.Summary = Summary{Releases: len(all), ByPhase: map[Phase]int{}}
	for _, one := range all {
		r.Summary.ByPhase[one.Phase]++
		for _, f := range one.Findings {
			r.Summary.Add(f.Severity, f.Waived != nil)
		}
	}
	r.Causes = causes(r.Releases)
	return r
}

// Nothing says that there are no releases, and where; empty if there are.
func (r Report) Nothing() string {
	if len(r.Releases) > 0 || r.Shard != "" || r.Readiness != nil && len(r.Readiness.Tiers) > 0 {
		return ""
	}
	if r.Summary.Of > 0 { // none is in a phase: that is an answer
		return ""
	}
	where := words.Of(r.Clusters, func(c Cluster) string { return c.Name })
	text := "no HelmRelease was found"
	if len(where) > 0 && where[0] != "" {
		text += " in cluster " + strings.Join(where, ", ")
	}
	if chosen := r.chosen(); chosen.Narrow() {
		text += ": only " + chosen.String()
	}
	return text
}

// Fails reports whether a release needs somebody, or a finding is as bad as a severity.
func (r Report) Fails(failOn rules.Severity) bool {
	if failOn == rules.Off {
		return false
	}
	if r.Readiness != nil {
		return !r.Readiness.Ready()
	}
	return len(r.Missing) > 0 || slices.ContainsFunc(r.Releases, func(one Release) bool {
		return one.needsSomebody() || len(one.Drift)+len(one.Rivals) > 0 || one.NotInGit || slices.ContainsFunc(one.Findings, func(f Finding) bool {
			return f.Waived == nil && f.CountsFrom == "" && f.Severity.AtLeast(failOn)
		})
	})
}

// unwell returns the releases that are not Ready, and those that are meant not to be.
func (r Report) unwell() []Release {
	return slices.DeleteFunc(slices.Clone(r.Releases), func(one Release) bool { return one.Phase == Ready })
}

// alone returns the releases that are not Ready for a reason of their own.
func (r Report) alone() []Release {
	return slices.DeleteFunc(r.unwell(), func(one Release) bool { return one.follows() })
}
