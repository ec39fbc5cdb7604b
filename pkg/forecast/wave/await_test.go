package wave

import (
	"fmt"
	"testing"
)

// What looks at a dependency only when it may be ready comes to the same steps as what looks again and again: with a
// worker for each Kustomization no look is left out yet, with one more they are.
func TestAwait(t *testing.T) {
	for _, r := range recordings(t) {
		steps := func(workers int) string {
			r.Controller.Concurrent = workers
			return fmt.Sprintf("%+v", Run(r.Fleet))
		}
		if every, few := steps(len(r.Kustomizations)), steps(len(r.Kustomizations)+1); every != few {
			t.Errorf("%s of %s:\n%s\nand with looks left out\n%s", r.Name, r.Controller.Version, every, few)
		}
	}
}
