package alert

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Fleet is what all clusters together say: where production is told of failures, and which
// commit statuses there are.
type Fleet struct {
	production []located[Channel]
	statuses   map[string][]reported // by name
	of         map[string][]reported // by cluster and Kustomization
}

// located is something of a cluster.
type located[T any] struct {
	cluster string
	of      T
}

// reported is a commit status of a Kustomization.
type reported struct {
	Status
	cluster, kustomization string
}

// Production adds the channels of a release of production.
func (f *Fleet) Production(cluster string, channels []Channel) {
	for _, c := range channels {
		if one := (located[Channel]{cluster, c}); !slices.Contains(f.production, one) {
			f.production = append(f.production, one)
		}
	}
}

// Report adds the commit statuses of a Kustomization.
func (f *Fleet) Report(cluster, kustomization string, statuses []Status) {
	if f.of == nil {
		f.statuses, f.of = map[string][]reported{}, map[string][]reported{}
	}
	for _, s := range statuses {
		one, key := reported{s, cluster, kustomization}, cluster+" "+kustomization
		f.statuses[s.Name] = append(f.statuses[s.Name], one)
		f.of[key] = append(f.of[key], one)
	}
}

// Noise returns those of the channels of a release in development that wake people, or
// that production is told of by.
func (f *Fleet) Noise(cluster string, channels []Channel) []release.NoisyAlert {
	var out []release.NoisyAlert
	for _, c := range channels {
		same := func(other located[Channel]) bool {
			return c.Address != "" && c.Address == other.of.Address || cluster == other.cluster && c.Provider == other.of.Provider
		}
		noisy := release.NoisyAlert{Alert: c.Alert, Provider: c.Provider, Type: c.Type, Pages: c.Pages}
		if i := slices.IndexFunc(f.production, same); i >= 0 {
			noisy.Production = f.production[i].cluster
		}
		if noisy.Pages || noisy.Production != "" {
			out = append(out, noisy)
		}
	}
	return out
}

// Shared returns the commit statuses that a Kustomization shares with another one.
func (f *Fleet) Shared(cluster, kustomization string) []release.SharedStatus {
	var out []release.SharedStatus
	for _, own := range f.of[cluster+" "+kustomization] {
		equal := f.statuses[own.Name]
		i := slices.IndexFunc(equal, own.same)
		if i < 0 {
			continue
		}
		other := "Kustomization " + equal[i].kustomization
		if equal[i].cluster != cluster {
			other += fmt.Sprintf(" of cluster %q", equal[i].cluster)
		}
		out = append(out, release.SharedStatus{Kustomization: kustomization, Provider: own.Provider, Expr: own.Expr != "", Other: other})
	}
	return out
}

// same reports whether two Kustomizations report to one commit status. By default the
// UID of the Provider is part of its name, so that no other cluster has it.
func (r reported) same(other reported) bool {
	switch {
	case r.cluster == other.cluster && r.kustomization == other.kustomization, r.Name != other.Name, r.Expr != other.Expr:
		return false
	case r.Expr == "":
		return r.cluster == other.cluster && r.Provider == other.Provider
	}
	return r.Address != "" && r.Address == other.Address
}
