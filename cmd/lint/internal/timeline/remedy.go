package timeline

import (
	"fmt"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// revives is said before the remedies.
const revives = "once the cause is gone, each of these revives it"

// remedy is ways to revive a release that have the same effect.
type remedy struct {
	Do     []string
	Effect string
}

// remedies keeps the order of the ways.
func remedies(ways []forecast.Way) []remedy {
	var all []remedy
	for _, w := range ways {
		if n := len(all); n == 0 || all[n-1].Effect != effect(w) {
			all = append(all, remedy{Effect: effect(w)})
		}
		last := &all[len(all)-1]
		last.Do = append(last.Do, w.Do)
	}
	return all
}

func effect(w forecast.Way) string {
	if w.Otherwise == "" {
		return w.Then
	}
	return fmt.Sprintf("%s; if it fails again: %s", w.Then, w.Otherwise)
}
