package flux

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// static reads every file once for what stands in it by itself.
func (l *loader) static() {
	l.docs = map[string][]written{}
	for _, rel := range l.repo.files {
		name := l.repo.name(rel)
		if !isManifest(rel) && !isTemplate(rel) || !l.asked(name) || hidden(rel) {
			continue
		}
		data, err := l.opts.read(filepath.Join(l.repo.abs, rel))
		if err != nil {
			l.problem(Problem{File: name, Err: bare(err)})
			continue
		}
		parse := func() (*yamledit.File, error) { return l.repo.open(rel) }
		if found := l.read(rel, name, data, parse); len(found) > 0 {
			l.docs[rel] = found
		}
	}
}

// roots follows what no entry has reached: Flux Kustomizations that nothing
// applies and the folders that hold them, outermost first, then folders with a
// kustomization.yaml that no other one names.
func (l *loader) roots(ctx context.Context, bootstrapped bool) error {
	own := l.mainSource()
	var done []*cluster
	for {
		next := l.outermost(l.unreached())
		if len(next) == 0 {
			break
		}
		for _, c := range next {
			c.own = own
			if bootstrapped {
				c.name, c.orphan = "", true
				c.root, c.rootKnown = l.root, l.root != ""
			}
		}
		if !bootstrapped {
			unique(next, done)
		}
		if err := l.follow(ctx, next...); err != nil {
			return err
		}
		done = append(done, next...)
		for _, c := range next {
			l.reached[c.file] = true // whatever came of it, it is not tried again
		}
	}
	a, reason := l.selfArtifact("")
	if reason != "" {
		return nil
	}
	for _, dir := range l.kustRoots(a) {
		if err := l.follow(ctx, l.folderCluster(a, dir, strings.TrimPrefix(dir, "."))); err != nil {
			return err
		}
	}
	return nil
}

// unreached lists the entries that remain: Flux Kustomizations no build has
// read, or the folder that lists them in its kustomization.yaml.
func (l *loader) unreached() []*cluster {
	var open []indexed
	for _, entry := range l.kustomizations() {
		if !l.reached[entry.rel] && l.broken[entry.rel] == "" && !hidden(entry.rel) && templateOf(entry.rel, l.repo.name(entry.rel), entry.doc.File.Data) == "" {
			open = append(open, entry)
		}
	}
	if len(open) == 0 {
		return nil
	}
	var out []*cluster
	held := map[string]bool{}
	if a, reason := l.selfArtifact(""); reason == "" {
		for _, dir := range l.kustRoots(a) {
			files, _ := a.closure(dir)
			if slices.ContainsFunc(open, func(e indexed) bool { return slices.Contains(files, e.rel) }) {
				out = append(out, l.holder(a, dir, files, open))
				for _, file := range files {
					held[file] = true
				}
			}
		}
	}
	byDir := map[string]*cluster{}
	for _, entry := range open {
		if held[entry.rel] {
			continue
		}
		dir := path.Dir(entry.rel)
		if c := byDir[dir]; c != nil {
			c.entries = append(c.entries, &kustomization{
				object: l.traced(entry.rel, entry.object), file: l.repo.name(entry.rel), line: entry.doc.Line,
			})
			continue
		}
		c := l.cluster(entry.rel, entry.doc, entry.object)
		c.name, c.dir, c.loose = clusterName(dir), dir, true
		byDir[dir] = c
		out = append(out, c)
	}
	return out
}

// holder gives the cluster of a folder that holds Flux Kustomizations: the one
// of a Kustomization that builds this very folder, as somebody has applied it
// by hand, or the folder itself.
func (l *loader) holder(a *artifact, dir string, files []string, open []indexed) *cluster {
	for _, entry := range open {
		where, _ := nested(entry.object, "spec", "path").(string)
		built := clean(where)
		if !slices.Contains(files, entry.rel) || built == "" {
			continue
		}
		if dir == built || strings.HasSuffix(dir, "/"+built) {
			c := l.cluster(entry.rel, entry.doc, entry.object)
			c.name, c.dir, c.loose = clusterName(dir), dir, true
			return c
		}
	}
	return l.folderCluster(a, dir, clusterName(dir))
}

// outermost picks the entries that are not below the path of another one. Of
// two that are below each other it picks the first.
func (l *loader) outermost(all []*cluster) []*cluster {
	var out []*cluster
	for i, c := range all {
		covered := false
		for j, o := range all {
			covered = covered || o != c && l.covers(o, c) && (j < i || !l.covers(c, o))
		}
		if !covered {
			out = append(out, c)
		}
	}
	return out
}

// covers tells whether a path that o builds holds the entry c.
func (l *loader) covers(o, c *cluster) bool {
	dir := path.Dir(c.file)
	return slices.ContainsFunc(o.entries, func(k *kustomization) bool {
		where, _ := nested(k.object, "spec", "path").(string)
		built := clean(where)
		if k.folder {
			built = k.dir
		}
		return built != "" && (dir == built || strings.HasPrefix(dir, built+"/") ||
			strings.HasSuffix(dir, "/"+built) || strings.Contains(dir, "/"+built+"/"))
	})
}

// folderCluster makes a cluster of a folder that is applied as it is.
func (l *loader) folderCluster(a *artifact, dir, name string) *cluster {
	k := &kustomization{
		object: map[string]any{"metadata": map[string]any{"name": dir}, "spec": map[string]any{}},
		source: a, dir: dir, folder: true, file: l.repo.name(dir), line: 1,
	}
	if kust := a.kustFileIn(dir); kust != nil {
		k.file = kust.doc.File.Name
	}
	return &cluster{l: l, name: name, file: path.Join(dir, "kustomization.yaml"), dir: dir, entries: []*kustomization{k}}
}

// kustRoots lists the folders with a kustomization.yaml that no build has read
// and no other one names, if there is a HelmRelease, a Flux Kustomization or a
// ResourceSet below.
func (l *loader) kustRoots(a *artifact) []string {
	named := map[string]bool{}
	for _, k := range a.kusts {
		for _, field := range entriesOf {
			for _, entry := range k.list(field) {
				named[k.resolve(entry)] = true
			}
		}
	}
	var out []string
	for _, name := range sortedKeys(a.kusts) {
		k, dir := a.kusts[name], path.Dir(name)
		if k.component || named[dir] || l.reached[name] || l.broken[name] != "" || hidden(name) || !l.holdsFlux(a, dir) {
			continue
		}
		out = append(out, dir)
	}
	return out
}

func (l *loader) holdsFlux(a *artifact, dir string) bool {
	files, _ := a.closure(dir)
	return slices.ContainsFunc(files, func(file string) bool {
		m := l.repo.parse(file)
		if m == nil || isKustFile(file) {
			return false
		}
		releases := mayHoldRelease(m.Data)
		if !releases && !mayTrace(m.Data) {
			return false
		}
		found := false
		each(m, func(_ *yamledit.Document, object map[string]any) {
			found = found || isFlux(object) || releases && isResourceSet(object)
		})
		return found
	})
}

// rest takes the HelmReleases that nothing has built: those of a build that
// failed are undetermined, as is what a ResourceSet would render; the others
// are as they are written. What source-controller leaves out reaches no cluster.
func (l *loader) rest() {
	a, _ := l.selfArtifact("")
	for _, rel := range sortedKeys(l.docs) {
		if l.reached[rel] || a != nil && a.from[rel] == "" {
			continue
		}
		for _, w := range l.docs[rel] {
			if reason := l.broken[rel]; reason != "" {
				l.undetermined(w.undetermined(reason))
				continue
			}
			l.asWritten(w)
		}
	}
}
