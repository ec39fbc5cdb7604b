package flux

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Options say what to read and how to look at it.
type Options struct {
	// Paths are files and folders; "-" is Stdin. A file, and standard input,
	// is taken as it is written; a folder is resolved as Flux would.
	Paths []string
	Stdin io.Reader
	// Config classifies releases, describes controllers and lists what is not
	// to be read. It must not be nil.
	Config *rules.Config
	// ConfigDir is the folder that paths in Config are relative to; for a tree
	// that is not below it, and if it is empty, that is the folder that is read.
	ConfigDir string
	// Clusters are globs of cluster names; when given, only their releases
	// are kept.
	Clusters []string
	// Sources maps a Flux source, as Kind/namespace/name, to the folder that
	// holds its content.
	Sources map[string]string
	// Overlay is read instead of what the files of these absolute paths hold.
	Overlay map[string][]byte
	// Progress is told what is being done; nil if nobody wants to know.
	Progress func(what string)
}

// read gives the content of a file of the tree.
func (o *Options) read(name string) ([]byte, error) {
	if abs, err := filepath.Abs(name); err == nil {
		if data, ok := o.Overlay[abs]; ok {
			return data, nil
		}
	}
	return readFile(name)
}

// configPath gives the path of a file, rel in the folder that is read, as the
// configuration knows it.
func (o *Options) configPath(file, rel string) string {
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

// Tree is what was found.
type Tree struct {
	// Releases are sorted by cluster, namespace, name, file and line.
	Releases []*Release
	// Undetermined and Problems are sorted by file and line.
	Undetermined []Undetermined
	Problems     []Problem

	Files     int // that were looked into
	Documents int // that are part of a HelmRelease, complete or not
	Partial   int // HelmRelease documents that only patch others
}

// Undetermined is what neither the tree nor the options say.
type Undetermined = release.Undetermined

// Problem is something that cannot be read at all.
type Problem struct {
	File         string
	Line, Column int // zero if the whole file is concerned
	Err          error
}

// Release is one HelmRelease as one cluster would run it. One with unknown
// failure settings cannot be judged; it is listed in Tree.Undetermined too.
type Release struct {
	*release.Release
	// TierFrom says which fact put it in its tier.
	TierFrom string
	// File and Line are those of its own document.
	File string
	Line int
	// AppliedBy are the Flux Kustomizations that apply it, from the one that
	// does to the entry of the cluster. Empty if it is taken as it is written.
	AppliedBy []Writer

	own    field            // its document
	trace  map[string]any   // who wrote what, in the shape of spec
	chain  []*kustomization // that apply it, innermost first
	tags   *tags
	loader *loader
}

// Location is the place that a person must edit to change a field.
type Location struct {
	File         string
	Line, Column int
	// Exact tells that the field itself is written there. If not, it is the
	// nearest parent that is written, or the text that the field comes from.
	Exact bool
	// SetBy says what wrote the field, when it is not the release's own
	// document, from the place above outwards: a patch, then what holds it.
	SetBy []Writer
}

// Writer is something that sets fields of a release.
type Writer struct {
	// What it is, for people: "patch 2 of Kustomization flux-system/apps".
	What string
	File string
	Line int
}

// Load reads what the options name and gives every HelmRelease, once for each
// cluster that would apply it. It fails only for paths that do not exist and
// when ctx is done.
func Load(ctx context.Context, opts Options) (*Tree, error) {
	tree := &Tree{}
	for _, name := range opts.Paths {
		l := &loader{opts: opts, tree: tree}
		if err := l.load(ctx, name); err != nil {
			return nil, err
		}
	}
	tree.sort()
	return tree, nil
}

func (l *loader) load(ctx context.Context, name string) error {
	if name == "-" {
		return l.stdin()
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return l.folder(ctx, name)
	}
	l.file(name)
	return nil
}
