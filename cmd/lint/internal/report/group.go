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

// ofOne reports whether a finding is of one release, and not of what many share.
func (f Finding) ofOne() bool { return f.Release != (release.Name{}) }

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

// written says what is written in a place and where; the file once.
func (p Place) written() string {
	at := place(p.File, p.Line, 0)
	if what, same := strings.CutSuffix(p.What, " "+p.File); same {
		return what + " " + at
	}
	return p.What + ", " + at
}

// partly counts the releases of which some rules could not be checked, but which have a
// class.
func (r Report) partly() int {
	seen := map[release.Undetermined]bool{}
	for _, u := range r.Undetermined {
		if u.Release != "" {
			of := release.Undetermined{Release: u.Release, Cluster: u.Cluster}
			seen[of] = seen[of] || u.Severity == "" // nothing of it is judged
		}
	}
	n := 0
	for _, whole := range seen {
		if !whole {
			n++
		}
	}
	return n
}

// folded joins what is undetermined for one reason in several clusters.
func folded(all []release.Undetermined) []release.Undetermined {
	at := map[release.Undetermined]int{}
	var out []release.Undetermined
	for _, u := range all {
		k := u
		k.Cluster, k.Tier = "", ""
		if i, seen := at[k]; seen && u.Cluster != "" {
			out[i].Cluster += ", " + u.Cluster
			continue
		}
		if u.Cluster != "" {
			at[k] = len(out)
		}
		out = append(out, u)
	}
	return out
}

// reasonOf names what is undetermined, and why.
func reasonOf(u release.Undetermined) string {
	text := u.Reason
	if u.Cluster != "" {
		text = plural(strings.Count(u.Cluster, ", ")+1, "cluster") + " " + u.Cluster + ": " + text
	}
	if u.Release != "" {
		text = u.Release + ": " + text
	}
	return text + accepted(u)
}

// accepted says why something undetermined is accepted, for the end of a
// sentence.
func accepted(u release.Undetermined) string {
	if u.Accepted == "" {
		return ""
	}
	return " (accepted " + u.Accepted + ")"
}
