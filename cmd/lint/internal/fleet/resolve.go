package fleet

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
)

// resolver walks all clusters of a tree.
type resolver struct {
	*world
	base     func(*entries.Cluster) *Resolved // see [Options]
	asked    Asked
	progress func(string)
	done     []*Resolved
	declared []entries.Declared
}

// all walks the clusters that have an entry, then what they do not reach: first Flux
// Kustomizations that nothing applies, or the folders that list them, outermost first;
// then folders with a kustomization.yaml that no other one lists.
func (r *resolver) all(ctx context.Context) ([]*Resolved, error) {
	clusters := r.finder().Entries(r.declared)
	if err := r.follow(ctx, clusters); err != nil {
		return nil, err
	}
	for _, c := range clusters {
		for _, name := range append(konfig.RecognizedKustomizationFileNames(), path.Base(c.File)) {
			r.coverage.Consumed[path.Join(path.Dir(c.File), name)] = true
		}
	}
	if err := r.followUnreached(ctx, r.entered()); err != nil {
		return nil, err
	}
	leftover := r.entered()
	for _, dir := range r.finder().KustRoots() {
		c := r.finder().Folder(dir, strings.TrimPrefix(dir, "."))
		if leftover {
			c.Name, c.LeftOver = "", true
		}
		if err := r.follow(ctx, []*entries.Cluster{c}); err != nil {
			return nil, err
		}
	}
	return r.done, nil
}

// entered reports whether the tree has the entry of a cluster: Flux would build something
// from it.
func (r *resolver) entered() bool {
	return slices.ContainsFunc(r.done, (*Resolved).Entered)
}

// followUnreached walks the Flux Kustomizations that no cluster has reached. If there
// are clusters with entries, these are leftovers, but for one that applies itself.
func (r *resolver) followUnreached(ctx context.Context, leftovers bool) error {
	own := sources.Main(r.index)
	var named []*entries.Cluster
	for next := r.finder().Unreached(); len(next) > 0; next = r.finder().Unreached() {
		closed := map[string]bool{}
		for _, done := range r.done {
			if !done.LeftOver {
				maps.Copy(closed, done.pass.closed())
			}
		}
		for _, c := range next {
			c.Own = own
			c.LeftOver = leftovers && !entries.AppliesItself(r.index, c) || entries.SwitchedOff(r.index, c, closed)
		}
		live := slices.DeleteFunc(slices.Clone(next), func(c *entries.Cluster) bool { return c.LeftOver })
		rest := slices.DeleteFunc(next, func(c *entries.Cluster) bool { return !c.LeftOver })
		live, err := r.outer(ctx, live)
		if err != nil {
			return err
		}
		live = entries.Joined(r.index, live)
		entries.NameApart(live, named)
		for _, c := range rest {
			c.Name, c.Base = "", r.lastRoot()
		}
		if len(live) > 0 {
			rest = nil // they may be reached from there
		}
		next = append(live, rest...)
		if err := r.follow(ctx, next); err != nil {
			return err
		}
		named = append(named, next...)
		for _, c := range next {
			for _, file := range c.Files {
				r.coverage.Consumed[file] = true // it is not tried again, even if it failed
			}
		}
	}
	return nil
}

// lastRoot returns the folder that the paths of the cluster before are relative to.
func (r *resolver) lastRoot() entries.Root {
	if len(r.done) == 0 {
		return entries.Root{}
	}
	dir := r.done[len(r.done)-1].Root
	return entries.Root{Dir: dir, Known: dir != ""}
}

// follow walks clusters. A cluster that used an object as applied by hand is walked
// again if another cluster turns out to apply it.
func (r *resolver) follow(ctx context.Context, clusters []*entries.Cluster) error {
	passes := make([]*pass, len(clusters))
	outdated := func(p *pass) bool { return p == nil || p.outdated() }
	for slices.ContainsFunc(passes, outdated) {
		var again []*entries.Cluster
		var at []int
		for i, p := range passes {
			if outdated(p) {
				again, at = append(again, clusters[i]), append(at, i)
			}
		}
		walked, err := r.sideBySide(ctx, again)
		if err != nil {
			return err
		}
		for i, p := range walked {
			passes[at[i]] = p
		}
	}
	for i, c := range clusters {
		r.done = append(r.done, &Resolved{
			Cluster: c, Dir: passes[i].dir, Root: passes[i].root.Dir, Releases: passes[i].releases, Failed: passes[i].failed, Unbuilt: passes[i].unbuilt, Skimmed: passes[i].skims, pass: passes[i],
		})
	}
	return nil
}

// sideBySide walks clusters as if one after the other: each begins with what is known before all of them, and is
// walked once more if it asked for something that one before it has found out. In a change they share the base.
func (r *resolver) sideBySide(ctx context.Context, clusters []*entries.Cluster) ([]*pass, error) {
	passes := make([]*pass, len(clusters))
	one := func(i int) (err error) {
		if r.progress != nil {
			r.progress("building cluster " + clusters[i].Name)
		}
		own := *r.world
		own.coverage, own.evidence = r.coverage.Fork(), maps.Clone(r.evidence)
		passes[i], err = (&resolver{world: &own, base: r.base, asked: r.asked}).resolve(ctx, clusters[i])
		return err
	}
	if r.base == nil && len(clusters) > 1 {
		if err := cores.Each(len(clusters), one); err != nil {
			return nil, err
		}
	}
	for i, c := range clusters {
		if passes[i] != nil && r.coverage.Join(passes[i].coverage) {
			maps.Copy(r.evidence, passes[i].evidence)
			passes[i].coverage = r.coverage
			continue
		}
		var err error
		if passes[i], err = r.resolve(ctx, c); err != nil {
			return nil, err
		}
	}
	return passes, nil
}

// passes walks a cluster until no missing object turns up any more, at most maxPasses
// times: a ConfigMap with variables may be applied after it is needed.
func (r *resolver) passes(ctx context.Context, c *entries.Cluster, skims bool) (*pass, error) {
	var p, before *pass
	if r.base != nil && !c.LeftOver {
		if was := r.base(c); was != nil {
			before = was.pass
		}
	}
	unwalked, settled := r.coverage.Clone(), map[string]bool{}
	for range maxPasses {
		generators := 0
		if p != nil {
			generators = p.objects.generators()
			maps.Copy(settled, r.coverage.Built)
			for name := range r.coverage.Broken {
				settled[name] = true
			}
			*r.coverage = *unwalked.Clone()
		}
		p = r.pass(c, p, before)
		p.skims, p.settled = skims, settled
		if err := p.walk(ctx); err != nil {
			return nil, err
		}
		if p.blind || !p.ahead && !p.changed() && !p.outdated() && !(p.generator && p.objects.generators() > generators) {
			break
		}
	}
	return p, nil
}
