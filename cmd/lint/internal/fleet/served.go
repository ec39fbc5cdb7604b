package fleet

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/internal/crd"
)

// redefined returns why the API server of a cluster does not take an object of Flux, given why by what is known
// here of the newest API. The definition that the cluster has decides whether the apiVersion is served and, of what is
// not known here or of what an older API does not have, whether that is allowed; then it is newer. Without one the
// version of Flux decides that the tree or the configuration states. What is wrong with a HelmRelease, rules say.
func (a *admission) redefined(cluster string, obj map[string]any, as resource.Reading, known string) (why, newer string) {
	apiVersion, kind := object.String(obj, "apiVersion"), object.String(obj, "kind")
	group, version, _ := strings.Cut(apiVersion, "/")
	name := strings.Replace(strings.ToLower(kind)+"s", "ys", "ies", 1) + "." + group
	what, isNewer := strings.CutSuffix(known, object.MisspeltOrNewer)
	if known != "" && !isNewer || !object.IsDefinition(name) || name == object.HelmReleases {
		return known, ""
	}
	if isNewer { // once the tree applies it, the cluster is walked again
		a.find(cluster, "CustomResourceDefinition/"+name)
	}
	_, isNewest := crd.Known(apiVersion, kind)
	matters := isNewer || !isNewest || crd.Varies(obj) // what a walk skims is new enough else
	if matters {
		a.skimming.needs(name)
	}
	switch found, _ := a.flux.definition(cluster, name, a.known()); {
	case found.object == nil:
		if matters && !a.skimming.blind { // the next walk may find it
			a.skimming.needs(installing)
		}
		return a.unstated(cluster, obj, known), ""
	case !found.serves(version):
		return "has the apiVersion " + apiVersion + ", which the definition in " + a.flux.from(found, name) + " does not serve", ""
	case isNewer || crd.Varies(obj):
		return a.refusedBy(found, obj, as, what)
	default:
		return "", ""
	}
}

// serves reports whether a definition serves a version of its API, or cannot be read.
func (d definition) serves(version string) bool {
	versions, ok := object.At(d.object, "spec", "versions").([]any)
	return !ok || slices.ContainsFunc(versions, func(v any) bool {
		return object.String(v, "name") == version && object.At(v, "served") == true
	})
}

// refusedBy returns why a definition does not take an object, or what it has that is newer than what is known here.
func (a *admission) refusedBy(found definition, obj map[string]any, as resource.Reading, what string) (why, newer string) {
	schema, ok := a.index.Kinds(found.object)[object.String(obj, "apiVersion")+"/"+object.String(obj, "kind")]
	if !ok {
		return "", ""
	}
	switch wrong := resource.Refuses(schema, obj, as); {
	case wrong == nil && what == "":
		return "", ""
	case wrong == nil:
		return "", what + "newer than this program, and judged as if it were not there"
	case wrong.Newer:
		return "is refused by the API server: the definition in " + a.flux.from(found, object.Name(found.object)) + " does not allow " + wrong.Field, ""
	default:
		return "is refused by the API server: " + wrong.String(), ""
	}
}

// unstated returns why the version of Flux that is stated of a cluster does not take an object, given why the newest
// known one does not, if it does not. Of flux-operator it says nothing.
func (a *admission) unstated(cluster string, obj map[string]any, known string) string {
	flux := a.flux.stated(cluster)
	if flux == "" || strings.HasPrefix(object.String(obj, "apiVersion"), object.OperatorGroup+"/") {
		return known
	}
	if what, isNewer := strings.CutSuffix(known, object.MisspeltOrNewer); isNewer {
		return what + "not in the API of Flux " + flux
	}
	if lacks := crd.Lacks(flux, obj); lacks != "" {
		return "has " + lacks + ", which is not in the API of Flux " + flux
	}
	return ""
}
