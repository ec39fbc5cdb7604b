package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// releaseID identifies a release in all counts: in its cluster or, if that is not known, by its document.
type releaseID struct {
	name, cluster string
	at            Place
}

func (r Release) id() releaseID { return idOf(r.Name.String(), r.Cluster, r.File, r.Line) }

func idOf(name, cluster, file string, line int) releaseID {
	id := releaseID{name: name, cluster: cluster}
	if cluster == "" {
		id.at = Place{File: file, Line: line}
	}
	return id
}

// once returns each release once: of one that a cluster applies with several contents the worst, with what is remarked of
// the others, and with the class unknown those of which nothing could be built.
func once(releases []Release, undetermined []release.Undetermined) []Release {
	out, at := []Release{}, map[releaseID]int{}
	add := func(r Release) {
		i, seen := at[r.id()]
		if !seen {
			at[r.id()] = len(out)
			out = append(out, r)
			return
		}
		other := out[i]
		if !r.worse(other) {
			r, other = other, r
		}
		r.BlockedBy, r.TierIgnored = cmp.Or(r.BlockedBy, other.BlockedBy), cmp.Or(r.TierIgnored, other.TierIgnored)
		out[i] = r
	}
	for _, r := range releases {
		add(r)
	}
	for _, u := range undetermined {
		if _, seen := at[idOf(u.Release, u.Cluster, u.File, u.Line)]; whole(u) && !seen {
			namespace, name, _ := strings.Cut(u.Release, "/")
			add(Release{Name: release.Name{Namespace: namespace, Name: name}, Tier: u.Tier, Cluster: u.Cluster, File: u.File, Line: u.Line, Class: rules.ClassUnknown})
		}
	}
	return out
}

// whole reports whether nothing of a release is judged.
func whole(u release.Undetermined) bool { return u.Release != "" && u.Severity == "" }

// worse reports whether a release is of a stricter tier than another or, in the same one, of a worse class.
func (r Release) worse(than Release) bool {
	return cmp.Or(slices.Index(release.Tiers, r.Tier)-slices.Index(release.Tiers, than.Tier), slices.Index(worstFirst, r.Class)-slices.Index(worstFirst, than.Class)) < 0
}

var worstFirst = []rules.Class{rules.ClassViolating, rules.ClassUnknown, rules.ClassBounded, rules.ClassRetry}

// judged counts the releases whose failure settings are known, by tier and class.
func judged(releases []Release) map[State]int {
	out := map[State]int{}
	for _, r := range releases {
		if r.Class != rules.ClassUnknown {
			out[State{r.Tier, r.Class}]++
		}
	}
	return out
}

// partly counts the releases that have a class and of which something could not be checked.
func (r Report) partly() int {
	gaps := map[releaseID]bool{}
	for _, u := range r.Undetermined {
		gaps[idOf(u.Release, u.Cluster, u.File, u.Line)] = true
	}
	return count(r.Releases, func(r Release) bool { return r.Class != rules.ClassUnknown && gaps[r.id()] })
}

// spread is the releases of a count.
type spread map[releaseID]bool

func spreadOf(releases []Release) spread {
	out := spread{}
	for _, r := range releases {
		out[r.id()] = true
	}
	return out
}

// String counts the names where clusters share some: " (18 names in 6 clusters)". What is found is counted by name.
func (s spread) String() string {
	names, clusters := map[string]bool{}, map[string]bool{}
	for of := range s {
		names[of.name] = true
		if of.cluster != "" { // a release that no cluster could build is of none
			clusters[of.cluster] = true
		}
	}
	if len(names) == len(s) || len(clusters) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s in %s)", words.Count(len(names), "name"), words.Count(len(clusters), "cluster"))
}

// classTexts say what the classes mean to who has not read about them.
type classTexts map[rules.Class]string

// textsOf returns the texts of classes beside findings. Where no forecast among these needs a
// human, as with unlimited retries, a violating release is not left stuck by a failure.
func textsOf(findings []Finding) classTexts {
	violating := "a failure can leave it stuck"
	foreseen := kept(findings, func(f Finding) bool { return f.Forecast != nil })
	if len(foreseen) > 0 && !slices.ContainsFunc(foreseen, func(f Finding) bool { return f.Forecast.Outcome.NeedsHuman }) {
		violating = "of neither accepted class"
	}
	return classTexts{
		rules.ClassRetry:     "tried again until it works",
		rules.ClassBounded:   "gives up after its retries",
		rules.ClassViolating: violating,
		rules.ClassUnknown:   "not known from this repository",
	}
}

// classTexts returns the texts of classes for the releases of the report.
func (r Report) classTexts() classTexts {
	violating := map[release.Name]bool{}
	for _, of := range r.Releases {
		violating[of.Name] = violating[of.Name] || of.Class == rules.ClassViolating
	}
	return textsOf(kept(r.Findings, func(f Finding) bool { return f.ofOne() && violating[f.Release] }))
}

// legend returns a line that explains classes, the worst first: "bounded: gives up after its retries".
func (texts classTexts) legend(shown func(rules.Class) bool) string {
	var parts []string
	for _, class := range []rules.Class{rules.ClassViolating, rules.ClassBounded, rules.ClassRetry, rules.ClassUnknown} {
		if shown(class) {
			parts = append(parts, string(class)+": "+texts[class])
		}
	}
	return strings.Join(parts, "; ")
}

// unresolved counts the places that may contain more releases.
func (r Report) unresolved() int {
	return count(folded(open(r.Undetermined)), func(u release.Undetermined) bool { return u.Release == "" })
}

// State is how a release is judged.
type State struct {
	Tier  release.Tier `json:"tier"`
	Class rules.Class  `json:"class"`
}
