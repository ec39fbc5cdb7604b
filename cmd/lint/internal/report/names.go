package report

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
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
	open := kept(findings, func(f Finding) bool { return f.Waived == nil })
	return words.Alike[[]Finding](open, func(f Finding) key { return key{f.Rule, f.Message, f.File, f.Line, f.Column, f.Severity} })
}

// message returns that of findings that say the same, with their releases.
func message(group []Finding) string {
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
	return words.First(names(group), mostNames, "") + where(group)
}

// names lists the releases of a group, each once.
func names(group []Finding) []string {
	names := words.Of(group, func(f Finding) string { return f.Release.String() })
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
	named := words.Plural(len(tiers), "tier") + " " + words.List(tiers)
	switch {
	case len(clusters) == 0:
	case len(clusters) == 1:
		named += fmt.Sprintf(", cluster %q", clusters[0])
	case len(clusters) <= some:
		named += ", clusters " + words.List(clusters)
	default:
		named += ", " + words.Count(len(clusters), "cluster")
	}
	return " (" + named + ")"
}
