package fleet

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// A cluster that nobody asks for is skimmed: it is walked for what the others have to do with it, which is
// what its Kustomizations are, and which files they read. A Kustomization is not built if nothing in its
// files and its patches can make an object that Flux follows, or a source: its files then count as read,
// as those of a build do, whether it fails or not. Substitution makes no such object of another one, for
// what matters is decided before it. Many files have a ConfigMap or a Secret. If one that was looked up may
// be in what was not built, the cluster is walked as a whole.

// Asked is what is asked for of a fleet. The zero value is all.
type Asked struct {
	// Cluster reports whether anything is asked for of a cluster by its name, or of one that it applies to; nil
	// if it is of all.
	Cluster func(name string) bool
	// Path is the file or folder of the tree that is asked for: releases that something in there applies, or
	// writes a field of.
	Path string
}

// nothing is what is asked for where only the walk matters.
func nothing() Asked { return Asked{Cluster: func(string) bool { return false }} }

// resolve walks a cluster, or skims it if it has nothing to do with what is asked for. Which files it reads shows
// only then.
func (r *resolver) resolve(ctx context.Context, c *entries.Cluster) (*pass, error) {
	wanted := r.asked.Cluster == nil || r.asked.Cluster(c.Name)
	if r.base != nil || wanted && (r.asked.Path == "" || c.LeftOver) {
		return r.passes(ctx, c, false)
	}
	before := r.coverage.Clone()
	for {
		p, err := r.passes(ctx, c, true)
		if err != nil || !p.blind && !p.overlooks() && !(wanted && p.touches(r.asked.Path)) {
			return p, err
		}
		*r.coverage = *before.Clone()
		if !p.blind {
			return r.passes(ctx, c, false)
		}
	}
}

// touches reports whether a cluster has to do with a file or folder of the tree.
func (p *pass) touches(at string) bool {
	is := func(name string) bool { return tree.Within(at, name) }
	if is(p.dir) || is(p.cluster.Dir) || slices.ContainsFunc(p.cluster.Files, is) || slices.ContainsFunc(slices.Sorted(maps.Keys(p.assumed)), is) {
		return true
	}
	for id, k := range p.applied {
		for _, k := range append(p.outcomes[id], k) {
			if k.Source != nil && slices.ContainsFunc(slices.Concat(k.Walk().Files, k.Walk().Parts), func(name string) bool {
				own, ok := p.index.Origin(k.Source, name)
				return ok && is(own)
			}) {
				return true
			}
		}
	}
	return false
}

// skimmed is a Kustomization that was not built.
type skimmed struct {
	supplies []*tree.File // that may hold variables
	renames  bool         // the objects may have other names than are written
}

// skim reports whether a Kustomization need not be built, and notes it.
func (p *pass) skim(k *entries.Kustomization) bool {
	if !p.skims {
		return false
	}
	out := skimmed{}
	for _, kust := range k.Walk().Kusts {
		if object.Remakes(kust.Object) {
			return false
		}
		out.renames = out.renames || kust.Object["namePrefix"] != nil || kust.Object["nameSuffix"] != nil
	}
	for _, name := range slices.Concat(k.Walk().Files, k.Walk().Parts) {
		f := k.Source.Files().File(name)
		guide, ok := p.sources.Guide(f)
		if !ok || guide.Steers || guide.Installs && p.evidence[installing] {
			return false
		}
		if guide.Supplies {
			out.supplies = append(out.supplies, f)
		}
	}
	own, _ := k.Object["spec"].(map[string]any)
	own = maps.Clone(own)
	delete(own, "sourceRef")
	out.renames = out.renames || own["namePrefix"] != nil || own["nameSuffix"] != nil
	if guide := object.GuideOf(fmt.Append(nil, own)); guide.Steers || guide.Installs && p.evidence[installing] {
		return false
	}
	p.coverage.Reach(k.Source, k.Walk())
	p.skimmed = append(p.skimmed, out)
	return true
}

// installing stands for all that may say which Flux a cluster has.
const installing = "what installs Flux"

// needs notes that a walk looks for a definition by its name, or for what installs Flux. One that skims has it
// from the next walk on.
func (p *pass) needs(evidence string) {
	if p.skims && !p.evidence[evidence] {
		p.evidence[evidence], p.blind = true, true
	}
}

// minds reports whether an object matters to a walk: to one that skims, if it steers what else is built.
func (p *pass) minds(res *build.Resource) bool {
	kind, known := object.KindOf(res.Kind)
	switch {
	case !p.skims || !known || kind.Group == object.OperatorGroup:
		return true
	case kind.Name == "CustomResourceDefinition":
		return p.evidence[res.Name]
	case kind.Name == "Deployment", kind.Role == object.Judged:
		return p.evidence[installing]
	}
	return kind.Role != object.Notifies && kind.Role != object.Evidence
}

// overlooks reports whether what was looked up may be in what was not built.
func (p *pass) overlooks() bool {
	for n := range p.asked {
		kind, name, _ := strings.Cut(n.key, "/")
		_, name, _ = strings.Cut(name, "/")
		if known, ok := object.KindOf(kind); name == "" || ok && known.Role != object.Variables {
			continue
		}
		if slices.ContainsFunc(p.skimmed, func(s skimmed) bool { return s.mayHold(name) }) {
			return true
		}
	}
	return false
}

// variableName matches a name that holds a variable, or may, because it is an alias.
var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`name["']?\s*:\s*(?:[^\n]*\$\{|\*)`) })

// mayHold reports whether it may have a ConfigMap or a Secret of a name.
func (s skimmed) mayHold(name string) bool {
	return slices.ContainsFunc(s.supplies, func(f *tree.File) bool {
		data := f.Again()
		return s.renames || bytes.Contains(data, []byte(name)) || variableName().Match(data)
	})
}
