package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// mostRemarks is how many facts of one kind are remarked upon for people; JSON has all.
const mostRemarks = 8

// remarks say for people what verdicts rest on that a reader would not expect: which
// releases Flux does not apply, which are not judged as production, and why, which markers are not followed, and
// which controllers are assumed.
func remarks(releases []Release) []string {
	var ignored, blocked, alerted []string
	from := map[release.Tier][]string{}
	for _, r := range releases {
		from[r.Tier] = append(from[r.Tier], r.TierFrom)
		if r.BlockedBy != "" {
			blocked = append(blocked, " not applied as written here: "+r.BlockedBy)
		}
		if r.AlertedBy != "" {
			alerted = append(alerted, " without an Alert of Flux, but with one on metrics: "+r.AlertedBy)
		}
		if r.TierIgnored != "" {
			ignored = append(ignored, ": "+r.TierIgnored)
		}
	}
	return slices.Concat(remarksOf(blocked), lowered(release.Staging, from), lowered(release.Development, from),
		remarksOf(ignored), remarksOf(alerted), controllerRemarks(controllers(releases)))
}

// byFrequency joins equal texts, the most frequent first.
func byFrequency(all []string) [][]string {
	out := words.Alike[[]string](all, strings.Clone)
	slices.SortStableFunc(out, func(a, b []string) int { return len(b) - len(a) })
	return out
}

// lowered says in a line what makes releases less than production.
func lowered(tier release.Tier, from map[release.Tier][]string) []string {
	reasons := byFrequency(from[tier])
	if len(reasons) == 0 {
		return nil
	}
	parts := words.Of(reasons, func(of []string) string {
		if len(reasons) == 1 {
			return of[0]
		}
		return fmt.Sprintf("%s (%d)", of[0], len(of))
	})
	line := fmt.Sprintf("%s judged as %s: %s", words.Count(len(from[tier]), "release"), tier, words.First(parts, mostNames, ""))
	if len(parts) > mostNames+1 {
		line += ": see tierFrom in the JSON report"
	}
	return []string{line}
}

// remarksOf counts the releases of each text in a line.
func remarksOf(all []string) []string {
	var out []string
	rest := 0
	for i, of := range byFrequency(all) {
		if i < mostRemarks {
			out = append(out, words.Count(len(of), "release")+of[0])
		} else {
			rest += len(of)
		}
	}
	if rest > 0 {
		out = append(out, words.Count(rest, "release")+" more of this kind: see tierIgnored and blockedBy in the JSON report")
	}
	return out
}
