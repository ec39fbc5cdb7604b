package overview

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Root is an object of a cluster that holds up others, and what it holds up.
type Root struct {
	Cluster string `json:"cluster,omitempty"`
	standstill.Cause
}

// String says in a line what a root holds up.
func (r Root) String() string {
	where := ""
	if r.Cluster != "" {
		where = r.Cluster + ": "
	}
	return fmt.Sprintf("%s%s, %s, holds up %s", where, r.Object, r.State, r.Held.String())
}

// named names some of what it holds up.
func (r Root) named() string { return words.First(r.Names(), most, "") }

// unfollowed says in a line where it is not known what holds up what; empty if it is everywhere.
func (r Report) unfollowed() string {
	var names []string
	for _, c := range r.Clusters {
		if c.Unfollowed && c.Releases > 0 {
			names = append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "where Kustomizations could not be listed, it is not known what holds up what: " + words.First(names, most, "")
}

// standing counts in a line what is held up; empty if nothing is.
func (r Report) standing() string {
	if len(r.Roots) == 0 {
		return ""
	}
	at := map[string][]standstill.Cause{}
	for _, root := range r.Roots {
		at[root.Cluster] = append(at[root.Cluster], root.Cause)
	}
	objects := 0
	for _, causes := range at {
		objects += standstill.Distinct(causes)
	}
	hold := "hold"
	if len(r.Roots) == 1 {
		hold = "holds"
	}
	return fmt.Sprintf("%s %s up %s", words.Count(len(r.Roots), "cause"), hold, words.Count(objects, "object"))
}

// fights are the lines on releases that have the same Helm release, once for each.
func (r Report) fights() []string {
	listed := map[string]bool{}
	for _, one := range r.Releases {
		listed[one.label()] = true
	}
	var lines []string
	for _, one := range r.Releases {
		names := words.Of(one.Rivals, release.Name.String)
		if len(names) > 0 && (one.Name.String() < names[0] || !listed[Release{Subject: Subject{Name: one.Rivals[0], Cluster: one.Cluster}}.label()]) {
			lines = append(lines, one.label()+" has the same Helm release as "+strings.Join(names, ", ")+": each undoes what the others do, until one is left or gets another releaseName")
		}
	}
	slices.Sort(lines)
	return append(lines, r.contests()...)
}

// contests are the lines on Helm releases of other clusters that HelmReleases of several clusters
// have. What a kubeConfig holds is not read, so that it is not known whether they fight.
func (r Report) contests() []string {
	type home struct{ remote, helm string }
	homes := map[home]map[string]bool{} // the clusters
	for _, one := range r.Releases {
		if one.Remote != "" {
			at := home{one.Remote, one.Helm}
			if homes[at] == nil {
				homes[at] = map[string]bool{}
			}
			homes[at][one.Cluster] = true
		}
	}
	type common struct{ clusters, remote string }
	count := map[common]int{} // of Helm releases
	for at, clusters := range homes {
		if len(clusters) > 1 {
			count[common{words.List(slices.Sorted(maps.Keys(clusters))), at.remote}]++
		}
	}
	var lines []string
	for in, n := range count {
		lines = append(lines, fmt.Sprintf("clusters %s may fight for %s: they do if %s of each names the same cluster", in.clusters, words.Count(n, "Helm release"), in.remote))
	}
	slices.Sort(lines)
	return lines
}
