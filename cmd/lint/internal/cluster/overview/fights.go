package overview

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

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
