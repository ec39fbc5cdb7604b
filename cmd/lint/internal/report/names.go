package report

import (
	"cmp"
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

// some is how many releases or places of a change a line names.
const some = 3

// mostNames is how many releases or places a line names.
const mostNames = 4

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// kept returns the items that are to be kept, as a list of its own.
func kept[T any](list []T, keep func(T) bool) []T {
	out := make([]T, 0, len(list))
	for _, item := range list {
		if keep(item) {
			out = append(out, item)
		}
	}
	return out
}

// count counts the items of which something is true.
func count[T any](list []T, is func(T) bool) (n int) {
	for _, item := range list {
		if is(item) {
			n++
		}
	}
	return n
}

func union[T cmp.Ordered](a, b []T) []T {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// place names a place in a file as tools do: file:line:column.
func place(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
