package fleet

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
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
	applied     map[string]*entries.Kustomization   // by id
	outcomes    map[string][]*entries.Kustomization // what else each may be, by id
	releases    []Applied
	failed      []release.Undetermined
	unbuilt     []Unbuilt
	blocked     []blocked
	entered     bool // a Kustomization builds a folder, or something that is not in the tree
	selfApplied bool // a folder holds the Kustomization that applies it
	leaves      bool // Flux leaves something as it is on the cluster
	full        bool // there are more Kustomizations than are followed
	unrendered  bool // a ResourceSet that is not rendered may hold Alerts
	skims       bool // nobody asks for the cluster
	skimmed     []skimmed
	blind       bool // it skims, and something was looked for that it leaves out
	// installers are the objects that may install a controller, and published what the
	// manifests install that Flux publishes, by cluster.
	installers map[string][]applied
	published  map[string][]controllers.Installation
	remarks    map[string][]string // on what depends on an unknown version, by cluster
	versions   map[string]fluxVersion
}

// pass returns a new walk, with the folders and objects that an earlier one found; that
// may be nil.
func (w *world) pass(c *entries.Cluster, earlier *pass) *pass {
	l := &lookup{
		world: w, cluster: c, dir: c.Dir, root: c.Base, objects: objects{},
		made: map[need]*build.Source{}, asked: map[need][]applied{}, assumed: map[string]bool{}, believed: map[need]bool{},
	}
	if earlier != nil {
		l.dir, l.root, l.earlier = earlier.dir, earlier.root, earlier.objects
	}
	if l.ofChange() {
		if before := w.base(c); before != nil {
			l.before = before.pass
		}
	}
	return &pass{
		lookup: l, applied: map[string]*entries.Kustomization{}, outcomes: map[string][]*entries.Kustomization{},
		installers: map[string][]applied{}, published: map[string][]controllers.Installation{}, remarks: map[string][]string{},
		versions: map[string]fluxVersion{},
	}
}

// walk applies the entries.
func (p *pass) walk(ctx context.Context) error {
	for _, entry := range p.cluster.Entries {
		k := *entry
		if err := p.entry(ctx, &k); err != nil {
			return err
		}
	}
	if err := p.keepOrphans(ctx); err != nil {
		return err
	}
	p.failWaiting()
	p.failBlocked()
	p.failContested()
	return nil
}

// id returns a key that is unique over all clusters of the walk.
func (p *pass) id(k *entries.Kustomization) string { return p.cluster.Target(k) + " " + k.FullName() }

// entry applies a Kustomization that may be in its own output, as after flux bootstrap.
// Then it is replaced by the one in the output, until nothing changes.
func (p *pass) entry(ctx context.Context, k *entries.Kustomization) error {
	if own := p.ownIn(k); own != nil {
		k = own
	}
	stable := false
	for range maxPasses {
		self := p.self(k)
		stable = object.At(self, "spec", "sourceRef") == nil || entries.SameSpec(self, k.Object)
		if stable {
			break
		}
		k.Object = self
	}
	if k.Source != nil && p.dir == "" {
		p.dir = path.Join(p.root.Dir, k.Dir)
	}
	if !stable {
		p.fail(k, "applies itself, each time with other settings")
	}
	return p.apply(ctx, k)
}

// ownIn returns the Kustomization in the output of a folder that builds this same folder,
// as patches have it; nil if there is none. Somebody applied it by hand, and what it hands
// out holds for all the others, in whatever order they are listed.
func (p *pass) ownIn(k *entries.Kustomization) *entries.Kustomization {
	if !k.Folder {
		return nil
	}
	for _, res := range p.index.Builder.Build(k.Source, k.Dir, k.Object).Resources {
		if res.Kind != "Kustomization" {
			continue
		}
		obj, err := res.Object()
		if err != nil || !object.IsKustomization(obj) || object.At(obj, "spec", "sourceRef") == nil {
			continue
		}
		own, root := &entries.Kustomization{Object: obj}, p.root
		own.File, own.Line = p.index.Place(obj)
		if p.locate(own) == "" && own.Source.Own && path.Join(p.root.Dir, own.Dir) == path.Clean(k.Dir) {
			p.selfApplied = true
			return own
		}
		p.root = root
	}
	return nil
}

// self returns the Kustomization as it is in its own output; nil if it is not there.
func (p *pass) self(k *entries.Kustomization) map[string]any {
	if k.Folder || p.locate(k) != "" {
		return nil
	}
	out := p.index.Builder.Build(k.Source, k.Dir, k.Object)
	k.Variables = p.variables(k)[0]
	objects := out.Under(&k.Variables)
	for i, res := range out.Resources {
		if res.Kind == "Kustomization" && res.Name == object.Name(k.Object) && res.Namespace == object.Namespace(k.Object) {
			if obj, _, err := objects.Object(i); err == nil {
				return obj
			}
		}
	}
	return nil
}

// apply builds a Kustomization and applies the Kustomizations in its output.
func (p *pass) apply(ctx context.Context, k *entries.Kustomization) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	switch first := p.applied[p.id(k)]; {
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
		p.applied[p.id(k)] = k
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
	if reason := p.locate(k); reason != "" {
		if p.publishes(k) {
			return nil
		}
		p.fail(k, reason)
		p.failed[len(p.failed)-1].Source = p.missingSource(k)
		p.markUncertain(k)
		return nil
	}
	p.entered = p.entered || !k.Folder
	if reason := p.refusedKustomization(k); reason != "" {
		p.fail(k, reason)
		p.broken(k, "Kustomization "+k.FullName()+" "+reason)
		return nil
	}
	held := p.withheld(k)
	var children []*entries.Kustomization
	if held.Kind != presence.AsWritten || p.unsure(k) {
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
		return nil
	}
	out := p.index.Builder.Build(k.Source, k.Dir, k.Object)
	if !p.idle() {
		p.coverage.Fetch(k.Walk(), p.cluster.Target(k))
	}
	if out.Err != nil {
		p.fail(k, "cannot be built: "+k.Told(out.Err))
		p.unbuilt = append(p.unbuilt, Unbuilt{Why: p.failed[len(p.failed)-1], Name: k.FullName(), Files: p.index.Names(k.Source, k.Walk())})
		p.broken(k, "Kustomization "+k.FullName()+" cannot be built")
		return nil
	}
	p.doubtful(k, out)
	p.mixed(k)
	defer p.index.Builder.Step("substituting variables of Kustomization " + k.FullName())()
	if p.unsubstituted(k, out) {
		return nil
	}
	p.coverage.Reach(k.Source, k.Walk())
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
		p.noteUndefined(k, obj, reasons)
		p.loseLabels(k, obj)
		build.AddMetadata(obj, k.Object)
		children = append(children, p.keep(k, obj, reasons, held)...)
	}
	p.notePassedOver(k, out.PassedOver)
	return children
}

// doubtful records what a successful build left out.
func (p *pass) doubtful(k *entries.Kustomization, out *build.Result) {
	for _, text := range out.Foreign {
		p.fail(k, text)
	}
	if !k.Folder {
		for _, text := range out.Lacking {
			p.fail(k, text)
		}
	}
	for _, id := range out.SetAside {
		if kind, _, _ := strings.Cut(id, "."); object.Traced(kind) {
			p.fail(k, "patches "+id+", which is not in the tree: the patch is set aside")
		}
	}
}

// mixed records that a source takes more into the folder of a Kustomization than the tree
// holds: other repositories, or submodules.
func (p *pass) mixed(k *entries.Kustomization) {
	source := p.nearest(p.cluster.Host(k), sources.Ref(k.Object))
	if k.Folder || !k.Source.Own || source == nil {
		return
	}
	touches := func(at string) bool { return tree.Within(at, k.Dir) || tree.Within(k.Dir, at) }
	include, _ := object.At(source, "spec", "include").([]any)
	for _, item := range include {
		at := cmp.Or(object.String(item, "toPath"), object.String(item, "repository", "name"))
		if touches(object.CleanPath(at)) {
			p.fail(k, "has in "+at+" what its source includes from another repository, which is not in the tree")
		}
	}
	for _, module := range p.index.Submodules() {
		if object.At(source, "spec", "recurseSubmodules") == true && tree.Within(p.root.Dir, module) && touches(strings.TrimPrefix(module, p.root.Dir+"/")) {
			p.fail(k, "has in "+module+" a submodule, which is not in the tree")
		}
	}
}

// again reports whether a Kustomization that is met a second time is followed once more: with
// settings that it did not have the first time. It records a cycle of several Kustomizations, and one
// that is applied with several settings. One that applies itself is no cycle: flux bootstrap writes
// it so.
func (p *pass) again(k, first *entries.Kustomization) bool {
	id := p.id(k)
	for _, met := range append([]*entries.Kustomization{first}, p.outcomes[id]...) {
		if entries.SameSpec(k.Object, met.Object) && (k.Skipped != "" || met.Skipped == "") {
			return p.cycle(k)
		}
	}
	if p.cycle(k); !k.IsOutcome() && !first.IsOutcome() {
		p.fail(k, "is applied twice, with different settings: each undoes the other")
	}
	if len(p.outcomes[id]) >= mostOutcomes {
		p.fail(k, "is not followed with all of its settings: there are too many")
		return false
	}
	p.outcomes[id] = append(p.outcomes[id], k)
	return true
}

// cycle records that a Kustomization is applied by another one that it applies. It returns false.
func (p *pass) cycle(k *entries.Kustomization) bool {
	names, other := []string{k.FullName()}, false
	for parent := k.Parent; parent != nil; parent = parent.Parent {
		names = append(names, parent.FullName())
		switch same := p.id(parent) == p.id(k); {
		case same && other:
			p.fail(k, "is applied by what it applies: "+strings.Join(names, " by "))
			return false
		case !same:
			other = true
		}
	}
	return false
}

// fail records that a Kustomization could not be followed, for the cluster that it
// applies to.
func (p *pass) fail(k *entries.Kustomization, reason string) {
	p.failed = append(p.failed, release.Undetermined{
		File: k.File, Line: k.Line, Cluster: p.cluster.Target(k),
		Reason: k.WithoutSecrets("Kustomization " + k.FullName() + " " + build.Unmark(reason)),
	})
}
