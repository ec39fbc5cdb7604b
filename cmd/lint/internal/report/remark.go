package report

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// mostRemarks is how many facts of one kind are remarked upon for people; JSON has all.
const mostRemarks = 8

// remarks say for people what verdicts rest on that a reader would not expect: which
// releases Flux does not apply, which are not judged as production, and why, which markers are not followed, and
// which controllers are assumed.
func remarks(releases []Release) []string {
	var ignored, blocked, alerted tally
	lowered := map[release.Tier]*tally{release.Staging: {}, release.Development: {}}
	for _, r := range releases {
		if of := lowered[r.Tier]; of != nil {
			of.add(r.TierFrom)
		}
		if r.BlockedBy != "" {
			blocked.add(" not applied as written here: " + r.BlockedBy)
		}
		if r.AlertedBy != "" {
			alerted.add(" without an Alert of Flux, but with one on metrics: " + r.AlertedBy)
		}
		if r.TierIgnored != "" {
			ignored.add(": " + r.TierIgnored)
		}
	}
	return slices.Concat(blocked.lines(), lowered[release.Staging].line(" judged as staging: "),
		lowered[release.Development].line(" judged as development: "), ignored.lines(), alerted.lines(), controllerRemarks(controllers(releases)))
}

// tally counts releases by what is said of them.
type tally struct {
	said  []string
	count map[string]int
}

func (t *tally) add(text string) {
	if t.count == nil {
		t.count = map[string]int{}
	}
	if t.count[text]++; t.count[text] == 1 {
		t.said = append(t.said, text)
	}
}

// sorted returns the texts, those of most releases first.
func (t *tally) sorted() []string {
	return slices.SortedStableFunc(slices.Values(t.said), func(a, b string) int { return t.count[b] - t.count[a] })
}

// line returns one line for all texts.
func (t *tally) line(head string) []string {
	total := 0
	for _, n := range t.count {
		total += n
	}
	var parts []string
	for _, text := range t.sorted() {
		if len(t.said) > 1 {
			text += fmt.Sprintf(" (%d)", t.count[text])
		}
		parts = append(parts, text)
	}
	if total == 0 {
		return nil
	}
	line := count(total, "release") + head + firstOf(parts, mostNames, "")
	if len(parts) > mostNames+1 {
		line += ": see tierFrom in the JSON report"
	}
	return []string{line}
}

// lines returns a line for each text.
func (t *tally) lines() []string {
	var out []string
	rest := 0
	for i, text := range t.sorted() {
		if i < mostRemarks {
			out = append(out, count(t.count[text], "release")+text)
		} else {
			rest += t.count[text]
		}
	}
	if rest > 0 {
		out = append(out, count(rest, "release")+" more of this kind: see tierIgnored and blockedBy in the JSON report")
	}
	return out
}
