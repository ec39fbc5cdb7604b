package flux

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// loader carries one run of [Load] over one folder.
type loader struct {
	opts Options
	tree *Tree

	repo    *repo
	only    string // the folder below the root that was asked for; "" is all
	tmp     string
	tags    *tags
	builder *builder

	self     map[string]*artifact // by spec.ignore
	foreign  map[string]*artifact // by folder
	external map[string]*artifact // by generator and name
	subs     map[string]*artifact

	docs    map[string][]written // the HelmReleases as they are written, by file
	reached map[string]bool      // files that need not be looked at again, relative to the root
	built   map[string]bool      // those of them that a build has read
	broken  map[string]string    // files of a build that failed, and which
	remote  map[remote]bool
	root    string               // that the paths of the last entry were relative to
	index   map[string][]indexed // every object that can be looked up, by kind and name
}

// folder resolves a folder as Flux would.
func (l *loader) folder(ctx context.Context, name string) error {
	tmp, err := os.MkdirTemp("", "flux-remedy-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp) // nothing is lost if it stays
	if l.tmp, err = filepath.EvalSymlinks(tmp); err != nil {
		return err
	}
	if err := l.open(ctx, name); err != nil {
		return err
	}
	l.static()
	clusters := l.clusters()
	if err := l.follow(ctx, clusters...); err != nil {
		return err
	}
	for _, c := range clusters {
		l.root = c.root
		for _, name := range append(konfig.RecognizedKustomizationFileNames(), path.Base(c.file)) {
			l.reached[path.Join(path.Dir(c.file), name)] = true
		}
	}
	if err := l.roots(ctx, len(clusters) > 0); err != nil {
		return err
	}
	l.rest()
	return nil
}

// open reads the tree: the folder or, if nothing in it can be resolved there,
// the Git repository around it.
func (l *loader) open(ctx context.Context, name string) error {
	l.builder = &builder{done: map[string]*built{}}
	l.self, l.foreign = map[string]*artifact{}, map[string]*artifact{}
	l.external, l.subs = map[string]*artifact{}, map[string]*artifact{}
	l.reached, l.built = map[string]bool{}, map[string]bool{}
	l.broken, l.remote = map[string]string{}, map[remote]bool{}
	l.tags = &tags{}
	var err error
	if l.repo, err = openRepo(ctx, name, l); err != nil {
		return err
	}
	top := gitTop(l.repo.abs)
	if top == "" || top == l.repo.abs || l.resolves(l.repo.abs) || !l.resolves(top) {
		return nil
	}
	l.only, err = filepath.Rel(top, l.repo.abs)
	if err != nil {
		return err
	}
	up, err := filepath.Rel(l.repo.abs, top)
	if err != nil {
		return err
	}
	l.repo, err = openRepo(ctx, filepath.Join(name, up), l)
	return err
}

// resolves tells whether the tree can stand for itself up to a folder: it has
// no Flux Kustomization, or the path of one leads somewhere.
func (l *loader) resolves(top string) bool {
	none := true
	for _, entry := range l.kustomizations() {
		none = false
		where, _ := nested(entry.object, "spec", "path").(string)
		if clean(where) == "" {
			continue
		}
		for dir := filepath.Dir(filepath.Join(l.repo.abs, entry.rel)); within(top, dir); dir = filepath.Dir(dir) {
			if info, err := os.Stat(filepath.Join(dir, clean(where))); err == nil && info.IsDir() {
				return true
			}
		}
	}
	return none
}

// kustomizations lists the Flux Kustomizations that are written in the tree.
func (l *loader) kustomizations() []indexed {
	var out []indexed
	for _, rel := range l.repo.files {
		if !isManifest(rel) {
			continue
		}
		if file := l.repo.parse(rel); file != nil {
			each(file, func(doc *yamledit.Document, object map[string]any) {
				if isKustomization(object) && nested(object, "spec", "sourceRef") != nil {
					out = append(out, indexed{rel, doc, object})
				}
			})
		}
	}
	return out
}

// each calls f for every object of a file, those in Lists included.
func each(file *yamledit.File, f func(*yamledit.Document, map[string]any)) {
	var visit func(doc *yamledit.Document)
	visit = func(doc *yamledit.Document) {
		object, err := doc.Object()
		if err != nil || object == nil {
			return
		}
		if isList(object) {
			for _, item := range doc.Each("items") {
				visit(item)
			}
			return
		}
		f(doc, object)
	}
	for _, doc := range file.Documents {
		visit(doc)
	}
}

// isList tells whether an object only holds others: kustomize takes any kind
// that ends in List for one, if it has items.
func isList(object map[string]any) bool {
	kind, _ := object["kind"].(string)
	_, items := object["items"].([]any)
	return items && strings.HasSuffix(kind, "List")
}

// follow resolves clusters and takes over what they give. What one has taken for
// applied by hand may turn out to be applied to another.
func (l *loader) follow(ctx context.Context, clusters ...*cluster) error {
	open := clusters
	for len(open) > 0 {
		for _, c := range open {
			if l.opts.Progress != nil {
				l.opts.Progress("building cluster " + c.name)
			}
			if err := c.resolve(ctx); err != nil {
				return err
			}
		}
		open = slices.DeleteFunc(slices.Clone(clusters), func(c *cluster) bool { return !c.outdated() })
	}
	for _, c := range clusters {
		l.take(c)
	}
	return nil
}

// take takes over what a cluster gives.
func (l *loader) take(c *cluster) {
	for _, u := range c.failed {
		if l.asked(u.File) || l.asked(l.repo.name(c.dir)) {
			l.undetermined(u)
		}
	}
	l.releases(c)
}

// wanted tells whether a cluster was asked for. What belongs to none was not,
// if any was.
func (l *loader) wanted(cluster string) bool {
	return len(l.opts.Clusters) == 0 || slices.ContainsFunc(l.opts.Clusters, func(glob string) bool {
		return doublestar.MatchUnvalidated(glob, cluster)
	})
}
