package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Report is what is known of the HelmReleases of some clusters. Its JSON is read by other
// tools: names stay.
type Report struct {
	APIVersion string `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	Kind       string `json:"kind" jsonschema:"enum=AuditReport"`
	// Time is when the clusters were looked at, in RFC 3339; of a merged report that of the
	// earliest.
	Time    string  `json:"time"`
	Summary Summary `json:"summary"`
	// InForce is what the report is judged by.
	InForce rules.InForce `json:"policy"`
	// Shard is the part of the clusters that was looked at, as 0/8; absent of all.
	Shard string `json:"shard,omitempty"`
	// Selection says which releases of the clusters are in it; absent of all.
	Selection *selection `json:"selection,omitempty"`
	// Clusters are those that were looked at, by name; absent of a file.
	Clusters []Cluster `json:"clusters,omitempty"`
	// Releases are all, those that need somebody first.
	Releases []Release `json:"releases"`
	// Roots are the objects that hold up others, those that hold up most first on each cluster.
	Roots []Root `json:"roots,omitempty"`
	// Causes are what several of them that are not well have in common; Changes is what has
	// changed since an earlier report, if one was given.
	Causes  []Cause  `json:"causes,omitempty"`
	Changes *Changes `json:"changes,omitempty"`
	// Undetermined counts what the repository leaves open. A release that Git does not have
	// may be made there, and so is not called missing in Git.
	Undetermined int `json:"undetermined,omitempty"`
	// Missing are releases of a repository that the cluster does not have.
	Missing []Missing `json:"missing,omitempty"`
	// Readiness is what admission would refuse, if that was asked for.
	Readiness *Readiness `json:"readiness,omitempty"`
	// Problems are objects and clusters that could not be read; the run exits with 2.
	Problems []string `json:"problems"`
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

	unread []Release // those that could not be judged
	revive string    // the command for all that are stuck; empty where no cluster was read
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

// Release is one HelmRelease of a cluster.
type Release struct {
	release.Name
	// Cluster is the context that it was read by; empty of a file.
	Cluster string       `json:"cluster,omitempty"`
	Tier    release.Tier `json:"tier"`
	Class   rules.Class  `json:"class"`
	Phase   Phase        `json:"phase"`
	// State says in words how it is, and what runs.
	State string `json:"state"`
	// Reason is that of the condition Stalled or, without one, of Ready; absent if all is
	// well.
	Reason string `json:"reason,omitempty"`
	// Since is when the state began, in RFC 3339; absent if all is well.
	Since string `json:"since,omitempty"`
	// Failures counts the failed attempts since the last success or change.
	Failures int64 `json:"failures,omitempty"`
	// After is the message of the last failure.
	After string `json:"after,omitempty"`
	// OldRuns is true if an earlier version runs than the one that was attempted last.
	OldRuns bool `json:"oldRuns,omitempty"`
	// Pending is the status of an unfinished Helm action, as pending-upgrade.
	Pending string `json:"pending,omitempty"`
	// Limit says beyond which limit of spec.audit.stuck it is; absent if it is within.
	Limit string `json:"limit,omitempty"`
	// Next says what Flux does next, Action the mildest that somebody can do, and Risk what
	// that does besides; absent if nothing is needed.
	Next   []string `json:"next"`
	Action string   `json:"action,omitempty"`
	Risk   string   `json:"risk,omitempty"`
	// Deletes says what an uninstall deletes and keeps, by Helm's record; absent if records are not read
	// (--helm-storage), or if neither Flux nor what revives it uninstalls it.
	Deletes  string    `json:"deletes,omitempty"`
	Findings []Finding `json:"findings"`
	// Why are the lines that "flux-remedy why" prints below the state; absent if all is well.
	Why []incident.Line `json:"why,omitempty"`
	// Unfamiliar is what its settings and its status say that this program does not know.
	Unfamiliar []string `json:"unfamiliar,omitempty"`
	// HeldUpBy are the chains to what holds it up; absent if nothing does, or if Kustomizations are not known.
	HeldUpBy []standstill.Chain `json:"heldUpBy,omitempty"`
	// AppliedBy is what applies it, as Kustomization flux-system/apps; absent if its labels
	// do not say.
	AppliedBy string `json:"appliedBy,omitempty"`
	// Drift are the fields that are not as Git says, if a repository was compared; NotInGit
	// is true if it has no such release.
	Drift    []Drift `json:"drift,omitempty"`
	NotInGit bool    `json:"notInGit,omitempty"`

	// Chart is its chart with the version that was attempted last, as redis 18.1.0; Source is
	// where that is from, as HelmRepository flux-system/bitnami. Absent if they are not known.
	Chart  string `json:"chart,omitempty"`
	Source string `json:"source,omitempty"`
	// Helm is its Helm release, as NAMESPACE/NAME of the records, and Remote what names the cluster of
	// it, as Secret apps/prod; absent if that is the one of the release. Both are absent of a suspended one.
	Helm   string `json:"helm,omitempty"`
	Remote string `json:"remote,omitempty"`
	// Rivals are other HelmReleases of the cluster that have the same Helm release.
	Rivals []release.Name `json:"rivals,omitempty"`

	uid string
	// elsewhere is Action for those who read it on another machine.
	elsewhere string
}

// Finding is what a rule reports of a release.
type Finding struct {
	Rule     string         `json:"rule"`
	Category string         `json:"category"`
	Severity rules.Severity `json:"severity"`
	Message  string         `json:"message"`
	Path     string         `json:"path"`
	// Repair is "safe" or "unsafe" for what lint --fix repairs; absent for a person.
	Repair string        `json:"repair,omitempty"`
	Waived *rules.Waiver `json:"waived,omitempty"`
	// CountsFrom is the version from which it counts: spec.rulesAsOf holds it back until
	// then, and it fails no run. Absent if it counts.
	CountsFrom string `json:"countsFrom,omitempty"`

	degree float64
}

// newReport sorts and counts what was found.
func newReport(all []Release, clusters []Cluster, problems []string) Report {
	r := Report{APIVersion: rules.ConfigAPIVersion, Kind: reportKind, Clusters: clusters, Releases: all, Problems: problems}
	sorted(r.Releases)
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

// sorted sorts releases, those that need somebody first, and returns them.
func sorted(all []Release) []Release {
	slices.SortStableFunc(all, func(a, b Release) int {
		return cmp.Or(
			cmp.Compare(slices.Index(phases, a.Phase), slices.Index(phases, b.Phase)),
			cmp.Compare(slices.Index(release.Tiers, a.Tier), slices.Index(release.Tiers, b.Tier)),
			cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.String(), b.String()),
		)
	})
	return all
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
	if chosen := r.chosen(); chosen.narrow() {
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
