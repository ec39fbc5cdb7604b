package wave

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// repeats is how many failures of a Kustomization show that it goes on so.
const repeats = 3

// settled reports whether there is no more to see: all is ready, or what fails has shown that it goes on.
func (s *simulation) settled() bool {
	if s.now <= s.last {
		return false
	}
	open, shown := 0, 0
	for _, k := range s.all {
		switch {
		case k.ready || k.suspended:
		case k.failures >= repeats, k.end == Unhealthy && k.Retry.Duration <= 0: // which the API refuses
			shown++
		case k.end != Dependency:
			return false
		default:
			open++
		}
	}
	if open > 0 && shown == 0 {
		return false
	}
	return !slices.ContainsFunc(s.releases, func(r *course) bool {
		return r.Course != nil && r.Health(s.now) == forecast.InProgress && !r.Over()
	})
}
