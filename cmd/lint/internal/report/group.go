package report

import (
	"fmt"
	"slices"
	"strings"

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

// releases names those of a group, with their tiers and clusters.
func releases(group []Finding) string {
	const most = 5
	var names []string
	var tiers []rules.Tier
	var clusters []string
	for _, f := range group {
		names = append(names, f.Release.String())
		tiers, clusters = union(tiers, f.Tiers), union(clusters, f.Clusters)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	shown := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		shown += fmt.Sprintf(" and %d more", len(names)-most)
	}
	where := make([]string, 0, len(tiers)+1)
	for _, tier := range tiers {
		where = append(where, string(tier))
	}
	if len(clusters) > 0 {
		where = append(where, plural(len(clusters), "cluster")+" "+strings.Join(clusters, ", "))
	}
	return shown + " (" + strings.Join(where, ", ") + ")"
}

// String gives namespace/name, or the name alone.
func (n Name) String() string {
	if n.Namespace == "" {
		return n.Name
	}
	return n.Namespace + "/" + n.Name
}

// text names what is undetermined, and why.
func (u Undetermined) text() string {
	text := u.Reason
	if u.Cluster != "" {
		text = "cluster " + u.Cluster + ": " + text
	}
	if u.Release != "" {
		text = u.Release + ": " + text
	}
	return text
}

func place(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
