package report

import (
	"cmp"
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Waiver is a waiver as it is written: an annotation of a release, a comment, or an entry
// of the configuration.
type Waiver struct {
	Rule string `json:"rule"`
	// Release is namespace/name, of an entry with its globs. It is empty for a comment, which
	// is about what the line beside it decides.
	Release string `json:"release"`
	// Where names the cluster, the file and the field that an entry is for; absent elsewhere.
	Where  string     `json:"where,omitempty"`
	Reason string     `json:"reason"`
	Owner  string     `json:"owner"`
	Until  rules.Date `json:"until"`
	// DaysLeft is 0 on the last day, negative afterwards. When a waiver began
	// is not written anywhere.
	DaysLeft int         `json:"daysLeft"`
	State    WaiverState `json:"state"`
	File     string      `json:"file"`
	Line     int         `json:"line"`
	// DidYouMean ends the notice of an unknown rule: "; did you mean X?".
	DidYouMean string `json:"-"`
	// Decided are the places of the findings that one patch would repair beside which a comment stands: it decides none of
	// them, and they do. Empty if it stands elsewhere.
	Decided []string `json:"-"`
}

// WaiverState says what to make of a waiver.
type WaiverState string

// The states. An expired waiver accepts nothing; one that expires within two
// weeks is used until then; an unused one accepts what is not found.
const (
	WaiverUsed     WaiverState = "used"
	WaiverExpiring WaiverState = "expiring"
	WaiverUnused   WaiverState = "unused"
	WaiverExpired  WaiverState = "expired"
	// WaiverUnknown names a rule that there is not.
	WaiverUnknown WaiverState = "unknown"
)

// Left says how long a waiver holds still: "12 days left".
func (w Waiver) Left() string { return left(w.DaysLeft) }

func left(days int) string {
	switch {
	case days < 0:
		return "ended " + words.Count(-days, "day") + " ago"
	case days == 0:
		return "its last day"
	}
	return words.Count(days, "day") + " left"
}

// AcceptsNothing reports whether a waiver has ended, or names a rule or a release that is not there.
func (w Waiver) AcceptsNothing() bool { return w.State.acceptsNothing() }

// AcceptsNothing reports whether an acceptance has ended, or is of what is not there.
func (a AcceptedGap) AcceptsNothing() bool { return a.State.acceptsNothing() }

func (s WaiverState) acceptsNothing() bool {
	return s == WaiverExpired || s == WaiverUnused || s == WaiverUnknown
}

// notice says what somebody should do about a waiver; empty if nothing.
func (w Waiver) notice() string {
	of := fmt.Sprintf("the waiver of %s for %s", w.Rule, w.Release)
	if w.Where != "" {
		of += ", " + w.Where
	}
	if w.Release == "" {
		of = fmt.Sprintf("the waiver of %s in this comment", w.Rule)
	}
	if w.Owner != "" {
		of += fmt.Sprintf(" (ask %s)", w.Owner)
	}
	switch w.State {
	case WaiverExpiring:
		return fmt.Sprintf("%s ends on %s (%s): %s", of, w.Until, w.Left(), w.Reason)
	case WaiverUnused:
		if len(w.Decided) > 0 {
			return fmt.Sprintf("%s accepts nothing: a patch here would repair this, and nothing here decides it yet; write the comment at %s, or an entry of spec.waivers",
				of, words.First(w.Decided, some, "line"))
		}
		return of + " is unused: nothing is found that it accepts; remove it"
	case WaiverUnknown:
		return fmt.Sprintf("%s accepts nothing: there is no rule %s; \"flux-remedy rules\" lists them%s", of, w.Rule, w.DidYouMean)
	case WaiverExpired:
		return fmt.Sprintf("%s ended on %s and accepts nothing: remove it, or what it was for", of, w.Until)
	}
	return ""
}

// AcceptedGap is an entry of the configuration that accepts what cannot be
// judged.
type AcceptedGap struct {
	rules.AcceptEntry
	// DaysLeft is 0 on the last day, negative afterwards.
	DaysLeft int `json:"daysLeft"`
	// State is used, expiring, unused or expired.
	State WaiverState `json:"state"`
	File  string      `json:"file"`
	Line  int         `json:"line"`
}

// notice says what somebody should do about an acceptance; empty if nothing.
func (a AcceptedGap) notice() string {
	of := "the acceptance of " + cmp.Or(a.Source, words.First(a.AllPaths(), some, "path"))
	if releases := a.AllReleases(); len(releases) > 0 {
		of += ", release " + words.First(releases, some, "release")
	}
	if a.Message != "" {
		of += fmt.Sprintf(" (%q)", a.Message)
	}
	switch a.State {
	case WaiverExpiring:
		return fmt.Sprintf("%s ends on %s (%s): %s", of, a.Until, left(a.DaysLeft), a.Reason)
	case WaiverUnused:
		return of + " is unused: nothing undetermined matches it; remove it"
	case WaiverExpired:
		return fmt.Sprintf("%s ended on %s and accepts nothing: remove it, or make known what it was for", of, a.Until)
	}
	return ""
}

// Unmatched is a glob of the configuration that nothing in the tree matches.
type Unmatched struct {
	// Field is where it is written, as spec.tiers[0].paths[1].
	Field string `json:"field"`
	Glob  string `json:"glob"`
	File  string `json:"file"`
	Line  int    `json:"line"`
	// Why says what there is not, and what may be meant or what to do.
	Why string `json:"why"`
}
