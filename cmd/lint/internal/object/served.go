package object

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/flux-remedy/remedy/pkg/release"
)

// served are the versions that are known of each of Flux's API groups, and its kinds that [kinds] does not have.
// Source: the APIs of the controllers of Flux 2.0 to 2.9, and of flux-operator.
var served = map[string]struct{ versions, others []string }{
	HelmGroup:                 {release.Versions, nil},
	KustomizeGroup:            {[]string{"v1", "v1beta2", "v1beta1"}, nil},
	SourceGroup:               {[]string{"v1", "v1beta2", "v1beta1"}, []string{"HelmChart", "ExternalArtifact"}},
	NotifyGroup:               {[]string{"v1", "v1beta3", "v1beta2", "v1beta1"}, []string{"Receiver"}},
	"image.toolkit.fluxcd.io": {[]string{"v1", "v1beta2", "v1beta1", "v1alpha2", "v1alpha1"}, []string{"ImageRepository", "ImagePolicy", "ImageUpdateAutomation"}},
	ArtifactGroup:             {[]string{"v1", "v1beta1"}, nil},
	OperatorGroup:             {[]string{"v1"}, []string{"FluxReport", "ResourceGroup"}},
}

// Identity is what an object is and how it is named.
type Identity struct {
	APIVersion, Kind, Name, Namespace string
	Items                             bool // it has a list of items
}

// Refused returns why Flux fails with an object of this identity, and then applies nothing of what
// comes with it, or that it applies the items instead; "" if it does neither. What depends
// on a variable or is encrypted is not judged.
func (i Identity) Refused() string {
	if Masked(i.Kind+i.Name+i.Namespace, i.APIVersion) {
		return ""
	}
	what := i.Kind + " " + i.Name
	switch {
	case i.Items:
		return fmt.Sprintf("has %s with items, which Flux applies in its place: they are not followed", what)
	case i.Newer() && Traced(i.Kind): // whoever follows it says so
		return i.misnamed()
	case i.Newer():
		return fmt.Sprintf("has %q %s with the apiVersion %q, which is %s", i.Kind, i.Name, i.APIVersion, MisspeltOrNewer)
	case i.APIVersion == "" && Traced(i.Kind):
		return fmt.Sprintf("has %s without an apiVersion, which no cluster takes", what)
	case !i.isServed() && Traced(i.Kind):
		return fmt.Sprintf("has %s with the apiVersion %q, which there is not", what, i.APIVersion)
	case !i.isServed():
		return fmt.Sprintf("has %q %s with the apiVersion %q, a kind that there is not", i.Kind, i.Name, i.APIVersion)
	}
	return i.misnamed()
}

// misnamed returns why the API server takes no object of that name; "" if it does.
func (i Identity) misnamed() string {
	if i.isNamed() {
		return ""
	}
	return fmt.Sprintf("has %s %q in namespace %q, a name that the API server refuses", i.Kind, i.Name, i.Namespace)
}

// MisspeltOrNewer ends what is said of a part of Flux's API that is not known here.
const MisspeltOrNewer = "misspelt, or newer than this program"

// Newer reports whether there may be such a kind or version of an API of Flux that is newer than
// those that are known here.
func (i Identity) Newer() bool {
	group, version, _ := strings.Cut(i.APIVersion, "/")
	_, ofFlux := served[group]
	return ofFlux && !i.isServed() && kindName().MatchString(i.Kind) && versionName().MatchString(version)
}

// isServed reports whether there may be such a kind and version.
func (i Identity) isServed() bool {
	group, version, grouped := strings.Cut(i.APIVersion, "/")
	if !grouped {
		group, version = Core, i.APIVersion
	}
	if known, ok := served[group]; ok {
		return (kinds[i.Kind].Group == group || slices.Contains(known.others, i.Kind)) && slices.Contains(known.versions, version)
	}
	kind, ok := alike(i.Kind)
	if !ok {
		return kindName().MatchString(i.Kind)
	}
	switch {
	case kind.Traced && strings.Contains(strings.ToLower(group), "toolkit"), kind.Traced && group == Core:
		return false
	case group == kind.Group:
		return i.Kind == kind.Name && version == "v1"
	}
	return true
}

// alike returns the kind of the table that a name may be meant to be: in another letter case, with
// blanks, or in the plural.
func alike(name string) (Kind, bool) {
	name = strings.TrimSpace(name)
	for _, kind := range kinds {
		if strings.EqualFold(name, kind.Name) || strings.EqualFold(name, kind.Name+"s") || strings.EqualFold(name, kind.Name+"es") {
			return kind, true
		}
	}
	return Kind{}, false
}

// Mistaken returns why an object is no HelmRelease although it is meant to be one: in another letter case, with
// blanks, in the plural, or without an apiVersion. It is "" if it is one, or is not meant to be.
func Mistaken(object map[string]any) string {
	version, apiVersion := written(object, "apiVersion")
	key, kind := written(object, "kind")
	group, _, _ := strings.Cut(strings.TrimSpace(apiVersion), "/")
	if version == "" && kind == "HelmRelease" && HasChart(object) {
		return "it has no apiVersion, so for Flux it is no HelmRelease: write apiVersion: " + HelmGroup + "/v2"
	}
	meant, ok := alike(kind)
	if !ok || meant.Name != "HelmRelease" || !strings.EqualFold(group, HelmGroup) || IsHelmRelease(object) {
		return ""
	}
	return fmt.Sprintf("it has %q and %q, which is %s: for Flux it is no HelmRelease", version+": "+apiVersion, key+": "+kind, MisspeltOrNewer)
}

// written returns a field of an object that is a text, whatever the letter case of its key, and the text.
func written(object map[string]any, field string) (key, text string) {
	for key, value := range object {
		if text, ok := value.(string); ok && strings.EqualFold(key, field) {
			return key, text
		}
	}
	return "", ""
}

// kindName matches what the name of a kind can be. Source: k8s.io/apiextensions-apiserver,
// ValidateCustomResourceDefinitionNames.
var kindName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?$`) })

// versionName matches the versions of Kubernetes' own and of Flux's APIs.
var versionName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`) })

// isNamed reports whether the API server takes the name and the namespace. What Kubernetes itself
// serves under k8s.io may have other names: those of roles have colons.
func (i Identity) isNamed() bool {
	group, _, grouped := strings.Cut(i.APIVersion, "/")
	if grouped && strings.HasSuffix(group, "k8s.io") {
		return true
	}
	valid := validation.IsDNS1123Subdomain
	if i.Kind == "Namespace" && !grouped {
		valid = validation.IsDNS1123Label
	}
	return len(valid(i.Name)) == 0 && (i.Namespace == "" || len(validation.IsDNS1123Label(i.Namespace)) == 0)
}
