package effective

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Options are the options of [Load].
type Options struct {
	Inputs []Input
	// Config classifies releases, describes controllers and lists what is not
	// to be read. It must not be nil.
	Config *rules.Config
	// ConfigDir is the folder that paths in Config are relative to. If it is empty, or
	// if a file is not below it, they are relative to the root of the tree.
	ConfigDir string
	// ConfigFile is the file of Config, for people.
	ConfigFile string
	// ConfigLine returns the line of Config at which a path of it is written; nil if that
	// is not known.
	ConfigLine func(path ...any) int
	// Clusters are globs of cluster names; if set, only releases of these clusters are
	// loaded.
	Clusters []string
	// Only is the file, by its name, of which findings are asked for: releases of clusters that do not read it
	// are not loaded. It is empty if all are.
	Only string
	// Unapplied is true if releases that no cluster applies are loaded, too. In a tree
	// without entries of clusters they always are.
	Unapplied bool
	// Lean is true if nobody asks for spec.values of releases that are loaded as they are
	// written: no rule reads it.
	Lean bool
	// Charts has the charts of releases; nil if nobody asks what an uninstall deletes.
	Charts *charts.Library
	// Sources are the contents of Flux sources, by Kind/namespace/name.
	Sources map[string]*tree.Tree
	// Base is the tree that this one is a change of; nil if it is none. What Flux skips is on
	// the clusters as the base has it.
	Base *Tree
	// Builder caches builds. One run uses the same for all loads, so that equal builds
	// are done once.
	Builder *build.Builder
	// Now is the time at which acceptances of the configuration must not be over.
	Now time.Time
	// Progress is called with what is being done; nil if nobody wants to know.
	Progress func(what string)
}

// Repository returns the options with all clusters of the repositories that the inputs
// are from, and with those of them that the options ask for; folder opens the folder of a
// file. It reports whether that is more than the options ask for.
func (o Options) Repository(ctx context.Context, folder func(file string) (*tree.Tree, error)) (whole, asked Options, more bool, err error) {
	whole, asked, more = o, o, len(o.Clusters) > 0
	whole.Inputs, asked.Inputs, whole.Clusters = nil, nil, nil
	for _, in := range o.Inputs {
		var beside *tree.Tree
		if in.AsWritten {
			if beside, err = folder(in.name()); err != nil {
				return o, o, false, err
			}
		}
		all, own, err := in.Repository(ctx, beside)
		if err != nil {
			return o, o, false, err
		}
		for _, in := range all {
			known := func(other Input) bool {
				return !in.AsWritten && !other.AsWritten && other.Files.Root() == in.Files.Root()
			}
			if !slices.ContainsFunc(whole.Inputs, known) {
				whole.Inputs = append(whole.Inputs, in)
			}
		}
		asked.Inputs = append(asked.Inputs, own...)
		more = more || len(all) > 1 || all[0].Files != in.Files || in.Below != ""
	}
	return whole, asked, more, nil
}

// With returns the options with some files replaced, by their names.
func (o Options) With(changes map[string][]byte) Options {
	o.Inputs = slices.Clone(o.Inputs)
	for i := range o.Inputs {
		o.Inputs[i] = o.Inputs[i].With(changes)
	}
	sources := map[string]*tree.Tree{}
	for ref, files := range o.Sources {
		sources[ref] = changed(files, changes)
	}
	o.Sources = sources
	return o
}

// Edit returns the options with another content of a file, and the name that it has in
// results; false if there is no such file.
func (o Options) Edit(name string, data []byte) (edited Options, file string, found bool) {
	f := o.file(name)
	if f == nil {
		return o, "", false
	}
	return o.With(map[string][]byte{f.Name(): data}), f.Name(), true
}

// file returns a file of the inputs or the sources; nil if there is none.
func (o *Options) file(name string) *tree.File {
	var all []*tree.Tree
	for _, in := range o.Inputs {
		all = append(all, in.Files)
	}
	for _, files := range append(all, o.sources()...) {
		at, ok := files.Path(name)
		if f := files.File(at); ok && f != nil {
			return f
		}
	}
	return nil
}

// ConfigPath returns the path of a file relative to ConfigDir, or rel, its path in the
// tree.
func (o *Options) ConfigPath(file, rel string) string {
	dir, err1 := filepath.Abs(o.ConfigDir)
	abs, err2 := filepath.Abs(file)
	if o.ConfigDir == "" || file == "-" || errors.Join(err1, err2) != nil {
		return rel
	}
	if known, err := filepath.Rel(dir, abs); err == nil && filepath.IsLocal(known) {
		return filepath.ToSlash(known)
	}
	return rel
}

// sources returns the contents of Flux sources, in the order of their names.
func (o *Options) sources() []*tree.Tree {
	var out []*tree.Tree
	for _, ref := range slices.Sorted(maps.Keys(o.Sources)) {
		out = append(out, o.Sources[ref])
	}
	return out
}

// Wants reports whether releases of a cluster are loaded: no clusters are set, or one of
// the globs matches.
func (o *Options) Wants(cluster string) bool {
	return len(o.Clusters) == 0 || slices.ContainsFunc(o.Clusters, func(glob string) bool {
		return doublestar.MatchUnvalidated(glob, cluster)
	})
}

// asked returns what is asked for of an input. What no cluster applies is looked for in all.
func (o *Options) asked(in Input) fleet.Asked {
	out := fleet.Asked{Path: in.Below}
	if at, ok := in.Files.Path(o.Only); ok && o.Only != "" && in.Below == "" {
		out.Path = at
	}
	if !o.Wants("") {
		out.Cluster = func(cluster string) bool {
			return slices.ContainsFunc(o.Clusters, func(glob string) bool { return mayMatchIn(glob, cluster) })
		}
	}
	return out
}

// mayMatchIn reports whether a glob may match a cluster, or a name that goes on below it.
func mayMatchIn(glob, cluster string) bool {
	if strings.Contains(glob, "**") || strings.ContainsAny(glob, `[{\`) {
		return true
	}
	parts, level := strings.Split(glob, "/"), strings.Count(cluster, "/")+1
	return len(parts) >= level && doublestar.MatchUnvalidated(strings.Join(parts[:level], "/"), cluster)
}

// Texts returns options with the same files, and without anything that was found in them.
func (o *Options) Texts() *Options {
	out := &Options{Sources: o.Sources}
	for _, in := range o.Inputs {
		out.Inputs = append(out.Inputs, Input{Files: in.Files})
	}
	return out
}

// LineLength returns the characters of a line of a file of the inputs, counted from 1
// and without white space at its end, and reports whether there is such a line.
func (o *Options) LineLength(file string, line int) (int, bool) {
	if f := o.file(file); f != nil {
		return lengthIn(f, line)
	}
	return 0, false
}

func lengthIn(f *tree.File, line int) (int, bool) {
	data, err := f.Data()
	if err != nil || line < 1 {
		return 0, false
	}
	for range line - 1 {
		end := bytes.IndexByte(data, '\n')
		if end < 0 {
			return 0, false
		}
		data = data[end+1:]
	}
	text, _, _ := bytes.Cut(data, []byte("\n"))
	return utf8.RuneCount(bytes.TrimRight(text, " \t\r")), true
}
