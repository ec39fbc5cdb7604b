package wave

import (
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// What is not ready when there is no more to see is not ready days later either, and what is ready stays so.
func TestSettled(t *testing.T) {
	strategies := map[string]map[string]any{
		"bounded": {},
		"retried": {"install": retried("5m"), "upgrade": retried("5m")},
		"late":    {"install": retried("40m"), "upgrade": retried("40m")},
	}
	open := 0
	for _, scenario := range forecast.Scenarios() {
		if !scenario.Published() {
			continue
		}
		for name, spec := range strategies {
			for timeout := time.Minute; timeout < 20*time.Minute; timeout += 181 * time.Second {
				fleet := estate(t, spec, func(f *Fleet) { f.Kustomizations[0].Timeout.Duration = timeout })
				fleet, at := fleet.around("of-a", nil, fleet.Links())
				fleet.commit(at, scenario, forecast.Options{})
				fleet.trouble(at, scenario)
				fleet.Until.Duration = limit
				s := newSimulation(&fleet)
				s.run(func() bool {
					whole := *s // looks at all anew
					whole.stirring, whole.worn = nil, true
					settled := s.settled()
					if settled != whole.settled() {
						t.Fatalf("%s, %s, timeout %s: settled after %s: %v by what was remembered", scenario.Name, name, timeout, s.now, settled)
					}
					return settled
				})
				fleet.Until.Duration = s.now + 3*24*time.Hour
				later := newSimulation(&fleet)
				later.run(func() bool { return false })
				for i, k := range s.all {
					if k.ready != later.all[i].ready {
						t.Errorf("%s, %s, timeout %s: after %s %s is ready: %v, later: %v", scenario.Name, name, timeout, s.now, k.Name, k.ready, !k.ready)
					}
					if !k.ready {
						open++
					}
				}
			}
		}
	}
	if open == 0 {
		t.Error("all are ready in the end")
	}
}

func retried(interval string) map[string]any {
	return map[string]any{"strategy": map[string]any{"name": "RetryOnFailure", "retryInterval": interval}}
}
