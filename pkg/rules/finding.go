package rules

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Class says how a release recovers from a failure, by its effective settings.
type Class string

const (
	// ClassRetry: RetryOnFailure on both halves, with retry intervals above zero.
	ClassRetry Class = "retry"
	// ClassBounded: RemediateOnFailure on both halves, with bounded retries and
	// a rollback after every failed upgrade, the last one included.
	ClassBounded Class = "bounded"
	// ClassViolating: neither of the two. After some failure the release needs a
	// human.
	ClassViolating Class = "violating"
	// ClassUnknown: the settings cannot be determined.
	ClassUnknown Class = "unknown"
)

// Finding names a field of a release that is wrong, and what would happen.
type Finding struct {
	Rule     string
	Category string
	Severity Severity
	// Message says what would happen, in the controller's terms.
	Message string
	// Path is the field of the effective object that causes it.
	Path release.Path
	// Object is another object of the cluster that Path is in, as Kind/namespace/name;
	// empty if it is the release.
	Object string
	// Blocks is true if Flux cannot apply the object, and so nothing of what is applied
	// with it.
	Blocks bool
	// Written is true if the finding is about the value in the release's own
	// document, and false if it is about the effective value.
	Written bool
	// Key is true if the finding is about the key of the field, whatever its value is.
	Key bool
	// Scenario names the forecast that shows it; empty if none does.
	Scenario string
	// Degree grows as the finding gets worse, in a unit of the rule's own: an old
	// violation that gets worse is new. Zero if the rule knows no degrees.
	Degree float64
	// CountsFrom is the version from which it counts, as v0.3.0: spec.rulesAsOf holds it
	// back until then, and it is at most a warning that fails no run. Empty if it counts.
	CountsFrom string
	// Fix repairs it; nil if no single edit does.
	Fix *Fix
	// Help says what to do instead of [Rule.Help], or what Fix does not do; empty if the rule does.
	Help string
	// Waiver accepts the finding; nil if none does.
	Waiver *Waiver
}

// Fix is an edit of the effective object, or of the Kustomization that applies it, that makes a
// finding go away.
type Fix struct {
	// Safe is true if it adds what nobody wrote, or corrects what the API server refuses or
	// the controller ignores, and nobody can want the old behaviour back. A rule cannot make
	// safe what replaces or removes a written value.
	Safe bool `json:"safe"`
	// Corrects is true if what the fix replaces or removes has no effect (see
	// [Rule.Corrects]).
	Corrects bool `json:"-"`
	// OnlySelected is true if it is made only where the rule is selected by name: it repairs an
	// info, or takes back what is an error in no tier, so that somebody may have decided for it.
	OnlySelected bool `json:"-"`
	// Set are the fields to write, in order.
	Set []Edit `json:"set"`
	// Other brings the release to the other class that is accepted, where spec.fix.prefer
	// chooses; nil elsewhere.
	Other *OtherFix `json:"other,omitempty"`
}

// OtherFix is what a fix would be if spec.fix.prefer was another class.
type OtherFix struct {
	Class Class  `json:"class"`
	Safe  bool   `json:"safe"` // as a fix is
	Set   []Edit `json:"set"`
}

// Edit writes one field of the effective object. A null value removes it.
type Edit struct {
	// Object is the Flux Kustomization that applies the release, as Kustomization/namespace/name, if
	// the field is one of that; empty if it is one of the release.
	Object string `json:"object,omitempty"`

	Path  release.Path `json:"path"`
	Value any          `json:"value"`
}

// OfRelease reports whether all edits are of the release itself.
func (f *Fix) OfRelease() bool {
	return !slices.ContainsFunc(f.Set, func(e Edit) bool { return e.Object != "" })
}

// Verdict is the engine's judgement of one release.
type Verdict struct {
	Class Class
	// Findings are sorted by path, then rule; waived ones are among them.
	Findings []Finding
	// Open are the rules that could not be checked and that nothing waives, by
	// category and id. They have no finding.
	Open []Open
	// ClassOpen are the unknown fields that the class depends on.
	ClassOpen []release.Unknown
	// Waivers are all waivers of the release, valid or expired, used or not.
	Waivers []Waiver
	// WaiverErrors are the waiver annotations that cannot be read or are forbidden.
	WaiverErrors []*WaiverError
}

// Open is a rule that cannot be checked for a release, because it reads fields whose
// values are not known.
type Open struct {
	Rule     string
	Severity Severity // the worst that it reports in the release's tier
	Fields   []release.Unknown
}
