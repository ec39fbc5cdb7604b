package overview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Release is one HelmRelease of a cluster.
type Release struct {
	Subject
	Condition
	Outlook
	Findings []Finding `json:"findings"`
	// Why are the lines that "flux-remedy why" prints below the state; absent if all is well.
	Why []incident.Line `json:"why,omitempty"`
	// Unfamiliar is what its settings and its status say that this program does not know.
	Unfamiliar []string `json:"unfamiliar,omitempty"`
	// HeldUpBy are the chains to what holds it up; absent if nothing does, or if Kustomizations are not known.
	HeldUpBy []standstill.Chain `json:"heldUpBy,omitempty"`
	Origin
	Home
}

// Subject is which release it is.
type Subject struct {
	release.Name
	// Cluster is the context that it was read by; empty of a file.
	Cluster string       `json:"cluster,omitempty"`
	Tier    release.Tier `json:"tier"`
	Class   rules.Class  `json:"class"`
	// UID is that of the object.
	UID string `json:"-"`
}

// Condition is how a release is, and since when.
type Condition struct {
	Phase Phase `json:"phase"`
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
}

// Outlook is what comes of a release, and what somebody can do.
type Outlook struct {
	// Next says what Flux does next, Action the mildest that somebody can do, and Risk what
	// that does besides; absent if nothing is needed.
	Next   []string `json:"next"`
	Action string   `json:"action,omitempty"`
	Risk   string   `json:"risk,omitempty"`
	// Deletes says what an uninstall deletes and keeps, by Helm's record; absent if records are not read
	// (--helm-storage), or if neither Flux nor what revives it uninstalls it.
	Deletes string `json:"deletes,omitempty"`
	// Elsewhere is Action for those who read it on another machine.
	Elsewhere string `json:"-"`
}

// Origin is where a release comes from.
type Origin struct {
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
}

// Home is where Helm keeps a release, and who else has it.
type Home struct {
	// Helm is its Helm release, as NAMESPACE/NAME of the records, and Remote what names the cluster of
	// it, as Secret apps/prod; absent if that is the one of the release. Both are absent of a suspended one.
	Helm   string `json:"helm,omitempty"`
	Remote string `json:"remote,omitempty"`
	// Rivals are other HelmReleases of the cluster that have the same Helm release.
	Rivals []release.Name `json:"rivals,omitempty"`
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
	// Degree grows as it gets worse (see [rules.Finding]).
	Degree float64 `json:"-"`
}

// FindingOf returns what a rule reports, as the report has it.
func FindingOf(f rules.Finding) Finding {
	return Finding{
		Rule: f.Rule, Category: f.Category, Severity: f.Severity, Message: f.Message, Path: f.Path.String(), Repair: repairOf(f), Waived: f.Waiver,
		CountsFrom: f.CountsFrom, Degree: f.Degree,
	}
}

// repairOf says what repairs a finding; empty if a person must.
func repairOf(f rules.Finding) string {
	switch {
	case f.Fix == nil:
		return ""
	case f.Fix.Safe:
		return "safe"
	}
	return "unsafe"
}

// Sorted sorts releases, those that need somebody first, and returns them.
func Sorted(all []Release) []Release {
	slices.SortStableFunc(all, func(a, b Release) int {
		return cmp.Or(
			cmp.Compare(slices.Index(phases, a.Phase), slices.Index(phases, b.Phase)),
			cmp.Compare(slices.Index(release.Tiers, a.Tier), slices.Index(release.Tiers, b.Tier)),
			cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.String(), b.String()),
		)
	})
	return all
}

// label names a release and, if it is known, its cluster.
func (r Release) label() string {
	if r.Cluster == "" {
		return r.Name.String()
	}
	return r.Cluster + ": " + r.Name.String()
}

// needsSomebody reports whether a release waits for a person.
func (r Release) needsSomebody() bool { return r.Phase == Stuck || r.Phase == Interrupted }

// reason says in one word why a release needs somebody.
func (r Release) reason() string {
	if r.Phase == Interrupted {
		return "Interrupted"
	}
	return cmp.Or(r.Reason, "Unknown")
}

// follows reports whether a release only waits for others: it is listed with its cause.
func (r *Release) follows() bool {
	return r.Phase == Waiting && slices.ContainsFunc(r.HeldUpBy, func(c standstill.Chain) bool { return !c.Unsure() })
}

// details say of a release what matters besides its state.
func (r Release) details() []string {
	var all []string
	if len(r.Unfamiliar) > 0 {
		all = append(all, "unknown "+strings.Join(r.Unfamiliar, ", ")+": a newer helm-controller may go on otherwise than is said here")
	}
	for i, chain := range r.HeldUpBy[:min(len(r.HeldUpBy), most)] {
		all = append(all, fmt.Sprintf("%-7s %s", words.Once(i, "held"), chain))
	}
	if r.Since != "" {
		since := strings.TrimSuffix("since   "+utc(r.Since)+", failed attempts: "+fmt.Sprint(r.Failures), ", failed attempts: 0")
		if r.After != "" {
			since += ", after: " + r.After
		}
		all = append(all, since)
	}
	if r.Pending != "" {
		all = append(all, "helm    has it as "+r.Pending)
	}
	if r.Limit != "" {
		all = append(all, "stuck   "+r.Limit)
	}
	for i, next := range r.Next {
		all = append(all, fmt.Sprintf("%-7s %s", words.Once(i, "next"), next))
	}
	if r.Deletes != "" && !strings.Contains(r.Risk, r.Deletes) {
		all = append(all, "data    an uninstall "+r.Deletes)
	}
	if r.Action != "" {
		all = append(all, "revive  once the cause is gone: "+r.Action+"; risk "+r.Risk)
	}
	return all
}

// ahead says what Flux does next and, if that is known, what an uninstall deletes.
func (r Release) ahead() []string {
	if r.Deletes == "" {
		return r.Next
	}
	return append(slices.Clone(r.Next), "an uninstall "+r.Deletes)
}

// most is how many releases a line names.
const most = 5

// utc returns a time of RFC 3339 as people read it.
func utc(text string) string {
	return strings.NewReplacer("T", " ", "Z", " UTC").Replace(text)
}
