package fleet

import (
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
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
	id := now.pruner(then, was)
	return id != "" && presence.Idle(now.applied[id].Object) == "" && now.built[id]
}

// pruner returns the id of what prunes the objects of a Kustomization of the base of a change: of itself or, if it is removed,
// of the innermost one that is left above it; "" if there is none.
func (t *trail) pruner(before *trail, was *entries.Kustomization) string {
	for _, k := range was.Chain() {
		if id := before.id(k); t.applied[id] != nil {
			return id
		}
	}
	return ""
}

// Pruned returns what deletes an object that is applied before a change and after it; nil if nothing does. Another Kustomization
// applies it now, and the former one prunes it, as [Resolved.prunes] says; or the same one applies it, and that is itself deleted in
// this way: then it deletes all that it has applied.
// Source: finalize in kustomization_controller.go of kustomize-controller.
func (r *Resolved) Pruned(before *Resolved, was, by *entries.Kustomization, obj map[string]any) *release.Pruning {
	now, then, through := r.pass.trail, before.pass.trail, ""
	for ; was != nil && by != nil; was, by = was.Parent, by.Parent {
		if a, _ := then.objects.first(then.cluster.Target(was), keyOf(obj)); a.set != nil && presence.KeptOfSet(obj) {
			return nil
		} else if a.set != nil {
			obj = a.set // it is what the Kustomization applies
		}
		id, kept := then.id(was), then.appliersOf(then.cluster.Target(was), obj)
		appliers := now.appliersOf(now.cluster.Target(by), obj)
		if next := now.current(appliers); now.id(by) == id && len(next) > 0 && !slices.Contains(next, id) {
			by = appliers[next[0]] // which leaves it as it was
		}
		if now.id(by) != id {
			if prunes, surely := r.prunes(before, was, by, obj); prunes {
				return &release.Pruning{By: was.FullName(), For: by.FullName(), Kustomization: through, Certain: surely}
			}
			return nil
		}
		for other, k := range appliers {
			if other != id && kept[other] != nil && presence.Idle(k.Object) == "" {
				return nil // it has taken it over
			}
		}
		if presence.Kept(obj) || presence.LeavesBehind(was.Object) {
			return nil
		}
		obj, through = was.Object, was.FullName()
	}
	return nil
}

// prunes reports whether the Kustomization that applied an object before a change deletes it, which others apply now,
// unless one has taken it over by then. One has if the former comes to the commit after it, with a spec that it had before the
// change as well, if it applied the object before as well, or if it is what deletes the former: it applies before it prunes. It
// surely has not if it does nothing with the object, if it comes to the commit after the former, if the former makes it, or if it
// waits for others when it is made and the former is deleted.
// Source: deleteObjects in kustomization_controller.go of kustomize-controller, which skips what carries the labels of another
// Kustomization.
func (r *Resolved) prunes(before *Resolved, was, by *entries.Kustomization, obj map[string]any) (prunes, surely bool) {
	now, then := r.pass.trail, before.pass.trail
	is := now.applied[then.id(was)]
	if was.Folder || by.Folder || leavesBehind(now, then, was) || presence.Kept(obj) || is != nil && presence.Idle(is.Object) != "" {
		return false, false
	}
	order := r.orderIn(r.Host(by), before)
	appliers, kept := now.appliersOf(now.cluster.Target(by), obj), then.appliersOf(then.cluster.Target(was), obj)
	for _, id := range now.current(appliers) {
		k := appliers[id]
		waited := is != nil && order.same(k.FullName()) && order.follows(was.FullName(), k.FullName())
		if waited || kept[id] != nil && presence.Idle(k.Object) == "" {
			return false, false
		}
	}
	leaves := func(a applied) bool { return a.skipped != "" && slices.Contains(a.appliers(), by) }
	idle := presence.Idle(by.Object) != "" || by.Skipped != "" || slices.ContainsFunc(now.objects[now.cluster.Target(by)][keyOf(obj)], leaves)
	if idle || is == nil && now.id(by) == now.pruner(then, was) {
		return idle, idle
	}
	late := is == nil && len(dependencies(by)) > 0 || is != nil && by.Parent != nil && now.id(by.Parent) == now.id(is)
	return true, is != nil && order.follows(by.FullName(), was.FullName()) || order.before[by.FullName()] == nil && late
}

// current returns the ids of those appliers of an object that apply it as the tree is now, in their order. The others are of the
// base of a change, and have applied what stays.
func (t *trail) current(appliers map[string]*entries.Kustomization) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(appliers)), func(id string) bool {
		return t.applied[id] != appliers[id] && presence.Idle(appliers[id].Object) == "" && (t.applied[id] == nil || presence.Idle(t.applied[id].Object) == "")
	})
}

// immortal are the namespaces that the API server does not delete.
// Source: Register of k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle.
var immortal = []string{"default", "kube-system", "kube-public"}

// PrunesNamespace returns what deletes a Namespace of a cluster that the tree applied before a change, with all that is in
// it: nothing applies it now, or another Kustomization, as [Resolved.Pruned] says. It is nil if nothing deletes it, or if
// that is not known: a name or a ResourceSet may make it, or flux-operator, which takes over what it installs.
func (r *Resolved) PrunesNamespace(before *Resolved, cluster, name string) *release.Pruning {
	key := "Namespace/" + name
	was, had := before.pass.objects.first(cluster, key)
	if !had || was.by == nil || slices.Contains(immortal, name) {
		return nil
	}
	is, stays := r.pass.objects.of(cluster, key)
	if stays && is.by == nil {
		return nil
	}
	for _, by := range was.appliers() {
		var out *release.Pruning
		if stays {
			out = r.Pruned(before, by, is.by, was.object)
		} else if r.Removes(before, by, was.object) && !r.mayMakeNamespace(cluster, name, was) {
			out = &release.Pruning{By: by.FullName(), Certain: r.pass.whole() || !before.pass.whole()} // what was not shown before did not apply it either
		}
		if out != nil {
			out.Namespace = name
			return out
		}
	}
	return nil
}

// mayMakeNamespace reports whether a Namespace of a cluster that the tree no longer shows may be applied all the same.
func (r *Resolved) mayMakeNamespace(cluster, name string, was applied) bool {
	p := r.pass
	unknown := func(namespace map[string]any) bool { return len(variables.Unknown(object.Name(namespace))) > 0 }
	installs := func(flux map[string]any) bool { return object.Namespace(flux) == name }
	unrendered := func(set map[string]any) bool {
		_, _, errs := p.render(cluster, set)
		return len(errs) > 0
	}
	return was.set != nil && p.outlives(cluster, was) || slices.ContainsFunc(p.objects.ofKind(cluster, "Namespace"), unknown) ||
		slices.ContainsFunc(p.objects.ofKind(cluster, "FluxInstance"), installs) || slices.ContainsFunc(p.objects.ofKind(cluster, "ResourceSet"), unrendered)
}
