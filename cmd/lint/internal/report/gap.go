package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// folded joins what is undetermined for one reason in several clusters.
func folded(all []release.Undetermined) []release.Undetermined {
	at := map[release.Undetermined]int{}
	var out []release.Undetermined
	for _, u := range all {
		k := u
		k.Cluster, k.Tier = "", ""
		if i, seen := at[k]; seen && u.Cluster != "" {
			if !slices.Contains(strings.Split(out[i].Cluster, ", "), u.Cluster) {
				out[i].Cluster += ", " + u.Cluster
			}
			continue
		}
		if u.Cluster != "" {
			at[k] = len(out)
		}
		out = append(out, u)
	}
	return out
}

// rooted joins what is undetermined for one reason in several clusters, and the releases of a
// build that fails with what says why.
func rooted(all []release.Undetermined) []release.Undetermined {
	held := map[*release.Undetermined][]string{}
	rest := slices.DeleteFunc(slices.Clone(all), func(u release.Undetermined) bool { return rootOf(u, all) != nil })
	for _, u := range all {
		if root := rootOf(u, rest); root != nil {
			held[root] = append(held[root], u.Release)
		}
	}
	for i := range rest {
		if names := held[&rest[i]]; len(names) > 0 {
			slices.Sort(names)
			names = slices.Compact(names)
			rest[i].Reason += "; not judged: " + words.First(names, some, "release")
		}
	}
	return folded(rest)
}

// gap is what is undetermined for one reason, in however many places.
type gap []release.Undetermined

// mostAlike is how many things that are undetermined for one reason are told each.
const mostAlike = 2

// gaps joins what is undetermined for one reason, or with one advice, in more than a few places, the widest first;
// with All nothing is joined.
func (o Options) gaps(all []release.Undetermined) []gap {
	type key struct {
		why, accepted, rules string
		ofRelease            bool
	}
	keyOf := func(u release.Undetermined) key {
		return key{cmp.Or(u.Advice, why(u.Reason)), u.Accepted, u.Rules, u.Release != ""}
	}
	all = folded(all)
	alike := map[key]int{}
	for _, u := range all {
		alike[keyOf(u)]++
	}
	at := map[key]int{}
	var out []gap
	for _, u := range all {
		k := keyOf(u)
		if i, seen := at[k]; seen && alike[k] > mostAlike && !o.All {
			out[i] = append(out[i], u)
			continue
		}
		at[k] = len(out)
		out = append(out, gap{u})
	}
	slices.SortStableFunc(out, func(a, b gap) int { return cmp.Compare(len(b), len(a)) })
	return out
}

// why returns a reason without the object that it names before the first colon.
func why(reason string) string {
	if _, after, named := strings.Cut(reason, ": "); named {
		return after
	}
	return reason
}

// reason names what is undetermined and why, and some of what else is for the same reason, with its clusters
// where they are not those of the one before.
func (g gap) reason() string {
	var rest []string
	for i, u := range g[1:] {
		name := cmp.Or(u.Release, place(u.File, u.Line, 0))
		if u.Cluster != "" && u.Cluster != g[i].Cluster {
			name += " in " + clusters(u)
		}
		rest = append(rest, name)
	}
	if len(rest) == 0 {
		return reasonOf(g[0])
	}
	noun := "place"
	if g[0].Release != "" {
		noun = "release"
	}
	return reasonOf(g[0]) + "; the same reason in " + words.Count(len(rest), "more "+noun) + ": " + words.First(rest, mostNames, "")
}

func reasonOf(u release.Undetermined) string {
	text := u.Text()
	if u.Cluster != "" && !strings.HasPrefix(u.Reason, "folder "+u.Cluster+" ") { // an entry is named once
		text = clusters(u) + ": " + text
	}
	if u.Release != "" {
		text = u.Release + ": " + text
	}
	return text + accepted(u)
}

// clusters names some of the clusters of what is undetermined.
func clusters(u release.Undetermined) string {
	all := strings.Split(u.Cluster, ", ")
	return words.Plural(len(all), "cluster") + " " + words.First(all, mostNames, "")
}

// accepted says why something undetermined is accepted, for the end of a
// sentence.
func accepted(u release.Undetermined) string {
	if u.Accepted == "" {
		return ""
	}
	return " (accepted " + u.Accepted + ")"
}
