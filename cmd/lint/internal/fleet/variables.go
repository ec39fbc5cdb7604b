package fleet

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// mostOutcomes bounds what is followed of one Kustomization whose inputs may be this or that.
const mostOutcomes = 8

// supply finds what the variables of Kustomizations come from.
type supply struct {
	*lookup
	before  *supply         // as the base of a change has it; nil if there is none
	assumed map[string]bool // files whose objects are assumed to be applied by hand
	settled map[string]bool // files that a walk before this one has settled, see [manifests.Coverage.Settled]
}

// variables returns the variables that spec.postBuild of a Kustomization defines: of each outcome
// of its references, which are several where it is not known which of them the cluster has.
func (s *supply) variables(k *entries.Kustomization) []variables.Variables {
	outcomes := [][]variables.Reference{nil}
	for _, r := range variables.References(k.Object) {
		var next [][]variables.Reference
		for _, choice := range s.resolve(s.cluster.Host(k), r) {
			for _, so := range outcomes {
				next = append(next, append(slices.Clone(so), choice))
			}
		}
		if len(next) > mostOutcomes {
			r.Missing = "may hold this or that, and so may others: too many for all to be followed"
			next = next[:0]
			for _, so := range outcomes {
				next = append(next, append(slices.Clone(so), r))
			}
		}
		outcomes = next
	}
	var out []variables.Variables
	for _, references := range outcomes {
		out = append(out, variables.Of(k.Object, references))
	}
	return out
}

// resolve returns what a reference to a ConfigMap or Secret may refer to: what the cluster has of
// it, or else the one object in the tree that may be applied by hand. Variables are not guessed:
// if there is neither, it says why.
func (s *supply) resolve(cluster string, r variables.Reference) []variables.Reference {
	key := r.Kind + "/" + r.Namespace + "/" + r.Name
	if found := s.find(cluster, key); len(found) > 0 {
		var out []variables.Reference
		for _, a := range found {
			r.Object = a.object
			out = append(out, r)
		}
		return out
	}
	if why := s.known().skipped(cluster, key); why != "" {
		r.Missing = "is left by Flux as it is on the cluster (" + why + ")"
		return []variables.Reference{r}
	}
	return s.handmade(cluster, r)
}

// handmade returns what a reference may refer to if it was applied by hand. In a change that must
// be in the base: nobody says that a new file, or a new content, will be applied. An optional one
// may not be there.
func (s *supply) handmade(cluster string, r variables.Reference) []variables.Reference {
	var out []variables.Reference
	now, missing := s.byHandOnly(cluster, r)
	add := func(obj map[string]any) {
		r.Object = obj
		out = append(out, r)
	}
	switch {
	case missing != "":
		r.Missing = missing
		return []variables.Reference{r}
	case !s.ofChange():
		add(now)
	case s.before == nil:
		r.Missing = "is in the tree, but nothing applies it, and it is new in this change"
		return []variables.Reference{r}
	default:
		was, missing := s.before.byHandOnly(cluster, r)
		if missing != "" {
			r.Missing = "is in the tree, but nothing applies it, and it was not there before this change"
			return []variables.Reference{r}
		}
		if add(was); !reflect.DeepEqual(was, now) {
			add(now)
		}
	}
	if r.Optional {
		out = append(out, variables.Reference{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name, Absent: true})
	}
	return out
}

// byHandOnly returns the one object in the tree that a reference may refer to because somebody has
// applied it by hand, or says why there is no such object.
func (s *supply) byHandOnly(cluster string, r variables.Reference) (obj map[string]any, missing string) {
	written := s.index.Named(r.Kind, r.Namespace, r.Name)
	byHand := slices.DeleteFunc(slices.Clone(written), func(w manifests.Written) bool { return !s.byHand(cluster, w.Path) })
	switch {
	case len(written) == 0:
		return nil, "is not in the tree"
	case len(byHand) == 1:
		s.assumed[byHand[0].Path] = true
		return byHand[0].Object, ""
	case len(byHand) > 1:
		return nil, fmt.Sprintf("may be that of %s or that of %s: nothing in the tree applies them", byHand[0].Path, byHand[1].Path)
	}
	return nil, "is in " + written[0].Path + ", but not in what is applied to this cluster"
}

// byHand reports whether the objects of a file may be in a cluster although nothing in
// the tree applies them. If it is not known what applies the cluster's entries, only
// files beside or below them count.
func (s *supply) byHand(cluster, name string) bool {
	if cluster != s.cluster.Name || s.cluster.Unapplied() || s.settled[name] || s.coverage.Settled(name) || tree.Hidden(name) {
		return false
	}
	if s.cluster.Found == entries.UnknownApplier {
		return tree.Within(s.dir, path.Dir(name))
	}
	return !s.foreign(name)
}

// foreign reports whether a file is in the folder of another cluster.
func (s *supply) foreign(name string) bool {
	own := *s.cluster
	own.Dir = s.dir
	return own.Foreign(name)
}

// outdated reports whether a build has since read a file whose objects were assumed to be
// applied by hand.
func (s *supply) outdated() bool {
	for name := range s.assumed {
		if s.coverage.Settled(name) {
			return true
		}
	}
	return false
}

// assumes reports whether it assumes that the objects of a file in a folder are applied by hand.
func (s *supply) assumes(folder string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(s.assumed)), func(name string) bool { return tree.Within(folder, name) })
}
