package estate

import (
	"fmt"

	"github.com/flux-remedy/remedy/pkg/release"
)

// mostNamed is how many Kustomizations a message names.
const mostNamed = 4

// Waiting names the Kustomizations that from the next commit on wait for one that is suspended, and counts those beyond a few.
func (e *Estate) Waiting(suspended string) []string {
	if _, known := e.waiting[suspended]; !known {
		all := e.fleet.Waiting(suspended)
		if n := len(all) - mostNamed; n > 0 {
			all = append(all[:mostNamed], fmt.Sprintf("%d more", n))
		}
		e.waiting[suspended] = all
	}
	return e.waiting[suspended]
}

// Shared reports whether several Kustomizations apply a release.
func (e *Estate) Shared(r *release.Release) bool {
	return e.shared[e.nameOf(r.Namespace+"/"+r.Name, r.Cluster)]
}
