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
	var lowered, ignored, blocked tally
	for _, r := range releases {
		if r.Tier != release.Production {
			lowered.add(fmt.Sprintf(" judged as %s: %s", r.Tier, r.TierFrom))
		}
		if r.BlockedBy != "" {
			blocked.add(" not applied as written here: " + r.BlockedBy)
		}
		if r.TierIgnored != "" {
			ignored.add(": " + r.TierIgnored)
		}
	}
	return slices.Concat(blocked.lines(), lowered.lines(), ignored.lines(), controllerRemarks(controllers(releases)))
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

// lines returns a line for each text, those of most releases first.
func (t *tally) lines() []string {
	slices.SortStableFunc(t.said, func(a, b string) int { return t.count[b] - t.count[a] })
	var out []string
	for _, text := range t.said[:min(len(t.said), mostRemarks)] {
		out = append(out, count(t.count[text], "release")+text)
	}
	rest := 0
	for _, text := range t.said[len(out):] {
		rest += t.count[text]
	}
	if rest > 0 {
		out = append(out, count(rest, "release")+" more of this kind: see tierFrom and tierIgnored in the JSON report")
	}
	return out
}
