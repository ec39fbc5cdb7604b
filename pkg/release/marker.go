package release

import "fmt"

// TierKey is the annotation or label that marks the tier of a release, or of all
// releases in a namespace.
const TierKey = "flux-remedy.io/tier"

// Markers says which markers of a tier are followed. Whoever may write a release
// may mark it, so that by default a marker only raises the tier.
type Markers string

const (
	// RaiseMarkers follows a marker that names a stricter tier. Empty means the same.
	RaiseMarkers Markers = "raise"
	// AllowMarkers follows every marker, ahead of all other evidence.
	AllowMarkers Markers = "allow"
	// ForbidMarkers follows none.
	ForbidMarkers Markers = "forbid"
)

// ParseMarkers returns the value of that name.
func ParseMarkers(s string) (Markers, error) {
	switch m := Markers(s); m {
	case RaiseMarkers, AllowMarkers, ForbidMarkers:
		return m, nil
	}
	return "", fmt.Errorf("%q: want raise, allow or forbid", s)
}

// marker is a tier that is marked on an object.
type marker struct {
	tier Tier
	from string
}

// markers lists the markers of a release, the nearest first: those on the release,
// then those on its namespace.
func (e Evidence) markers() []marker {
	return append(markersOn(e.Object, "on the release"), markersOn(e.Namespace, "on its namespace")...)
}

// markersOn lists an object's annotation, then its label. A value that names no tier
// means the strictest one.
func markersOn(object map[string]any, where string) []marker {
	var out []marker
	meta, _ := object["metadata"].(map[string]any)
	for _, kind := range []string{"annotation", "label"} {
		marks, _ := meta[kind+"s"].(map[string]any)
		value, ok := marks[TierKey].(string)
		if !ok {
			continue
		}
		from := fmt.Sprintf("%s %s %s", kind, TierKey, where)
		tier, ok := tierOfWords(value)
		if !ok {
			tier, from = Production, fmt.Sprintf("%s, whose %q names no tier: taken for the strictest", from, value)
		}
		out = append(out, marker{tier, from})
	}
	return out
}

// marked returns a classification with the markers applied that are to be followed.
func (c Classification) marked(markers []marker, follow Markers) Classification {
	if follow == AllowMarkers && len(markers) > 0 {
		return Classification{Tier: markers[0].tier, From: markers[0].from}
	}
	for _, m := range markers {
		if follow != ForbidMarkers && m.tier.stricter(c.Tier) {
			c.Tier, c.From = m.tier, m.from
		}
	}
	for _, m := range markers {
		if m.tier != c.Tier {
			c.Ignored = fmt.Sprintf("%s asks for %s, the tier stays %s: spec.tierMarkers", m.from, m.tier, c.Tier)
			break
		}
	}
	return c
}
