package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
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
		return "ended " + count(-days, "day") + " ago"
	case days == 0:
		return "its last day"
	}
	return count(days, "day") + " left"
}

// AcceptsNothing reports whether a waiver has ended, or names a rule or a release that is not there.
func (w Waiver) AcceptsNothing() bool {
	return w.State == WaiverExpired || w.State == WaiverUnused || w.State == WaiverUnknown
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
		return of + " is unused: nothing is found that it accepts; remove it"
	case WaiverUnknown:
		return fmt.Sprintf("%s accepts nothing: there is no rule %s; \"flux-remedy rules\" lists them", of, w.Rule)
	case WaiverExpired:
		return fmt.Sprintf("%s ended on %s and accepts nothing: remove it, or what it was for", of, w.Until)
	}
	return ""
}

// Baseline is what was found before and is not reported again.
type Baseline struct {
	// From is a file, or a revision.
	From string `json:"from"`
	// Idle is true of a revision if neither it nor the state now has a release that could be
	// judged, and nothing is newly undetermined.
	Idle bool `json:"-"`
	// Known counts the findings that are left out: they count nowhere else.
	Known int `json:"known"`
	// Inherited counts those that are left out although their releases are new: their
	// causes were there. Absent if there are none.
	Inherited int `json:"inherited,omitempty"`
	// Stale are entries of the file that are no longer found.
	Stale []Known `json:"stale"`
	// Undetermined is what is so only since a revision, and nothing accepts: the
	// releases that were judged there among them.
	Undetermined []release.Undetermined `json:"undetermined,omitempty"`
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
		text += fmt.Sprintf(" in cluster %q", k.Cluster)
	case k.File != "":
		text += " in " + k.File
	}
	return text + " is no longer found: --write-baseline drops the entry"
}

// notice is what concerns no release, but the run's own waivers and baseline.
type notice struct {
	file string
	line int
	text string
}

func (r Report) notices() []notice {
	var notices []notice
	for _, w := range r.Waivers {
		if text := w.notice(); text != "" {
			notices = append(notices, notice{w.File, w.Line, text})
		}
	}
	for _, a := range r.Acceptances {
		if text := a.notice(); text != "" {
			notices = append(notices, notice{a.File, a.Line, text})
		}
	}
	if r.Baseline != nil {
		for _, k := range r.Baseline.Stale {
			notices = append(notices, notice{r.Baseline.From, 0, k.notice()})
		}
		for _, u := range rooted(r.Baseline.Undetermined) {
			notices = append(notices, notice{u.File, u.Line, "undetermined only since " + r.Baseline.From + ": " + reasonOf(u)})
		}
	}
	return notices
}

// known counts what the baseline leaves out, for the end of a sentence.
func (r Report) known() string {
	if r.Baseline == nil {
		return ""
	}
	text := fmt.Sprintf(", %d known from %s", r.Baseline.Known, r.Baseline.From)
	if n := r.Baseline.Inherited; n > 0 {
		text += fmt.Sprintf(", %d of new releases under known causes", n)
	}
	return text
}
