package incident

import (
	"cmp"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Claim is which Helm release a HelmRelease has.
type Claim struct {
	release.Name
	// Helm is the Helm release: its name, and the namespace of its records.
	Helm release.Name
	// Remote is what names the cluster of it, as Secret apps/prod; empty if that is the one of the
	// HelmRelease.
	Remote string
}

// ClaimOf returns which Helm release a HelmRelease has. One that is suspended fights with none:
// it has none.
func ClaimOf(r *release.Release) (Claim, bool) {
	c := Claim{
		Name: release.Name{Namespace: r.Namespace, Name: r.Name},
		Helm: release.Name{Namespace: r.Settings.Target.StorageNamespace, Name: r.Settings.Target.Name},
	}
	for field, kind := range map[string]string{"secretRef": "Secret", "configMapRef": "ConfigMap"} {
		if ref := object.At(r.Object, "spec", "kubeConfig", field); ref != nil {
			c.Remote = kind + " " + release.Name{Namespace: r.Namespace, Name: object.String(ref, "name")}.String()
		}
	}
	return c, !r.Settings.Suspend
}

// Rivals returns for each HelmRelease of a cluster the others that have the same Helm release:
// each finds what another one has made, and upgrades it again. A HelmRelease counts once.
func Rivals(all []Claim) map[release.Name][]release.Name {
	type home struct {
		remote string
		helm   release.Name
	}
	homes := map[home]map[release.Name]bool{}
	for _, c := range all {
		at := home{c.Remote, c.Helm}
		if homes[at] == nil {
			homes[at] = map[release.Name]bool{}
		}
		homes[at][c.Name] = true
	}
	rivals := map[release.Name][]release.Name{}
	for _, set := range homes {
		names := slices.SortedFunc(maps.Keys(set), func(a, b release.Name) int { return cmp.Compare(a.String(), b.String()) })
		for i, name := range names {
			if others := append(names[:i:i], names[i+1:]...); len(others) > 0 {
				rivals[name] = others
			}
		}
	}
	return rivals
}

// claims returns those of releases, and of what else is on the cluster as far as it can be read.
func (s Source) claims(judged []Judged) []Claim {
	var all []Claim
	add := func(r *release.Release) {
		if c, ok := ClaimOf(r); ok {
			all = append(all, c)
		}
	}
	for _, j := range judged {
		add(j.Release)
	}
	for _, object := range s.Beside {
		if r, err := release.Decode(object, s.Controller); err == nil && r.Settings != nil {
			add(r)
		}
	}
	return all
}
