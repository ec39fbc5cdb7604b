package fleet

import (
	"context"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Kustomizations may apply each other under ever new names.
const (
	maxPasses  = 4
	maxDepth   = 32    // Kustomizations in a chain
	maxApplied = 5_000 // Kustomizations of a cluster
)

// pass is one walk from the entries of a cluster over everything that is applied from
// there. Its fields only grow.
type pass struct {
	*lookup
	*trail
	*supply
	*flux
	*skimming
	undefined undefined
	copied    variables.Secrets // what builds copy from Secrets without variables
	before    *trail            // of the walk of the base of a change; nil if there is none
}

// pass returns a new walk, with the folders and objects that an earlier one found, and the one of the base of a
// change; each may be nil.
func (w *world) pass(c *entries.Cluster, earlier, before *pass) *pass {
	l := &lookup{world: w, cluster: c, dir: c.Dir, root: c.Base, objects: objects{}, asked: map[need][]applied{}, guessed: map[need]map[string]any{}}
	if earlier != nil {
		l.dir, l.root, l.earlier = earlier.dir, earlier.root, earlier.objects
	}
	p := &pass{
		lookup:   l,
		trail:    newTrail(l),
		supply:   &supply{lookup: l, assumed: map[string]bool{}},
		flux:     &flux{lookup: l, installers: map[string][]applied{}, published: map[string][]controllers.Installation{}, remarks: map[string][]string{}, versions: map[string]fluxVersion{}},
		skimming: &skimming{lookup: l},
	}
	if before != nil {
		p.before, p.origins.before, p.supply.before, p.flux.before = before.trail, before.origins, before.supply, before.flux
	}
	return p
}

// walk applies the entries.
func (p *pass) walk(ctx context.Context) error {
	if p.cluster.Source != nil {
		p.objects.put(p.cluster.Name, applied{object: p.cluster.Source})
	}
	for _, entry := range p.cluster.Entries {
		k := *entry
		if err := p.entry(ctx, &k); err != nil {
			return err
		}
	}
	if err := p.keepOrphans(ctx); err != nil {
		return err
	}
	failWaiting(p, p.before)
	p.undefined.fail(p.flux, p.results, p.before)
	failContested(p.flux, p.results)
	return nil
}

// apply builds a Kustomization and applies the Kustomizations in its output.
func (p *pass) apply(ctx context.Context, k *entries.Kustomization) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	id := p.id(k)
	p.appliers[id] = append(p.appliers[id], k.Parent)
	switch first := p.applied[id]; {
	case first != nil:
		if !p.again(k, first) {
			return nil
		}
	case len(p.applied) >= maxApplied:
		if !p.full {
			p.fail(k, fmt.Sprintf("is not followed, and neither is what comes after it: the cluster has more than %d Kustomizations", maxApplied))
		}
		p.full = true
		return nil
	default:
		p.applied[id] = k
	}
	for _, child := range p.build(k) {
		if err := p.apply(ctx, child); err != nil {
			return err
		}
	}
	return nil
}

// build builds a Kustomization, keeps its objects and returns the Kustomizations to
// follow.
func (p *pass) build(k *entries.Kustomization) []*entries.Kustomization {
	if len(k.Chain()) > maxDepth {
		p.fail(k, fmt.Sprintf("is applied by a chain of more than %d Kustomizations", maxDepth))
		return nil
	}
	if reason, missing := p.locate(k); reason != "" {
		if p.publishes(k) {
			return nil
		}
		p.fail(k, reason)
		p.failed[len(p.failed)-1].Source, p.failed[len(p.failed)-1].NoPath = p.missingSource(k), missing
		p.entered = p.markUncertain(k) || p.entered
		return nil
	}
	p.entered = p.entered || !k.Folder
	if reason := p.refused(k); reason != "" {
		p.fail(k, reason)
		p.broken(k, k.Called()+" "+reason)
		return nil
	}
	held := p.withheld(k)
	var children []*entries.Kustomization
	if held.Kind != presence.AsWritten || p.before != nil && unsure(p.before.applied[p.id(k)], k) {
		children = p.remain(k)
	}
	for _, way := range p.ways(k) {
		if way.Frozen {
			children = append(children, p.take(way, presence.Held{})...)
			continue
		}
		children = append(children, p.take(way, held)...)
	}
	return children
}

// take builds a Kustomization as it may be on the cluster, keeps its objects, which may be withheld,
// and returns the Kustomizations to follow.
func (p *pass) take(k *entries.Kustomization, held presence.Held) []*entries.Kustomization {
	if p.skim(k) {
		p.built[p.id(k)] = true
		return nil
	}
	out := p.index.Builder.Build(k.Source, k.Dir, k.Object)
	if !p.idle() {
		p.coverage.Fetch(k.Source, k.Walk(), p.cluster.Target(k))
	}
	if out.Err != nil {
		told := k.Told(out.Err)
		p.failUnread(k, "cannot be built: ", told)
		why := &p.failed[len(p.failed)-1]
		why.Reason += folderOf(k)
		if why.Cause == "" {
			why.Cause, why.CauseLine = p.cause(k, told)
		}
		p.unbuilt = append(p.unbuilt, Unbuilt{Why: *why, Name: k.FullName(), Files: p.index.Names(k.Source, k.Walk())})
		p.broken(k, k.Called()+" cannot be built")
		return nil
	}
	k.Variables.Copied = out.Copied
	p.copied = append(p.copied, out.Copied...)
	p.doubtful(k, out)
	p.mixed(k)
	defer p.index.Builder.Step("substituting variables of Kustomization " + k.FullName())()
	if p.unsubstituted(k, out, p.minds) {
		return nil
	}
	p.coverage.Reach(k.Source, k.Walk())
	p.built[p.id(k)] = true
	if held.Kind == presence.AsWritten && !k.IsOutcome() {
		p.undecrypted(k, out.Sealed)
	}
	var children []*entries.Kustomization
	objects := out.Under(&k.Variables)
	for i, res := range out.Resources {
		if !p.minds(res) {
			continue
		}
		obj, reasons, err := objects.Object(i)
		if err != nil {
			continue // it has been said
		}
		p.undefined.note(k, obj, reasons)
		p.loseLabels(k, obj)
		build.AddMetadata(obj, k.Object)
		children = append(children, p.keep(nil, k, obj, reasons, held)...)
	}
	p.undefined.notePassedOver(k, out.PassedOver)
	return children
}

// undecrypted records a Secret that a Kustomization lacks spec.decryption for. What applies it may set that, where the
// tree does not show it, unless it was set before the change, or the change is the first to encrypt one of the cluster so.
// Source: apply in kustomization_controller.go of kustomize-controller.
func (p *pass) undecrypted(k *entries.Kustomization, secrets []string) {
	if len(secrets) == 0 || k.Folder || object.At(k.Object, "spec", "decryption") != nil {
		return
	}
	if !p.isShown(k) {
		p.leaves, p.decrypts = p.leaves || !p.cluster.LeftOver, true
		if p.before == nil || p.before.decrypts && (p.before.applied[p.id(k)] == nil || object.At(p.before.applied[p.id(k)].Object, "spec", "decryption") == nil) {
			return
		}
	}
	what := fmt.Sprintf("Secret %s is encrypted with SOPS, and spec.decryption is not set", secrets[0])
	p.undefined = append(p.undefined, blocked{by: k, what: what})
}

// isShown reports whether the tree shows all that makes a Kustomization of a cluster what it is.
func (p *pass) isShown(k *entries.Kustomization) bool {
	chain := k.Chain()
	first := *chain[len(chain)-1]
	unseen := slices.ContainsFunc(chain, func(by *entries.Kustomization) bool { return by.Folder })
	return !unseen && (p.cluster.Described() && p.cluster.Found != entries.Bootstrapped || p.self(&first) != nil)
}

// admission returns what the API servers take of what is applied.
func (p *pass) admission() *admission {
	return &admission{p.lookup, p.flux, p.skimming, p.results, p.was}
}

// refused returns why the API server does not take a Kustomization; "" if it does.
func (p *pass) refused(k *entries.Kustomization) string {
	if k.Parent != nil {
		target := p.cluster.Target(k.Parent)
		was, _ := p.was(target, keyOf(k.Object))
		return p.admission().refusedKustomization(target, k, k.Parent.Folder, was.object)
	}
	var was map[string]any
	if p.before != nil {
		for _, before := range p.before.cluster.Entries {
			if before.FullName() == k.FullName() {
				was = before.Object
			}
		}
	}
	return p.admission().refusedKustomization(p.cluster.Name, k, !k.Folder && p.self(k) == nil, was)
}
