package fleet

import (
	"maps"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// reinstalls reports whether what a cluster has installed may be as it was before a change.
func reinstalls(now, before *flux) bool {
	return slices.ContainsFunc(append(slices.Sorted(maps.Keys(now.objects)), now.cluster.Name), func(cluster string) bool {
		return now.installed(cluster).Stands(now.index.Builder, before.installed(cluster)) != ""
	})
}

// bars reports whether the cluster as it was before a change has something that what the tree has now
// cannot replace.
func bars(before, now objects) bool {
	for cluster := range before {
		for key := range before[cluster] {
			was, ok := before.first(cluster, key)
			is, stays := now.first(cluster, key)
			if ok && stays && presence.Unchangeable(was.object, is.object) != "" {
				return true
			}
		}
	}
	return false
}

// unsure reports whether a change says of a Kustomization whether Flux can apply it: by an account, by keys
// that decrypt, or by an expression that must hold. The tree does not say whether it can. One that was not there
// before is nil, and surely new.
func unsure(was, k *entries.Kustomization) bool {
	if was == nil {
		return false
	}
	for _, field := range []string{"serviceAccountName", "decryption"} {
		if now := object.At(k.Object, "spec", field); now != nil && !reflect.DeepEqual(now, object.At(was.Object, "spec", field)) {
			return true
		}
	}
	now, _ := object.At(k.Object, "spec", "dependsOn").([]any)
	before, _ := object.At(was.Object, "spec", "dependsOn").([]any)
	return slices.ContainsFunc(now, func(on any) bool {
		same := func(other any) bool { return reflect.DeepEqual(on, other) }
		return object.String(on, "readyExpr") != "" && !slices.ContainsFunc(before, same)
	})
}

// orphans returns what a Kustomization of the base of a change applied there, applies no more, and does not
// delete: as it is now, or as it was when it was removed or got another cluster.
func orphans(now, before *trail, was *entries.Kustomization) []applied {
	id, target := before.id(was), before.cluster.Target(was)
	leaves := leavesBehind(now, before, was)
	var out []applied
	for _, a := range before.appliedBy(id, target) {
		if len(now.objects[target][keyOf(a.object)]) == 0 && (leaves || presence.Kept(a.object) || a.set != nil && now.outlives(target, a)) {
			out = append(out, a)
		}
	}
	return out
}

// leavesBehind reports whether a Kustomization of the base of a change does not delete what it applies no more.
func leavesBehind(now, before *trail, was *entries.Kustomization) bool {
	if is := now.applied[before.id(was)]; is != nil {
		return object.At(is.Object, "spec", "prune") == false
	}
	return presence.LeavesBehind(was.Object) || moved(now, before, was)
}

// moved reports whether a Kustomization of the base of a change applies to another cluster now. There it
// finds nothing to delete, and in the former cluster it deletes nothing.
func moved(now, before *trail, was *entries.Kustomization) bool {
	for _, k := range now.applied {
		if k.FullName() == was.FullName() && now.cluster.Host(k) == before.cluster.Host(was) && now.id(k) != before.id(was) {
			return true
		}
	}
	return false
}
