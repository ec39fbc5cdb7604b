package controllers

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// scope says which HelmReleases a helm-controller reconciles: all, if it is zero.
type scope struct {
	selector  string // of their labels
	namespace string // that they are in
	idle      string // why it reconciles none
	unknown   string // why it is not known which
}

// likelihood says whether something is so.
type likelihood int

const (
	never likelihood = iota
	maybe
	surely
)

// has reports whether a controller reconciles a HelmRelease.
// Source: main.go of helm-controller, and GetWatchSelector of github.com/fluxcd/pkg/runtime.
func (s scope) has(release map[string]any) likelihood {
	switch {
	case s.idle != "", s.namespace != "" && s.namespace != object.Namespace(release):
		return never
	case s.unknown != "":
		return maybe
	case s.selector == "":
		return surely
	}
	selector, err := selectorOf(s.selector)
	if err != nil {
		return maybe
	}
	set := labels.Set{}
	marks, _ := object.At(release, "metadata", "labels").(map[string]any)
	for key, value := range marks {
		text, _ := value.(string)
		if len(variables.Unknown(key+text)) > 0 {
			return maybe
		}
		set[key] = text
	}
	if selector.Matches(set) {
		return surely
	}
	return never
}

// selectorOf parses a selector as helm-controller does.
func selectorOf(text string) (labels.Selector, error) {
	parsed, err := metav1.ParseToLabelSelector(text)
	if err != nil {
		return nil, err
	}
	return metav1.LabelSelectorAsSelector(parsed)
}

// String says which HelmReleases are reconciled.
func (s scope) String() string {
	switch {
	case s.idle != "":
		return s.idle
	case s.unknown != "":
		return s.unknown
	case s.namespace != "":
		return "watches the namespace " + s.namespace + " alone"
	}
	return "watches " + s.selector
}

// Watching returns those of the helm-controllers of a cluster that reconcile a HelmRelease, or may,
// and why it is not known that one does; "" if one does. If none does, that is the first of them.
func Watching(all []Installation, release map[string]any) (watching []Installation, doubt string) {
	if len(all) > 1 && all[0].From == "" { // the tree shows shards alone
		if watching, doubt = Watching(all[1:], release); doubt == "" {
			return watching, ""
		}
		return all[:1], ""
	}
	certain := false
	for _, installed := range all {
		has := installed.Watched.has(release)
		if has != never {
			watching = append(watching, installed)
		}
		certain = certain || has == surely
	}
	switch {
	case certain:
		return watching, ""
	case len(watching) > 0:
		return watching, "it is not known which helm-controller reconciles it: " + sayings(watching)
	}
	return all[:1], "no helm-controller that the tree installs reconciles it: " + sayings(all)
}

func sayings(all []Installation) string {
	var out []string
	for _, installed := range all {
		out = append(out, installed.From+" "+variables.Unmark(installed.Watched.String()))
	}
	return strings.Join(out, ", ")
}
