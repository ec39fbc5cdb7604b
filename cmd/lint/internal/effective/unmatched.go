package effective

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Unmatched is a glob of the configuration that matches nothing in the tree.
type Unmatched struct {
	rules.Glob
	Why string // what there is instead, and what may be meant
}

// Unmatched lists the globs of the configuration that match nothing in the tree. One that may match what is behind a
// build that fails, or in what cannot be read, is left out. It is for a tree of which all is loaded.
func (t *Tree) Unmatched() []Unmatched {
	var out []Unmatched
	p := t.population()
	for _, g := range t.opts.Config.Globs() {
		if why, none := p.lacks(g); none {
			out = append(out, Unmatched{g, why})
		}
	}
	return out
}

// population is what globs of the configuration are held against.
type population struct {
	ignored, files                func() []string
	written, namespaces, clusters []string
	shown                         []string               // the namespaces that no Secret supplies
	modules                       bool                   // files of a submodule are missing
	hidden                        []release.Undetermined // what may hold more releases
	unread                        bool
}

func (t *Tree) population() *population {
	p := &population{clusters: t.ClusterNames(), unread: len(t.Problems) > 0}
	for _, c := range t.clusters {
		p.clusters = append(p.clusters, c.Name)
	}
	for _, r := range t.Releases {
		p.written, p.namespaces = append(p.written, r.at.Path), append(p.namespaces, r.at.Namespace)
		if r.Mask(r.at.Namespace) == r.at.Namespace {
			p.shown = append(p.shown, r.at.Namespace)
		}
	}
	for _, u := range slices.Concat(t.Undetermined, t.Unapplied) {
		p.clusters = append(p.clusters, u.Cluster)
		p.written = append(p.written, t.opts.ConfigPath(u.File, u.File))
		if namespace, _, named := strings.Cut(u.Release, "/"); named {
			p.namespaces = append(p.namespaces, namespace)
		}
	}
	p.hidden = slices.DeleteFunc(slices.Clone(t.Undetermined), func(u release.Undetermined) bool { return u.Release != "" || u.Shown })
	files := t.opts.sources()
	for _, in := range t.opts.Inputs {
		files = append(files, in.Files)
	}
	paths := func(ignored bool) func() []string {
		return sync.OnceValue(func() (all []string) {
			for _, f := range files {
				names := f.Paths()
				if ignored {
					names = f.Ignored()
				}
				for _, name := range names {
					all = append(all, t.opts.ConfigPath(f.Name(name), name))
				}
			}
			return all
		})
	}
	for _, f := range files {
		p.modules = p.modules || len(f.Submodules()) > 0
	}
	p.files, p.ignored = paths(false), paths(true)
	return p
}

// lacks reports whether there is nothing that a glob matches, and says what there is.
func (p *population) lacks(g rules.Glob) (why string, lacking bool) {
	whole := len(p.hidden) == 0 && !p.unread
	switch g.Of {
	case rules.OfClusters:
		mayBe := p.unread || slices.ContainsFunc(p.hidden, func(u release.Undetermined) bool { return u.Cluster == "" || mayMatchIn(g.Glob, u.Cluster) })
		names := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(p.clusters))), func(name string) bool { return name == "" })
		return "no cluster here has such a name" + orMend(rules.DidYouMean(g.Glob, names)), !mayBe && !matches(g.Glob, names)
	case rules.OfNamespaces:
		return "no release is in such a namespace" + orMend(rules.DidYouMean(g.Glob, p.shown)), whole && !matches(g.Glob, p.namespaces)
	case rules.OfIgnored:
		return "there is no such file or folder" + p.meant(g), !p.modules && !matches(g.Glob, p.ignored())
	}
	if !matches(g.Glob, p.files()) {
		return "there is no such file" + p.meant(g), !p.modules && !matches(g.Glob, p.ignored())
	}
	return "no release is written in such a file" + orMend(""), g.Of == rules.OfPaths && whole && !matches(g.Glob, p.written)
}

func matches(glob string, all []string) bool {
	return slices.ContainsFunc(all, func(s string) bool { return doublestar.MatchUnvalidated(glob, s) })
}

// meant says which glob of paths that matches something may be meant.
func (p *population) meant(g rules.Glob) string {
	slashed, _ := g.Slashed()
	for _, other := range []string{slashed, g.Glob + "/**", "**/" + slashed, "**/" + slashed + "/**"} {
		if matches(other, p.files()) {
			return `; did you mean "` + other + `"?`
		}
	}
	return orMend("")
}

// orMend says what to do where nothing is likely to be meant.
func orMend(meant string) string { return cmp.Or(meant, "; mend or remove it") }
