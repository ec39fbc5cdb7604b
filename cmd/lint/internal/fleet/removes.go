package fleet

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
)

// Removes reports whether Flux deletes an object that a Kustomization applied before a change, and that nothing applies now:
// that Kustomization or, if it is removed as well, the innermost one that is left above it. Without any the cluster is
// removed from the tree, and nothing is deleted.
func (r *Resolved) Removes(before *Resolved, was *entries.Kustomization, obj map[string]any) bool {
	now, then := r.pass.trail, before.pass.trail
	if was.Folder || leavesBehind(now, then, was) || presence.Kept(obj) {
		return false
	}
	for _, k := range was.Chain() {
		if is := now.applied[then.id(k)]; is != nil {
			return presence.Idle(is.Object) == ""
		}
	}
	return false
}
