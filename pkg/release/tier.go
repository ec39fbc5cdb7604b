package release

import (
	"fmt"
	"slices"
)

// Tier says how important a release is, and so how strictly it is judged.
type Tier string

// The tiers, the strictest first.
const (
	Production  Tier = "production"
	Staging     Tier = "staging"
	Development Tier = "development"
)

// Tiers lists the tiers, the strictest first.
var Tiers = []Tier{Production, Staging, Development}

// ParseTier returns the tier of that name.
func ParseTier(s string) (Tier, error) {
	if t := Tier(s); slices.Contains(Tiers, t) {
		return t, nil
	}
	return "", fmt.Errorf("unknown tier %q: want production, staging or development", s)
}

// stricter reports whether the tier is judged more strictly than another.
func (t Tier) stricter(than Tier) bool { return slices.Index(Tiers, t) < slices.Index(Tiers, than) }
