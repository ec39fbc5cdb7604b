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

// widest returns the groups of findings that are told at once, the worst first, of these
// what concerns the most releases.
func widest(findings []Finding) [][][]Finding {
	groups := widestFirst(groups(findings), func(g []Finding) []Finding { return g })
	return widestFirst(alikes(groups), func(b [][]Finding) []Finding { return slices.Concat(b...) })
}

// alikes joins groups that say the same of several places, whatever chart they
// name: many releases that lack the same setting. The place of the first is
// the place of all.
func alikes(groups [][]Finding) [][][]Finding {
	at := map[string]int{}
	var out [][][]Finding
	for _, group := range groups {
		f := group[0]
		k := fmt.Sprint(f.Rule, "\n", f.Severity, "\n", f.chartless(), "\n", f.Path, "\n", f.Exact, "\n", f.Provenance)
		if f.Forecast != nil {
			k += "\n" + f.Forecast.Scenario + "\n" + f.Forecast.Outcome.String()
		}
		if i, seen := at[k]; seen {
			out[i] = append(out[i], group)
			continue
		}
		at[k] = len(out)
		out = append(out, [][]Finding{group})
	}
	return out
}

// chartless returns the message without the name of the chart.
func (f Finding) chartless() string {
	if f.Chart == "" {
		return f.Message
	}
	return strings.ReplaceAll(f.Message, " of "+f.Chart+" ", " of it ")
}

// elsewhere returns the place and the releases of each further group, and their
// clusters if these are others.
func elsewhere(groups [][]Finding) []Place {
	var places []Place
	for _, group := range groups[1:] {
		what := names(group)
		if f := group[0]; f.Message != groups[0][0].Message {
			what += ", chart " + f.Chart
		}
		if at := where(group); at != where(groups[0]) {
			what += at
		}
		places = append(places, Place{File: place(group[0].File, group[0].Line, group[0].Column), What: what})
	}
	return places
}

// told returns the message of a finding with the release that it is of.
func (f Finding) told() string {
	if of := releases([]Finding{f}); of != "" {
		return f.Message + " [" + of + "]"
	}
	return f.Message
}

// ofOne reports whether a finding is of one release, and not of what many share.
func (f Finding) ofOne() bool { return f.Release != (release.Name{}) }

// releases names those of a group, with their tiers and clusters; "" if its findings
// are of no single release.
func releases(group []Finding) string {
	if !group[0].ofOne() {
		return ""
	}
	return names(group) + where(group)
}

func names(group []Finding) string {
	const most = 5
	var names []string
	for _, f := range group {
		names = append(names, f.Release.String())
	}
	slices.Sort(names)
	names = slices.Compact(names)
	shown := strings.Join(names[:min(most, len(names))], ", ")
	if len(names) > most {
		shown += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return shown
}

// where returns the tiers and clusters of a group: " (production, cluster live)".
func where(group []Finding) string {
	var tiers []release.Tier
	var clusters []string
	for _, f := range group {
		tiers, clusters = union(tiers, f.Tiers), union(clusters, f.Clusters)
	}
	where := make([]string, 0, len(tiers)+1)
	for _, tier := range tiers {
		where = append(where, string(tier))
	}
	if len(clusters) > 0 {
		where = append(where, plural(len(clusters), "cluster")+" "+strings.Join(clusters, ", "))
	}
	return " (" + strings.Join(where, ", ") + ")"
}

// written says what is written in a place and where; the file once.
func (p Place) written() string {
	at := place(p.File, p.Line, 0)
	if what, same := strings.CutSuffix(p.What, " "+p.File); same {
		return what + " " + at
	}
	return p.What + ", " + at
}

// counted says how many releases were found and judged, and how many are not
// known; places that may hold more of them are no releases.
func (r Report) counted() string {
	places, accepted := 0, 0
	for _, u := range folded(r.Undetermined) {
		if u.Release == "" {
			places++
		}
		if u.Accepted != "" {
			accepted++
		}
	}
	text := fmt.Sprintf("%s found, %d judged", count(r.Summary.Releases, "release"), r.Summary.Judged)
	if n := r.partly(); n > 0 {
		text += fmt.Sprintf(" (%d in part)", n)
	}
	text += fmt.Sprintf(", %d undetermined", r.unknown())
	if places > 0 {
		text += fmt.Sprintf(" and %s that may hold more", count(places, "place"))
	}
	if accepted > 0 {
		text += fmt.Sprintf(" (%d accepted)", accepted)
	}
	return text
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
