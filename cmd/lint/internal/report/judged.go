package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// judged counts the releases whose failure settings are known, by tier and class: one that a
// cluster applies twice, with different settings, once.
func judged(releases []Release) map[State]int {
	type id struct {
		name    release.Name
		cluster string
		at      Place // of one that is judged as it is written
	}
	seen, out := map[id]bool{}, map[State]int{}
	for _, r := range releases {
		of := id{name: r.Name, cluster: r.Cluster}
		if r.Cluster == "" {
			of.at = Place{File: r.File, Line: r.Line}
		}
		if r.Class != rules.ClassUnknown && !seen[of] {
			seen[of] = true
			out[State{r.Tier, r.Class}]++
		}
	}
	return out
}

// unknown counts the releases that have no class, each once in a cluster.
func (r Report) unknown() int {
	seen := map[release.Undetermined]bool{}
	for _, u := range r.Undetermined {
		if u.Release != "" && u.Severity == "" {
			seen[release.Undetermined{Release: u.Release, Cluster: u.Cluster}] = true
		}
	}
	return len(seen)
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
	return count(slices.Collect(maps.Values(seen)), func(whole bool) bool { return !whole })
}

// spread says how many names the releases have, where clusters share some. What is found is
// counted by name.
func (r Report) spread() string {
	all := spread{}
	for _, one := range r.Releases {
		all.add(one.Name.String(), one.Cluster)
	}
	for _, u := range r.Undetermined {
		if u.Release != "" {
			all.add(u.Release, u.Cluster)
		}
	}
	if len(all) != r.Summary.Releases {
		return ""
	}
	return all.String()
}

// spread is releases by name and cluster.
type spread map[[2]string]bool

func (s spread) add(name, cluster string) { s[[2]string{name, cluster}] = true }

// String counts the names where clusters share some: " (18 names in 6 clusters)".
func (s spread) String() string {
	names, clusters := map[string]bool{}, map[string]bool{}
	for of := range s {
		names[of[0]] = true
		if of[1] != "" { // a release that no cluster could build is of none
			clusters[of[1]] = true
		}
	}
	if len(names) == len(s) {
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
