package estate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Need says what is wrong with a dependency of a release; nothing if it may be ready.
func (e *Estate) Need(r *release.Release, on wave.On) release.Need {
	out := release.Need{Name: on.Name, Way: []string{}}
	at, known := e.places()[e.nameOf(on.Name, r.Cluster)]
	switch {
	case !known && (!e.whole || variables.Use().MatchString(on.Name)):
		out.Is = release.Elsewhere
	case !known:
		out.Is = release.Missing
	case on.Expressed:
	case e.fleet.Releases[at].Suspend:
		out.Is = release.Suspended
	default:
		way := e.circle("HelmRelease/"+e.nameOf(r.Namespace+"/"+r.Name, r.Cluster), "HelmRelease/"+e.fleet.Releases[at].Name)
		for _, name := range way {
			out.Is, out.Way, out.Begins = release.Circular, append(out.Way, name), out.Begins || !strings.HasPrefix(name, "HelmRelease ")
		}
	}
	return out
}

// circle returns the way from an object over one of some that it needs, or would need, back to itself; empty if there is none.
func (e *Estate) circle(from string, over ...string) []string {
	if e.graph == nil {
		e.graph = e.fleet.Graph()
	}
	way := append([]string{}, e.graph.Circle(from, over...)...)
	for i, name := range way {
		way[i] = strings.Replace(name, "/", " ", 1)
	}
	return way
}

// Near says which object of the cluster may be meant by a name that no release has; empty if none is near.
func (e *Estate) Near(name, cluster string) string {
	namespace, own, _ := strings.Cut(name, "/")
	var beside []string
	for _, r := range e.fleet.Releases {
		in, known, _ := strings.Cut(strings.TrimSuffix(r.Name, e.nameOf("", cluster)), "/")
		switch {
		case known == own:
			return fmt.Sprintf("; did you mean the one in namespace %s?", in)
		case in == namespace:
			beside = append(beside, known)
		}
	}
	if slices.ContainsFunc(e.fleet.Kustomizations, func(k wave.Kustomization) bool { return strings.HasSuffix(k.Name, "/"+own) }) {
		return "; a Kustomization is named so, and a HelmRelease can depend on HelmReleases alone"
	}
	return rules.DidYouMean(own, beside)
}
