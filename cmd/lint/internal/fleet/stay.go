package fleet

import (
	"context"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// was returns an object of a cluster as the base of a change has it, and reports whether that has it.
func (p *pass) was(cluster, key string) (applied, bool) {
	if p.before == nil {
		return applied{}, false
	}
	return p.before.objects.of(cluster, key)
}

// keepOrphans keeps what Kustomizations have left behind, and follows the Kustomizations among that.
func (p *pass) keepOrphans(ctx context.Context) error {
	if p.before == nil {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(p.before.applied)) {
		was := p.before.applied[id]
		for _, a := range orphans(p.trail, p.before, was) {
			for _, child := range p.stay(p.before.cluster.Target(was), a) {
				if err := p.apply(ctx, child); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// remain keeps all that a Kustomization has applied in the base of a change.
func (p *pass) remain(k *entries.Kustomization) []*entries.Kustomization {
	if p.before == nil {
		return nil
	}
	var children []*entries.Kustomization
	target := p.cluster.Target(k)
	for _, a := range p.before.appliedBy(p.id(k), target) {
		children = append(children, p.stay(target, a)...)
	}
	return children
}

// stay keeps an object as the base of a change has it. It returns the Kustomizations to follow.
func (p *pass) stay(target string, was applied) []*entries.Kustomization {
	p.objects.put(target, was)
	p.flux.add(target, was)
	switch was.object["kind"] {
	case "HelmRelease":
		for _, r := range p.before.releases {
			if p.before.cluster.Target(r.By) == target && object.FullName(r.Object) == object.FullName(was.object) {
				r.Outcome = true
				p.releases = append(p.releases, r)
			}
		}
	case "ResourceSet":
		return p.resourceSet(was.by, was.object, nil, presence.Held{})
	case "Kustomization":
		child := &entries.Kustomization{Object: was.object, Parent: was.by, Outcome: true}
		child.File, child.Line = p.before.index.Place(was.object)
		if known := p.before.applied[p.before.id(child)]; known != nil {
			child.Reasons = known.Reasons
		}
		return []*entries.Kustomization{child}
	}
	return nil
}
