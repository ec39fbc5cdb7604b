package fleet

import (
	"context"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"
)

// resolver walks all clusters of a tree.
type resolver struct {
	*world
	progress func(string)
	done     []*Resolved
}

// all walks the clusters that have an entry, then what none of them reaches:
// Flux Kustomizations that nothing applies and the folders that hold them,
// outermost first, and folders with a kustomization.yaml that no other one
// names.
func (r *resolver) all(ctx context.Context) ([]*Resolved, error) {
	clusters := r.entries()
	if err := r.follow(ctx, clusters); err != nil {
		return nil, err
	}
	for _, c := range clusters {
		for _, name := range append(konfig.RecognizedKustomizationFileNames(), path.Base(c.File)) {
			r.coverage.consumed[path.Join(path.Dir(c.File), name)] = true
		}
	}
	if err := r.rest(ctx, len(clusters) > 0); err != nil {
		return nil, err
	}
	for _, dir := range r.kustRoots() {
		if err := r.follow(ctx, []*Cluster{r.folder(dir, strings.TrimPrefix(dir, "."))}); err != nil {
			return nil, err
		}
	}
	return r.done, nil
}

// rest walks the Flux Kustomizations that nothing has reached. Beside clusters
// that have entries they are leftovers.
func (r *resolver) rest(ctx context.Context, leftovers bool) error {
	own := mainSource(r.index)
	last := root{}
	if len(r.done) > 0 {
		last = root{r.done[len(r.done)-1].Root, r.done[len(r.done)-1].Root != ""}
	}
	var named []*Cluster
	for next := r.unreached(); len(next) > 0; next = r.unreached() {
		for _, c := range next {
			c.own = own
			if leftovers {
				c.Name, c.leftover, c.root = "", true, last
			}
		}
		if !leftovers {
			nameApart(next, named)
		}
		if err := r.follow(ctx, next); err != nil {
			return err
		}
		named = append(named, next...)
		for _, c := range next {
			r.coverage.consumed[c.File] = true // whatever came of it, it is not tried again
		}
	}
	return nil
}

// follow walks clusters. What one has taken for applied by hand may turn out to
// be applied to another: then it is walked again.
func (r *resolver) follow(ctx context.Context, clusters []*Cluster) error {
	passes := make([]*pass, len(clusters))
	outdated := func(p *pass) bool { return p == nil || p.outdated() }
	for slices.ContainsFunc(passes, outdated) {
		again := make([]bool, len(passes))
		for i, p := range passes {
			again[i] = outdated(p)
		}
		for i, c := range clusters {
			if !again[i] {
				continue
			}
			if r.progress != nil {
				r.progress("building cluster " + c.Name)
			}
			var err error
			if passes[i], err = r.resolve(ctx, c); err != nil {
				return err
			}
		}
	}
	for i, c := range clusters {
		r.done = append(r.done, &Resolved{
			Cluster: c, Dir: passes[i].dir, Root: passes[i].root.dir, Releases: passes[i].releases, Failed: passes[i].failed, pass: passes[i],
		})
	}
	return nil
}

// resolve walks a cluster, once more as long as an object that was missed has
// turned up: a ConfigMap with variables may be applied after it is needed.
func (r *resolver) resolve(ctx context.Context, c *Cluster) (*pass, error) {
	var p *pass
	for range maxPasses {
		generators := 0
		if p != nil {
			generators = p.objects.generators()
		}
		p = r.pass(c, p)
		if err := p.walk(ctx); err != nil {
			return nil, err
		}
		if !p.turnedUp() && !p.outdated() && !(p.generator && p.objects.generators() > generators) {
			break
		}
	}
	return p, nil
}
