package rules

import (
	"errors"
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// GlobOf says what a glob of the configuration is held against.
type GlobOf string

// The kinds of globs that are about a tree.
const (
	OfIgnored    GlobOf = "ignored"    // paths of files and folders that are not read
	OfPaths      GlobOf = "paths"      // paths of the files that releases are written in
	OfFiles      GlobOf = "files"      // paths of any files
	OfNamespaces GlobOf = "namespaces" // of releases
	OfClusters   GlobOf = "clusters"   // names of clusters
)

// isPath reports whether it is held against paths.
func (of GlobOf) isPath() bool { return of != OfNamespaces && of != OfClusters }

// Glob is a glob of the configuration that is about a tree.
type Glob struct {
	Of   GlobOf
	Path release.Path // where it is written
	Glob string
}

// Globs lists the globs that are about a tree.
func (c *Config) Globs() []Glob {
	var out []Glob
	c.Spec.eachGlob(func(of GlobOf, glob *string, at ...any) {
		if *glob != "" {
			out = append(out, Glob{of, append(release.Path{"spec"}, at...), *glob})
		}
	})
	return out
}

func (s *ConfigSpec) eachGlob(visit func(of GlobOf, glob *string, at ...any)) {
	list := func(of GlobOf, globs []string, at ...any) {
		for i := range globs {
			visit(of, &globs[i], append(at[:len(at):len(at)], i)...)
		}
	}
	match := func(m Match, at ...any) {
		at = at[:len(at):len(at)]
		list(OfPaths, m.Paths, append(at, "paths")...)
		list(OfNamespaces, m.Namespaces, append(at, "namespaces")...)
		list(OfClusters, m.Clusters, append(at, "clusters")...)
	}
	list(OfIgnored, s.Ignore, "ignore")
	for i, t := range s.Tiers {
		match(t.Match, "tiers", i)
	}
	for i, o := range s.Controller.Overrides {
		match(o.Match, "controller", "overrides", i)
	}
	for i := range s.Waivers.Entries {
		visit(OfFiles, &s.Waivers.Entries[i].File, "waivers", "entries", i, "file")
		visit(OfClusters, &s.Waivers.Entries[i].Cluster, "waivers", "entries", i, "cluster")
	}
	for i := range s.Undetermined.Accept {
		visit(OfFiles, &s.Undetermined.Accept[i].Path, "undetermined", "accept", i, "path")
		list(OfFiles, s.Undetermined.Accept[i].Paths, "undetermined", "accept", i, "paths")
	}
}

// cleanPaths writes globs of paths as the paths are that they are held against: without "./" or "/" at the
// beginning, and a folder with a slash at its end as all that is in it.
func (s *ConfigSpec) cleanPaths() {
	s.eachGlob(func(of GlobOf, glob *string, _ ...any) {
		if of.isPath() {
			*glob = cleanPath(*glob)
		}
	})
}

func cleanPath(glob string) string {
	clean := glob
	for strings.HasPrefix(clean, "/") || strings.HasPrefix(clean, "./") {
		_, clean, _ = strings.Cut(clean, "/")
	}
	if folder := strings.TrimRight(clean, "/"); folder != clean {
		clean = folder + "/**"
	}
	if clean == "" { // the root, of which it is not clear whether it means all of it
		return glob
	}
	return clean
}

// CheckSlashes refuses globs of paths with backslashes between folders: there they match nothing, as
// a backslash takes its meaning from the sign after it.
func (c *Config) CheckSlashes() error {
	var errs []error
	for _, g := range c.Globs() {
		if slashed, wrong := g.Slashed(); wrong {
			errs = append(errs, fmt.Errorf(`%s: "%s" has a backslash between folders: write "%s"`, g.Path, g.Glob, slashed))
		}
	}
	return errors.Join(errs...)
}

// Slashed returns a glob of paths with slashes in place of backslashes, and reports whether that is meant:
// whether one stands before what needs none.
func (g Glob) Slashed() (glob string, meant bool) {
	escaped := false
	for _, sign := range g.Glob {
		meant = meant || escaped && g.Of.isPath() && !strings.ContainsRune(`*?[]{}\,!^-`, sign)
		escaped = sign == '\\' && !escaped
	}
	return cleanPath(strings.ReplaceAll(g.Glob, `\`, "/")), meant
}
