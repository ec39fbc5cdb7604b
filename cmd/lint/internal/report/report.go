package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
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
	// Unmatched are the globs of the configuration that nothing in the tree matches; absent without any.
	Unmatched []Unmatched `json:"unmatched,omitempty"`
	// Baseline is what the run compares with; absent if nothing.
	Baseline *Baseline `json:"baseline,omitempty"`
	// Plan is what --fix repairs; absent without it.
	Plan *Plan `json:"plan,omitempty"`

	hidden hidden // findings that are counted, but left out of Findings
	// elsewhere is what is undetermined or cannot be read outside of the file that the
	// report is about, and not accepted.
	elsewhere int
}

// New makes a report: findings merged and sorted, and counted.
func New(releases []Release, findings []Finding, undetermined []release.Undetermined, problems []Problem) Report {
	r := Report{
		APIVersion: APIVersion, Kind: Kind,
		Releases: once(releases, undetermined), Controllers: orEmpty(controllers(releases)), Findings: merge(findings),
		Undetermined: orEmpty(undetermined), Problems: newProblems(problems),
		Waivers: []Waiver{}, Unapplied: []release.Undetermined{},
	}
	r.Summary.Undetermined, r.Summary.Problems = len(undetermined), len(r.Problems)
	r.Summary.Accepted = len(undetermined) - undecided(undetermined)
	r.Summary.Releases = len(r.Releases)
	r.Summary.Judged = count(r.Releases, func(r Release) bool { return r.Class != rules.ClassUnknown })
	for _, finding := range r.Findings {
		r.Summary.Add(finding.Severity, finding.Waived != nil)
	}
	return r
}

// SetAside returns the report with what no cluster applies.
func (r Report) SetAside(unapplied []release.Undetermined) Report {
	r.Unapplied, r.Summary.Unapplied = orEmpty(unapplied), len(unapplied)
	r.Summary.unappliedAccepted = len(unapplied) - undecided(unapplied)
	return r
}

// Worst counts the findings that are as bad as a severity or worse, and not waived.
func (r Report) Worst(severity rules.Severity) int {
	return count(r.Findings, func(f Finding) bool { return f.fails(severity) })
}

func (f Finding) fails(severity rules.Severity) bool {
	return f.Waived == nil && f.CountsFrom == "" && f.Severity.AtLeast(severity)
}

// Undecided counts what is not judged, undetermined or unapplied, and not
// accepted.
func (r Report) Undecided() int {
	return undecided(r.Undetermined) + undecided(r.Unapplied) + r.elsewhere
}

func undecided(all []release.Undetermined) int { return len(open(all)) }

// open leaves out what the configuration accepts.
func open(all []release.Undetermined) []release.Undetermined {
	return kept(all, func(u release.Undetermined) bool { return u.Accepted == "" })
}

// listed leaves out what the configuration accepts, with All nothing: it is counted, as what is waived.
func (o Options) listed(all []release.Undetermined) []release.Undetermined {
	if o.All {
		return all
	}
	return open(all)
}

// without leaves out the findings that are milder than a severity. They stay
// counted in the summary.
func (r Report) without(milder rules.Severity) Report {
	listed := make([]Finding, 0, len(r.Findings))
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

// Release is one release in one cluster.
type Release struct {
	release.Name
	Tier release.Tier `json:"tier"`
	// TierFrom says which fact decided the tier; empty if nothing of the release could be built.
	TierFrom string `json:"tierFrom"`
	// AlertedBy is the rule of Prometheus or Grafana that alerts on its failures where no Alert of
	// Flux does; absent if there is none.
	AlertedBy string `json:"alertedBy,omitempty"`
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

// Problem is something that could not be read.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
	// Waiver reports whether an annotation or a comment was meant to waive a rule, and does not.
	Waiver bool `json:"waiver,omitempty"`
	// Stood reports whether the base of a change has the problem, too, in the same file.
	Stood bool `json:"-"`
}

// readNow returns the problems of files that can be read after a change.
func readNow(before, after []Problem) []Problem {
	return orEmpty(slices.DeleteFunc(slices.Clone(before), func(p Problem) bool {
		return slices.ContainsFunc(after, func(now Problem) bool { return now.File == p.File })
	}))
}

// newProblems returns the problems that the base of a change does not have.
func newProblems(all []Problem) []Problem {
	return orEmpty(slices.DeleteFunc(slices.Clone(all), func(p Problem) bool { return p.Stood }))
}

// Head says in a few words what is wrong.
func (p Problem) Head() string {
	if p.Waiver {
		return "waives nothing"
	}
	return "cannot be read"
}

type hidden map[rules.Severity]int

func bySeverity(c rules.Counts) hidden {
	return hidden{rules.Error: c.Errors, rules.Warning: c.Warnings, rules.Info: c.Infos}
}

// texts are the counts that are not zero, each with what is said of it: "3 errors added".
func (h hidden) texts(what string) []string {
	var out []string
	for _, severity := range rules.Severities {
		if h[severity] > 0 {
			out = append(out, words.Count(h[severity], string(severity))+what)
		}
	}
	return out
}

// hint says how to see what is not listed; empty if everything is.
func hint(what string) string {
	switch {
	case what == "":
		return ""
	case strings.HasPrefix(what, "1 ") && !strings.Contains(what, " and "):
		return what + " hidden; show it with --min-severity info"
	}
	return what + " hidden; show them with --min-severity info"
}

// Add adds findings to the report, and counts them.
func (r *Report) Add(findings []Finding) {
	if len(findings) == 0 {
		return
	}
	for _, f := range findings {
		r.Summary.Add(f.Severity, f.Waived != nil)
	}
	r.Findings = merge(append(r.Findings, findings...))
}

// HelmController is the helm-controller that acts on releases of a cluster.
type HelmController struct {
	// Cluster is empty if unknown.
	Cluster string `json:"cluster"`
	Version string `json:"version"`
	// Known is false if the version is only assumed: nothing says which one is running.
	Known bool          `json:"known"`
	Gates release.Gates `json:"gates"`
	// From names what says so, or why the version is not known; empty if nothing in the
	// repository installs Flux.
	From string `json:"from"`
	// Notes say what contradicts.
	Notes []string `json:"notes,omitempty"`
}

func (c HelmController) equal(o HelmController) bool {
	return c.Cluster == o.Cluster && c.Version == o.Version && c.Known == o.Known && c.From == o.From && fmt.Sprint(c.Gates) == fmt.Sprint(o.Gates)
}

func controllers(releases []Release) []HelmController {
	var out []HelmController
	for _, r := range releases {
		if r.HelmController.Version != "" && !slices.ContainsFunc(out, r.HelmController.equal) {
			out = append(out, r.HelmController)
		}
	}
	return out
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
	// unappliedAccepted counts those among them that the configuration accepts.
	unappliedAccepted int
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

// found counts the findings that nothing waives.
func (s Summary) found() int { return s.Errors + s.Warnings + s.Infos }

func (s *Summary) recount(findings []Finding) {
	s.Errors, s.Warnings, s.Infos, s.Waived = 0, 0, 0, 0
	for _, f := range findings {
		s.Add(f.Severity, f.Waived != nil)
	}
}
