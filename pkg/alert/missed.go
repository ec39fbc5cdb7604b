package alert

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// nearness are the reasons why an Alert does not tell of an object, the nearest to telling
// first.
var nearness = []string{
	"suspended", "provider-suspended", "no-provider", "commits-only", "excluded", "not-included", "locked", "labels", "name", "namespace", "kind",
}

// closest returns the one of two reasons that is nearer to telling.
func closest(a, b string) string {
	if slices.Index(nearness, b) < slices.Index(nearness, a) {
		return b
	}
	return a
}

// missed describes an Alert that does not tell of a HelmRelease.
func (c *Cluster) missed(a *alert, s Subject, because string) *release.MissedAlert {
	_, provider, _ := c.provider(a)
	m := &release.MissedAlert{Alert: a.fullName(), Provider: provider, Because: because, Namespaces: []string{}}
	for _, source := range a.EventSources {
		if source.Kind == s.Kind && !slices.Contains(m.Namespaces, source.Namespace) {
			m.Namespaces = append(m.Namespaces, source.Namespace)
		}
	}
	return m
}

// nearer returns the one of two Alerts that is nearer to telling; the first if both are.
func nearer(a, b *release.MissedAlert) *release.MissedAlert {
	if a == nil || b != nil && a.Because != b.Because && closest(a.Because, b.Because) == b.Because {
		return b
	}
	return a
}
