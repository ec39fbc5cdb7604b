package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// groups joins the findings that say the same of the same place, which a patch
// does to many releases at once. Waived ones are left out.
func groups(findings []Finding) [][]Finding {
	type key struct {
		rule, message, file string
		line, column        int
		severity            rules.Severity
	}
	at := map[key]int{}
	var out [][]Finding
	for _, f := range findings {
		if f.Waived != nil {
			continue
		}
		k := key{f.Rule, f.Message, f.File, f.Line, f.Column, f.Severity}
		if i, seen := at[k]; seen {
			out[i] = append(out[i], f)
			continue
		}
		at[k] = len(out)
		out = append(out, []Finding{f})
	}
	return out
}

// mostNames is how many releases or places a line names.
const mostNames = 4

// told returns the message of findings that say the same, with their releases.
func told(group []Finding) string {
	if of := releases(group); of != "" {
		return group[0].Message + " [" + of + "]"
	}
	return group[0].Message
}

// releases names those of a group, with their tiers and clusters; "" if its findings
// are of no single release.
func releases(group []Finding) string {
	if !group[0].ofOne() {
		return ""
	}
	return firstOf(names(group), mostNames, "") + where(group)
}

// names lists the releases of a group, each once.
func names(group []Finding) []string {
	var names []string
	for _, f := range group {
		names = append(names, f.Release.String())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// where returns the tiers and clusters of a group: ` (tier production, cluster "live")`.
func where(group []Finding) string {
	var tiers, clusters []string
	for _, f := range group {
		for _, tier := range f.Tiers {
			tiers = union(tiers, []string{string(tier)})
		}
		clusters = union(clusters, f.Clusters)
	}
	slices.SortFunc(tiers, func(a, b string) int {
		return slices.Index(release.Tiers, release.Tier(a)) - slices.Index(release.Tiers, release.Tier(b))
	})
	named := plural(len(tiers), "tier") + " " + listed(tiers)
	switch {
	case len(clusters) == 0:
	case len(clusters) == 1:
		named += fmt.Sprintf(", cluster %q", clusters[0])
	case len(clusters) <= some:
		named += ", clusters " + listed(clusters)
	default:
		named += ", " + count(len(clusters), "cluster")
	}
	return " (" + named + ")"
}

// listed joins words: "a, b and c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
