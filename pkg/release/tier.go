package release

import (
	"fmt"
	"slices"
)

// Tier says how much depends on a release.
type Tier string

// The tiers, from the strictest.
const (
	Production  Tier = "production"
	Staging     Tier = "staging"
	Development Tier = "development"
)

// Tiers lists the tiers from the strictest.
var Tiers = []Tier{Production, Staging, Development}

// ParseTier reads the name of a tier.
func ParseTier(s string) (Tier, error) {
	if t := Tier(s); slices.Contains(Tiers, t) {
		return t, nil
	}
	return "", fmt.Errorf("unknown tier %q: want production, staging or development", s)
}
