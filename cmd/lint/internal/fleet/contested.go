package fleet

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// failContested says once of each object that was looked for, and of helm-controller, that two
// Kustomizations apply it with different content. What either of them makes of the cluster is followed.
func failContested(f *flux, r *results) {
	for n := range r.asked {
		r.contested(n, func(applied, applied) bool { return true })
	}
	for cluster := range r.objects {
		for _, key := range r.controllerKeys() {
			r.contested(need{cluster, key}, func(a, b applied) bool {
				return !f.installationOf(cluster, a).SameAs(f.installationOf(cluster, b))
			})
		}
	}
}

// contested says of an object that two Kustomizations apply it with content that differs.
func (r *results) contested(n need, differ func(a, b applied) bool) {
	found := r.objects.present(n.cluster, n.key)
	for i := 1; i < len(found); i++ {
		first, second := found[0].by, found[i].by
		if first == nil || second == nil || first.FullName() == second.FullName() || !differ(found[0], found[i]) {
			continue
		}
		r.failShown(second, fmt.Sprintf("applies %v %s with other content than Kustomization %s: each undoes the other",
			found[i].object["kind"], variables.Unmark(object.FullName(found[i].object)), first.FullName()))
	}
}
