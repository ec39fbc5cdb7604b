package effective

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
)

// The law of cores: what is found does not depend on how many there are, nor on which of the builds that run side by
// side is first.
func TestCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	eachFleet(t, func(t *testing.T, dir string) {
		found := func(cores int, delay time.Duration) string {
			runtime.GOMAXPROCS(cores)
			opts := Options{Config: configOf(t, dir), Unapplied: true, Builder: build.NewBuilder()}
			opts.Builder.Step = func(string) func() {
				time.Sleep(rand.N(delay))
				return func() {}
			}
			opts.Progress = func(string) { time.Sleep(rand.N(delay)) }
			tree := load(t, dir, opts)
			text := describe(tree, dir) + fmt.Sprintln(tree.Problems, tree.Unapplied, tree.Unbuilt(), len(tree.Comments))
			for _, r := range tree.Releases {
				text += fmt.Sprintln(r.ID(), r.Cluster, r.Object, r.Above, r.Alerting, r.ControllerNotes)
			}
			return text
		}
		want := found(1, 1)
		for _, cores := range []int{2, 4} {
			if got := found(cores, 2*time.Millisecond); got != want {
				t.Errorf("on %d cores\n%s\non one\n%s", cores, got, want)
			}
		}
	})
}
