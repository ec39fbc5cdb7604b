package fleet

import (
	"cmp"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// refused returns why the API server does not take an object that a Kustomization applies, so that the
// cluster keeps the former one; "" if it does. Of a Kustomization that is said where it is followed.
func (p *pass) refused(k *entries.Kustomization, obj map[string]any) string {
	if object.IsKustomization(obj) {
		return ""
	}
	was, there := p.was(p.cluster.Target(k), keyOf(obj))
	why, lacks, as := p.refusedAs(k.Folder, was.object, func(as build.Reading) string { return build.RefusedContent(obj, as) })
	why, open := p.redefined(p.cluster.Target(k), obj, as, why)
	if open = cmp.Or(open, lacks); open != "" {
		p.undetermined(k, obj, open)
	}
	if why != "" {
		return why
	}
	if there && was.skipped == "" && !presence.IsForced(k.Object, obj) {
		return presence.Unchangeable(was.object, obj)
	}
	return ""
}

// refusedKustomization returns why the API server does not take a Kustomization; "" if it does.
func (p *pass) refusedKustomization(k *entries.Kustomization) string {
	isUnseen, was := k.Parent == nil && !k.Folder && p.self(k) == nil, map[string]any(nil)
	if k.Parent != nil {
		before, _ := p.was(p.cluster.Target(k.Parent), keyOf(k.Object))
		isUnseen, was = k.Parent.Folder, before.object
	} else if p.before != nil {
		for _, before := range p.before.cluster.Entries {
			if before.FullName() == k.FullName() {
				was = before.Object
			}
		}
	}
	why, lacks, as := p.refusedAs(isUnseen, was, func(as build.Reading) string { return p.index.Builder.Refused(k.Object, as) })
	target := p.cluster.Name
	if k.Parent != nil {
		target = p.cluster.Target(k.Parent)
	}
	why, open := p.redefined(target, k.Object, as, why)
	if open = cmp.Or(open, lacks); open != "" {
		p.fail(k, open)
	}
	return why
}

// refusedAs returns why the API server does not take an object, "" if it does, and how the object was read. What
// applies it may be unseen: then that may add what it lacks, unless it lacked nothing before the change.
func (p *pass) refusedAs(isUnseen bool, was map[string]any, refused func(build.Reading) string) (why, lacks string, as build.Reading) {
	if !isUnseen {
		return refused(build.Final), "", build.Final
	}
	why = refused(build.Built)
	if why == "" || was != nil && build.RefusedContent(was, build.Built) == "" {
		return why, "", build.Built
	}
	p.leaves = p.leaves || !p.cluster.LeftOver
	unseen := refused(build.Unseen)
	if unseen == "" && !p.cluster.LeftOver {
		lacks = why + ", unless what applies it, which is not in the tree, adds to it"
	}
	return unseen, lacks, build.Unseen
}

// bars reports whether the cluster as it was before a change has something that what the tree has now
// cannot replace.
func (p *pass) bars() bool {
	for cluster := range p.before.objects {
		for key := range p.before.objects[cluster] {
			was, ok := p.before.objects.first(cluster, key)
			now, stays := p.objects.first(cluster, key)
			if ok && stays && presence.Unchangeable(was.object, now.object) != "" {
				return true
			}
		}
	}
	return false
}
