package forecast

import (
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// What is remembered of one release holds for all that are alike: where a human is needed does not depend on how long
// something takes, but in an outage.
func TestHumans(t *testing.T) {
	t.Parallel()
	known, humans := Humans{}, 0
	all := product(t)
	for i := 0; i < len(all); i += 17 {
		written := variants(all[i])
		for j := i % 41; j < len(written); j += 41 {
			c := written[j]
			for k, d := range durationsOf(&c.settings) {
				d.Duration *= time.Duration(1 + (i+j+k)%5*20) // zero stays zero
			}
			if j%2 == 0 {
				c.settings.Upgrade.Retries = 12 + j%6
			}
			of := known.of(c.settings, release.Controller{})
			for n, s := range scenarios {
				want := Run(c.settings, release.Controller{}, s, Options{}).Outcome.NeedsHuman
				if got := needed(of, n, &c.settings, release.Controller{}); got != want {
					t.Fatalf("%s in %s: a human is needed: %t, want %t", c.name, s.Name, got, want)
				}
				if want {
					humans++
				}
			}
		}
	}
	if humans == 0 || len(known) < 20 {
		t.Errorf("a human is needed %d times, of %d that differ", humans, len(known))
	}
}
