package fleet

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/pkg/release"
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
			return presence.Idle(is.Object) == "" && now.built[then.id(k)]
		}
	}
	return false
}

// PrunesNamespace returns what deletes a Namespace of a cluster that the tree applied before a change, with all that is in
// it: nothing applies it now, or another Kustomization, as [Resolved.Prunes] says. It is nil if nothing deletes it.
func (r *Resolved) PrunesNamespace(before *Resolved, cluster, name string) *release.Pruning {
	key := "Namespace/" + name
	was, had := before.pass.objects.first(cluster, key)
	if !had || was.by == nil {
		return nil
	}
	out := &release.Pruning{By: was.by.FullName(), Namespace: name, Certain: r.pass.whole()}
	is, stays := r.pass.objects.of(cluster, key)
	switch deletes := false; {
	case stays && is.by == nil:
		return nil
	case stays:
		out.For = is.by.FullName()
		deletes, out.Certain = r.Prunes(before, was.by, is.by, was.object)
		if !deletes {
			return nil
		}
	case !r.Removes(before, was.by, was.object):
		return nil
	}
	return out
}
