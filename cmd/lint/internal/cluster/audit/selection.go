package audit

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"

	"k8s.io/apimachinery/pkg/labels"
)

// selection chooses releases. The zero value chooses all.
type selection struct {
	overview.Selection
	selector labels.Selector
}

func (s selection) phase(p overview.Phase) bool {
	return len(s.Phases) == 0 || slices.Contains(s.Phases, p)
}

// place reports whether the tier and the labels of a release are chosen. Labels are its own and, for
// keys that it does not have, those of its Namespace: there teams are often named.
func (s selection) place(tier release.Tier, own, namespace labels.Set) bool {
	return (len(s.Tiers) == 0 || slices.Contains(s.Tiers, string(tier))) &&
		(s.Labels == "" || s.selector.Matches(labels.Merge(namespace, own)))
}

// mayMiss says what follows if labels of Namespaces are not known.
func (s selection) mayMiss() string {
	if s.Labels == "" && len(s.Tiers) == 0 {
		return ""
	}
	return " and releases be missing"
}

func labelsOf(of map[string]any) labels.Set {
	given, _ := object.At(of, "metadata", "labels").(map[string]any)
	set := labels.Set{}
	for key, value := range given {
		set[key], _ = value.(string)
	}
	return set
}
