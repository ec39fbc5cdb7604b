package report

import (
	"fmt"
	"slices"
	"strings"

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

// mostNames is how many releases or places a line names.
const mostNames = 4

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

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// entry is blocks that are edited in the same documents, for the same releases: they are
// shown at once.
type entry []block

// entries returns what is found by what is edited, the worst first.
func entries(findings []Finding) []entry {
	return words.Alike[entry](blocks(findings), block.documents)
}

// documents names what is to be edited for a block, and for which releases.
func (b block) documents() string {
	var all []string
	for _, c := range b {
		object := strings.Fields(c.Field)
		if len(object) == 0 { // made by no field
			all = append(all, c.at()+" "+c.Rule)
			continue
		}
		all = append(all, fmt.Sprintf("%s %q", c.File, object[:min(2, len(object))]))
	}
	slices.Sort(all)
	return fmt.Sprintf("%q %q", slices.Compact(all), names(b.findings()))
}

// rules names the rules of an entry, each once.
func (e entry) rules() string {
	var ids []string
	for _, b := range e {
		if id := b.first().Rule; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return words.List(ids)
}

// First names what to repair first, each in a line: at most so many causes of errors and warnings, the
// worst first, of these what concerns the most releases.
func (o Options) First(r Report, most int) []string {
	var lines []string
	for _, e := range entries(r.without(rules.Warning).Findings) {
		if len(lines) == most {
			break
		}
		f := e[0].first()
		when := "then:"
		if len(lines) == 0 {
			when = "repair first:"
		}
		line := fmt.Sprintf("%-13s %s: %s [%s] at %s", when, f.Severity, o.title(f), e.rules(), e[0][0].at())
		if reach := e[len(e)-1].counted(" releases"); reach != "" {
			line += ": " + reach
		}
		lines = append(lines, line)
	}
	return lines
}
