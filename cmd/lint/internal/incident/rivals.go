package incident

import (
	"fmt"

	"github.com/flux-remedy/remedy/pkg/release"
)

// home is where a Helm release is: the cluster, and the namespace and name of its records.
type home struct{ cluster, namespace, name string }

// homeOf returns where the Helm release of a HelmRelease is.
func homeOf(r *release.Release) home {
	at := home{namespace: r.Settings.Target.StorageNamespace, name: r.Settings.Target.Name}
	spec, _ := r.Object["spec"].(map[string]any)
	if other := spec["kubeConfig"]; other != nil {
		at.cluster = fmt.Sprint(r.Namespace, other)
	}
	return at
}

// Rivals returns for each HelmRelease of a cluster the others that have the same Helm release:
// each finds what another one has made, and upgrades it again.
func Rivals(all []Judged) map[release.Name][]release.Name {
	homes := map[home][]release.Name{}
	for _, j := range all {
		homes[homeOf(j.Release)] = append(homes[homeOf(j.Release)], j.Incident.Release)
	}
	rivals := map[release.Name][]release.Name{}
	for _, names := range homes {
		for i, name := range names {
			if others := append(names[:i:i], names[i+1:]...); len(others) > 0 {
				rivals[name] = others
			}
		}
	}
	return rivals
}
