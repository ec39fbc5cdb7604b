package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Baseline is what was found before and is not reported again.
type Baseline struct {
	// From is a file, or a revision.
	From string `json:"from"`
	// Nothing is that of the comparison with a revision.
	Nothing string `json:"-"`
	// Known counts the findings that are left out: they count nowhere else.
	Known int `json:"known"`
	// Inherited counts those that are left out although their releases are new: their
	// causes were there. Absent if there are none.
	Inherited int `json:"inherited,omitempty"`
	// Stale are entries of the file that are no longer found.
	Stale []Known `json:"stale"`
	// Existing findings are among the known ones: the revision has them as well, but only the new policy reports them.
	Existing []Finding `json:"existing,omitempty"`
	// Undetermined is what is so only since a revision, and nothing accepts: the
	// releases that were judged there among them.
	Undetermined []release.Undetermined `json:"undetermined,omitempty"`
	// Unapplied is what is new or edited since a revision and no cluster applies, so that it is not judged.
	Unapplied []release.Undetermined `json:"unapplied,omitempty"`
}

// Undecided lists what is undetermined in production only since a revision.
func (b *Baseline) Undecided() []release.Undetermined {
	if b == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.Undetermined), func(u release.Undetermined) bool { return !mayBeProduction(u) })
}

// Known is an entry of a baseline: what makes findings, and how bad they are. It has no line
// and no message.
type Known struct {
	Rule string `json:"rule"`
	// File holds the field that decides. It is relative to the folder of the baseline,
	// with slashes.
	File string `json:"file,omitempty"`
	// Field names what decides in File: the object, and the path in it.
	Field string `json:"field,omitempty"`
	// Severity is the worst that is known; a worse one is new. Empty is any.
	Severity rules.Severity `json:"severity,omitempty"`
	// Degree is the worst that is known with Severity; a worse one is new. Zero is any: the
	// rule knows no degrees, or a Secret supplies what it would tell.
	Degree float64 `json:"degree,omitempty"`
	// Release, Path and Cluster are of entries that an earlier version wrote: they are of
	// one release, and have no Field and no Degree. File is that of the release then, where
	// no cluster is known.
	Release string `json:"release,omitempty"`
	Path    string `json:"path,omitempty"`
	Cluster string `json:"cluster,omitempty"`
}

// Identity returns what is known without how bad it is.
func (k Known) Identity() Known {
	k.Severity, k.Degree = "", 0
	return k
}

// Object returns the part of Field that names the object: all but the path in it.
func (k Known) Object() string {
	return k.Field[:max(strings.LastIndex(k.Field, " "), 0)]
}

// Covers reports whether a finding is no worse than what is known.
func (k Known) Covers(severity rules.Severity, degree float64) bool {
	return (k.Severity == "" || k.Severity.AtLeast(severity)) && k.Worst() >= degree
}

// Worst returns the worst degree that is known.
func (k Known) Worst() float64 {
	if k.Degree == 0 {
		return math.Inf(1)
	}
	return k.Degree
}

func (k Known) notice() string {
	text := fmt.Sprintf("%s of %s at %s", k.Rule, k.Release, k.Path)
	switch {
	case k.Field != "":
		text = fmt.Sprintf("%s by %s in %s", k.Rule, k.Field, k.File)
	case k.Cluster != "":
		text += words.InCluster(k.Cluster)
	case k.File != "":
		text += " in " + k.File
	}
	return text + " is no longer found: --write-baseline drops the entry"
}

func mayBeProduction(u release.Undetermined) bool {
	return (u.Tier == release.Production || u.Tier == "") && (u.Severity == "" || u.Severity == string(rules.Error))
}

// Policy is what a change makes of the policy that it is judged by.
type Policy struct {
	// InForce is what judges now, Base what judged the state before.
	rules.InForce
	Base rules.InForce `json:"base"`
	// Changes are all changes of the policy, also those that excuse nothing.
	Changes []PolicyChange `json:"changes"`
	// Weakened are findings of the rule policy-weakened: one for each line that
	// excuses what the policy of the base would report.
	Weakened []Finding `json:"weakened"`
}

// PolicyChange is one change of what decides how releases are judged.
type PolicyChange struct {
	// What has changed: a field of the configuration, a waiver, the tier of
	// releases, the controller of a cluster, a rule, a baseline.
	What string `json:"what"`
	// Before and After are for people; one of them is empty for what has come or
	// gone.
	Before string `json:"before"`
	After  string `json:"after"`
	// File and Line are those of the new state, the line 0 if it is not known.
	File string `json:"file"`
	Line int    `json:"line"`
}

// String says what has changed: "spec.defaultTier: not set, now development".
func (c PolicyChange) String() string {
	return c.What + ": " + cmp.Or(c.Before, "not set") + ", now " + cmp.Or(c.After, "not set")
}

// written says what has changed, and where.
func (c PolicyChange) written() string { return c.String() + inBrackets(place(c.File, c.Line, 0)) }

// hint says how to accept what weakens the policy; empty if that is accepted, or nothing does.
func (p Policy) hint() string {
	if !slices.ContainsFunc(p.Weakened, func(f Finding) bool { return f.Severity != rules.Info }) {
		return ""
	}
	return "--allow-policy-change accepts this, after whoever may change the policy has looked at it"
}
