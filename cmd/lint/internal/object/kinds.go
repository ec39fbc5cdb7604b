package object

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// The API groups of the kinds below. The core group has no name and is not listed.
const (
	HelmGroup      = release.Group
	KustomizeGroup = "kustomize.toolkit.fluxcd.io"
	SourceGroup    = "source.toolkit.fluxcd.io"
	ArtifactGroup  = "source.extensions.fluxcd.io"
	OperatorGroup  = "fluxcd.controlplane.io"
	NotifyGroup    = "notification.toolkit.fluxcd.io"
	Core           = ""
)

// Role is what Flux uses the objects of a kind for.
type Role int

// The roles.
const (
	Judged    Role = iota // a HelmRelease
	Applier               // applies or renders more objects
	Source                // holds what an applier builds, or makes what holds it
	Variables             // may hold variables for substitution
	Evidence              // describes the cluster that it lives in
	Notifies              // says who is told of failures
	Charts                // holds charts, and nothing that an applier builds
)

// Kind is a kind of object that matters for what Flux applies.
type Kind struct {
	Group, Name string
	Role        Role
	// Traced is true if builds keep track of where each field of its spec was written.
	Traced bool
}

// kinds are the kinds that builds keep and that are looked up. A new kind of source is
// one more row; package fleet finds its content.
var kinds = map[string]Kind{
	"HelmRelease":              {HelmGroup, "HelmRelease", Judged, true},
	"Kustomization":            {KustomizeGroup, "Kustomization", Applier, true},
	"ResourceSet":              {OperatorGroup, "ResourceSet", Applier, false},
	"GitRepository":            {SourceGroup, "GitRepository", Source, false},
	"OCIRepository":            {SourceGroup, "OCIRepository", Source, false},
	"Bucket":                   {SourceGroup, "Bucket", Source, false},
	"HelmRepository":           {SourceGroup, "HelmRepository", Charts, false},
	"ArtifactGenerator":        {ArtifactGroup, "ArtifactGenerator", Source, false},
	"ResourceSetInputProvider": {OperatorGroup, "ResourceSetInputProvider", Source, false},
	"ConfigMap":                {Core, "ConfigMap", Variables, false},
	"Secret":                   {Core, "Secret", Variables, false},
	"Alert":                    {NotifyGroup, "Alert", Notifies, false},
	"Provider":                 {NotifyGroup, "Provider", Notifies, false},
	"FluxInstance":             {OperatorGroup, "FluxInstance", Evidence, false},
	"Namespace":                {Core, "Namespace", Evidence, false},
	"Deployment":               {"apps", "Deployment", Evidence, false},
	"CustomResourceDefinition": {"apiextensions.k8s.io", "CustomResourceDefinition", Evidence, false},
}

// KindOf returns the row of a kind and reports whether there is one.
func KindOf(name string) (Kind, bool) {
	kind, ok := kinds[name]
	return kind, ok
}

// Known reports whether an object is of a kind of the table, in any version of
// its group.
func Known(object map[string]any) bool {
	name, _ := object["kind"].(string)
	kind, ok := kinds[name]
	return ok && kind.has(object)
}

// IsCustom reports whether an object is a custom resource of another group than those of the table.
func IsCustom(object map[string]any) bool {
	group, _, ok := strings.Cut(String(object, "apiVersion"), "/")
	for _, kind := range kinds {
		ok = ok && kind.Group != group
	}
	return ok && strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}

// has reports whether an object's apiVersion is of the kind's group.
func (k Kind) has(object map[string]any) bool {
	apiVersion, _ := object["apiVersion"].(string)
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		group = Core
	}
	return group == k.Group
}

// Is reports whether an object is of the kind of that name, in any version of
// its group.
func Is(object map[string]any, name string) bool {
	kind, ok := kinds[name]
	return ok && object["kind"] == name && kind.has(object)
}

// Traced reports whether objects of a kind carry the trace of their fields.
func Traced(kind string) bool { return kinds[kind].Traced }

// IsHelmRelease reports whether an object is a HelmRelease.
func IsHelmRelease(object map[string]any) bool { return Is(object, "HelmRelease") }

// IsKustomization reports whether an object is a Flux Kustomization, which is
// not the Kustomization of a kustomization.yaml.
func IsKustomization(object map[string]any) bool { return Is(object, "Kustomization") }

// IsResourceSet reports whether an object is a ResourceSet.
func IsResourceSet(object map[string]any) bool { return Is(object, "ResourceSet") }

// IsTraced reports whether an object is of a kind that carries a trace.
func IsTraced(object map[string]any) bool {
	name, _ := object["kind"].(string)
	return Traced(name) && Is(object, name)
}

// IsList reports whether an object is a list of others. Kustomize treats any kind that
// ends in List as one, if it has items.
func IsList(object map[string]any) bool {
	kind, _ := object["kind"].(string)
	_, items := object["items"].([]any)
	return items && strings.HasSuffix(kind, "List")
}

// HelmReleases is the name of the CustomResourceDefinition of HelmRelease.
const HelmReleases = "helmreleases." + HelmGroup

// IsDefinition reports whether a name is that of the CustomResourceDefinition of a kind in a group of Flux.
func IsDefinition(name string) bool {
	_, group, _ := strings.Cut(name, ".")
	return slices.Contains([]string{HelmGroup, KustomizeGroup, SourceGroup, NotifyGroup, ArtifactGroup, OperatorGroup}, group)
}

// HasChart reports whether a HelmRelease says what chart it is of, in a way that is known
// here.
func HasChart(object map[string]any) bool {
	_, inline := At(object, "spec", "chart", "spec", "chart").(string)
	_, kind := At(object, "spec", "chart", "kind").(string)
	_, ref := At(object, "spec", "chartRef").(map[string]any)
	return inline || kind || ref
}
