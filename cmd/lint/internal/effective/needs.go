package effective

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// needs says of releases which of their dependencies are never ready.
func (l *loader) needs(all []*Release) {
	for _, r := range all {
		e := r.estates.of(r)
		if e == nil || r.Settings == nil || object.At(r.Object, "spec", "suspend") == true {
			continue
		}
		_, depends, err := wave.DecodeRelease(r.Object)
		if err != nil {
			continue // the API refuses it
		}
		for i, on := range depends {
			if need := e.need(r, on); need.Is != "" {
				need.At = i
				if need.Is == release.Missing {
					need.Hint = cmp.Or(e.near(on.Name, r.Cluster), l.otherCluster(on.Name, r.Cluster))
				}
				r.Needs = append(r.Needs, need)
			}
		}
	}
}

// need says what is wrong with a dependency of a release; nothing if it may be ready.
func (e *estate) need(r *Release, on wave.On) release.Need {
	out := release.Need{Name: on.Name, Way: []string{}}
	at, known := e.places()[e.nameOf(on.Name, r.Cluster)]
	switch {
	case !known && (!e.whole || variables.Use().MatchString(on.Name)):
		out.Is = release.Elsewhere
	case !known:
		out.Is = release.Missing
	case on.Expressed:
	case e.Releases[at].Suspend:
		out.Is = release.Suspended
	default:
		if e.graph == nil {
			e.graph = e.Graph()
		}
		way := e.graph.Circle("HelmRelease/"+e.nameOf(r.Namespace+"/"+r.Name, r.Cluster), "HelmRelease/"+e.Releases[at].Name)
		for _, name := range way {
			kind, name, _ := strings.Cut(name, "/")
			out.Is, out.Way, out.Begins = release.Circular, append(out.Way, kind+" "+name), out.Begins || kind != "HelmRelease"
		}
	}
	return out
}

// near says which object of the cluster may be meant by a name that no release has; empty if none is near.
func (e *estate) near(name, cluster string) string {
	namespace, own, _ := strings.Cut(name, "/")
	var beside []string
	for _, r := range e.Releases {
		in, known, _ := strings.Cut(strings.TrimSuffix(r.Name, e.nameOf("", cluster)), "/")
		switch {
		case known == own:
			return fmt.Sprintf("; did you mean the one in namespace %s?", in)
		case in == namespace:
			beside = append(beside, known)
		}
	}
	if slices.ContainsFunc(e.Kustomizations, func(k wave.Kustomization) bool { return strings.HasSuffix(k.Name, "/"+own) }) {
		return "; a Kustomization is named so, and a HelmRelease can depend on HelmReleases alone"
	}
	return rules.DidYouMean(own, beside)
}

// otherCluster names another cluster that has a release; empty if none does.
func (l *loader) otherCluster(name, cluster string) string {
	for _, c := range l.fleet.Clusters {
		for _, applied := range c.Releases {
			if in := c.Target(applied.By); in != cluster && variables.Unmark(object.FullName(applied.Object)) == name {
				return fmt.Sprintf("; cluster %q has it, and a HelmRelease can depend on those of its own cluster alone", in)
			}
		}
	}
	return ""
}
