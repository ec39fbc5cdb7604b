package audit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// owner is who set a field, as the API server notes it.
type owner struct {
	path    release.Path
	manager string
	at      string
}

// applierManagers are the managers by which Flux applies what Git says.
var applierManagers = []string{"kustomize-controller", "helm-controller", "flux-operator"}

// ownersOf returns who set fields of the spec, besides what applies it.
func ownersOf(of map[string]any) []owner {
	entries, _ := object.At(of, "metadata", "managedFields").([]any)
	var all []owner
	for _, e := range entries {
		manager := object.String(e, "manager")
		spec, ok := object.At(e, "fieldsV1", "f:spec").(map[string]any)
		if !ok || object.At(e, "subresource") != nil || slices.Contains(applierManagers, manager) {
			continue
		}
		for _, path := range leaves(release.Path{"spec"}, spec) {
			all = append(all, owner{path, manager, object.String(e, "time")})
		}
	}
	slices.SortStableFunc(all, func(a, b owner) int { return cmp.Compare(a.path.String(), b.path.String()) })
	return all
}

// leaves returns the fields that a set of managed fields names. Of a list it names the
// list: its items have keys that are no paths.
func leaves(at release.Path, fields map[string]any) []release.Path {
	var all []release.Path
	for key, inner := range fields {
		name, ok := strings.CutPrefix(key, "f:")
		if !ok {
			continue
		}
		path := append(at[:len(at):len(at)], name)
		below, _ := inner.(map[string]any)
		found := leaves(path, below)
		if len(found) == 0 {
			found = []release.Path{path}
		}
		all = append(all, found...)
	}
	return all
}

func (c *collector) claim(j incident.Judged, r *Release) {
	if claim, ok := incident.ClaimOf(j.Release); ok {
		r.Helm, r.Remote = claim.Helm.String(), claim.Remote
		c.claims = append(c.claims, claim)
	}
}

// fight notes which releases of a cluster have the same Helm release.
func (c *collector) fight() {
	rivals := incident.Rivals(c.claims)
	for i, r := range c.all {
		c.all[i].Rivals = rivals[r.Name]
	}
	c.claims = nil
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
		if len(names) > 0 && (one.Name.String() < names[0] || !listed[Release{Name: one.Rivals[0], Cluster: one.Cluster}.label()]) {
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
