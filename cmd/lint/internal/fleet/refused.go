package fleet

import (
	"cmp"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// admission says what the API server of a cluster takes.
type admission struct {
	*lookup
	flux     *flux
	skimming *skimming
	results  *results
	was      func(cluster, key string) (applied, bool) // an object as the base of a change has it
}

// refused returns why the API server does not take an object that a Kustomization applies, so that the
// cluster keeps the former one; "" if it does. Of a Kustomization that is said where it is followed.
func (a *admission) refused(k *entries.Kustomization, obj map[string]any) string {
	if object.IsKustomization(obj) {
		return ""
	}
	was, there := a.was(a.cluster.Target(k), keyOf(obj))
	why, lacks, as := a.refusedAs(k.Folder, was.object, func(as resource.Reading) string { return resource.RefusedContent(obj, as) })
	why, open := a.redefined(a.cluster.Target(k), obj, as, why)
	if open = cmp.Or(open, lacks); open != "" {
		a.results.undetermined(k, obj, open)
	}
	if why != "" {
		return why
	}
	if there && was.skipped == "" && !presence.IsForced(k.Object, obj) {
		return presence.Unchangeable(was.object, obj)
	}
	return ""
}

// refusedKustomization returns why the API server of a cluster does not take a Kustomization, given the one before a
// change; "" if it does.
func (a *admission) refusedKustomization(cluster string, k *entries.Kustomization, isUnseen bool, was map[string]any) string {
	why, lacks, as := a.refusedAs(isUnseen, was, func(as resource.Reading) string { return a.index.Builder.Refused(k.Object, as) })
	why, open := a.redefined(cluster, k.Object, as, why)
	if open = cmp.Or(open, lacks); open != "" {
		a.results.fail(k, open)
	}
	return why
}

// refusedAs returns why the API server does not take an object, "" if it does, and how the object was read. What
// applies it may be unseen: then that may add what it lacks, unless it lacked nothing before the change.
func (a *admission) refusedAs(isUnseen bool, was map[string]any, refused func(resource.Reading) string) (why, lacks string, as resource.Reading) {
	if !isUnseen {
		return refused(resource.Final), "", resource.Final
	}
	why = refused(resource.Built)
	if why == "" || was != nil && resource.RefusedContent(was, resource.Built) == "" {
		return why, "", resource.Built
	}
	a.results.leaves = a.results.leaves || !a.cluster.LeftOver
	unseen := refused(resource.Unseen)
	if unseen == "" && !a.cluster.LeftOver {
		lacks = why + ", unless what applies it, which is not in the tree, adds to it"
	}
	return unseen, lacks, resource.Unseen
}
