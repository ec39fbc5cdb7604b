package fleet

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// withheld says whether Flux applies what a Kustomization builds: not while the Kustomization or
// its source is suspended, or while it is not known that the cluster has it.
func (p *pass) withheld(k *entries.Kustomization) presence.Held {
	why := k.Skipped
	if why == "" {
		why = presence.Idle(k.Object)
	}
	if why == "" && !k.Folder {
		why = p.idleSource(p.cluster.Host(k), sources.Ref(k.Object))
	}
	if why == "" {
		return presence.Held{}
	}
	p.leaves = true
	return presence.Held{Kind: presence.Skipped, Why: why}
}

// idleSource returns why Flux does not fetch a source any more; "" if it does. Of an artifact that
// is generator's, that is so of the ArtifactGenerator or of what that copies from.
func (l *lookup) idleSource(cluster string, ref sources.Reference) string {
	if obj := l.object(cluster, ref.String()); obj != nil {
		return presence.Idle(obj)
	}
	if why := l.known().skipped(cluster, ref.String()); why != "" || ref.Kind != "ExternalArtifact" {
		return why
	}
	for _, generator := range l.generators(cluster) {
		if made, err := l.generated(cluster, generator, ref.Name); err != nil || made == nil || object.Namespace(generator) != ref.Namespace {
			continue
		}
		if why := presence.Idle(generator); why != "" {
			return why
		}
		list, _ := object.At(generator, "spec", "sources").([]any)
		for _, item := range list {
			if from := sources.ReferenceOf(item, generator); from != ref {
				if why := l.idleSource(cluster, from); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// ways returns a Kustomization as it may be on the cluster: with what its suspended source held
// before the change, and with each outcome of its variables.
func (p *pass) ways(k *entries.Kustomization) []*entries.Kustomization {
	var out []*entries.Kustomization
	if frozen := p.frozen(k); frozen != nil {
		out = append(out, frozen)
	}
	for i, v := range p.variables(k) {
		way := k
		if i > 0 {
			other := *k
			way, other.Outcome = &other, true
		}
		way.Variables = v
		out = append(out, way)
	}
	return out
}

// frozen returns a Kustomization with the content that its source had in the base of a change, if
// the source is suspended; nil if it is not, or was not there.
func (p *pass) frozen(k *entries.Kustomization) *entries.Kustomization {
	host, ref := p.cluster.Host(k), sources.Ref(k.Object)
	if k.Folder || p.before == nil || p.idleSource(host, ref) == "" || p.before.nearest(host, ref) == nil && ref.Kind != "ExternalArtifact" {
		return nil
	}
	out := *k
	if p.before.locate(&out) != "" {
		return nil
	}
	out.Variables, out.Outcome, out.Frozen = p.variables(k)[0], true, true
	return &out
}

// was returns an object of a cluster as the base of a change has it, and reports whether that has it.
func (p *pass) was(cluster, key string) (applied, bool) {
	if p.before == nil || len(p.before.objects[cluster][key]) == 0 {
		return applied{}, false
	}
	if found, ok := p.before.objects.first(cluster, key); ok {
		return found, true
	}
	return p.before.objects[cluster][key][0], true
}

// unsure reports whether a change says of a Kustomization whether Flux can apply it: by an account, by keys
// that decrypt, or by an expression that must hold. The tree does not say whether it can.
func (p *pass) unsure(k *entries.Kustomization) bool {
	if p.before == nil || p.before.applied[p.id(k)] == nil {
		return false
	}
	was := p.before.applied[p.id(k)].Object
	for _, field := range []string{"serviceAccountName", "decryption"} {
		if now := object.At(k.Object, "spec", field); now != nil && !reflect.DeepEqual(now, object.At(was, "spec", field)) {
			return true
		}
	}
	now, _ := object.At(k.Object, "spec", "dependsOn").([]any)
	before, _ := object.At(was, "spec", "dependsOn").([]any)
	return slices.ContainsFunc(now, func(on any) bool {
		same := func(other any) bool { return reflect.DeepEqual(on, other) }
		return object.String(on, "readyExpr") != "" && !slices.ContainsFunc(before, same)
	})
}

// orphans returns what a Kustomization of the base of a change applied there, applies no more, and does not
// delete: as it is now, or as it was when it was removed or got another cluster.
func (p *pass) orphans(was *entries.Kustomization) []applied {
	id, target := p.before.id(was), p.before.cluster.Target(was)
	now := p.applied[id]
	leaves := now != nil && object.At(now.Object, "spec", "prune") == false || now == nil && (presence.LeavesBehind(was.Object) || p.moved(was))
	var out []applied
	for _, key := range slices.Sorted(maps.Keys(p.before.objects[target])) {
		for _, a := range p.before.objects[target][key] {
			gone := len(p.objects[target][key]) == 0 && a.by != nil && p.before.id(a.by) == id
			if gone && (leaves || presence.Kept(a.object) || a.set != nil && p.outlives(target, a)) {
				out = append(out, a)
			}
		}
	}
	return out
}

// moved reports whether a Kustomization of the base of a change applies to another cluster now. There it
// finds nothing to delete, and in the former cluster it deletes nothing.
func (p *pass) moved(was *entries.Kustomization) bool {
	for _, k := range p.applied {
		if k.FullName() == was.FullName() && p.cluster.Host(k) == p.before.cluster.Host(was) && p.id(k) != p.before.id(was) {
			return true
		}
	}
	return false
}

// keepOrphans keeps what Kustomizations have left behind, and follows the Kustomizations among that.
func (p *pass) keepOrphans(ctx context.Context) error {
	if p.before == nil {
		return nil
	}
	for _, id := range slices.Sorted(maps.Keys(p.before.applied)) {
		was := p.before.applied[id]
		for _, a := range p.orphans(was) {
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
	for _, key := range slices.Sorted(maps.Keys(p.before.objects[target])) {
		for _, a := range p.before.objects[target][key] {
			if a.by != nil && p.before.id(a.by) == p.id(k) {
				children = append(children, p.stay(target, a)...)
			}
		}
	}
	return children
}

// stay keeps an object as the base of a change has it. It returns the Kustomizations to follow.
func (p *pass) stay(target string, was applied) []*entries.Kustomization {
	p.objects.put(target, was)
	switch was.object["kind"] {
	case "Deployment", "FluxInstance":
		p.installers[target] = append(p.installers[target], was)
	case "HelmRelease":
		if controllers.InstanceSpec(was.object) != nil {
			p.installers[target] = append(p.installers[target], was)
		}
		p.stayReleased(target, was)
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

// stayReleased keeps a HelmRelease as the base of a change has it.
func (p *pass) stayReleased(target string, was applied) {
	for _, r := range p.before.releases {
		if p.before.cluster.Target(r.By) == target && object.FullName(r.Object) == object.FullName(was.object) {
			r.Outcome = true
			p.releases = append(p.releases, r)
		}
	}
}
