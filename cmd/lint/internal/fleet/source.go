package fleet

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// locate sets the source and the folder that a Kustomization builds. It returns why it
// could not; "" if it could.
func (l *lookup) locate(k *entries.Kustomization) string {
	where, ref := object.String(k.Object, "spec", "path"), sources.Ref(k.Object)
	if m := build.VariableUse().FindStringSubmatch(build.Unmark(where + ref.String())); m != nil {
		return fmt.Sprintf("cannot be built: its path or source needs the variable %s, which is not known", m[1])
	}
	if k.Folder {
		return ""
	}
	source, err := l.source(l.cluster.Host(k), ref)
	if err != nil {
		return "cannot be built: " + k.Told(err)
	}
	dir := object.CleanPath(where)
	if source.Own {
		if !l.root.Known {
			l.root = entries.RootOf(source, l.cluster.File, dir)
		}
		source = l.sources.From(source, l.root.Dir)
	}
	if !source.IsDir(dir) {
		return fmt.Sprintf("cannot be built: path %q is not in %s%s", where, source.Name, inSubmodule(source, dir))
	}
	k.Source, k.Dir = source, dir
	return ""
}

// inSubmodule returns the end of a reason if a path is in a submodule, whose content is in
// another repository; "" if it is not.
func inSubmodule(source *build.Source, dir string) string {
	for _, module := range source.Files().Submodules() {
		if tree.Within(module, dir) {
			return ": it is in the submodule " + module
		}
	}
	return ""
}

// source returns the content of a Flux source, or why it is not known.
func (l *lookup) source(cluster string, ref sources.Reference) (*build.Source, error) {
	if files := l.sources.Mapped[ref.String()]; files != nil {
		source, err := l.sources.Content("source "+ref.String(), "mapped "+ref.String(), files, l.nearest(cluster, ref))
		if err != nil {
			return nil, fmt.Errorf("its source %s cannot be fetched: %w", ref, err)
		}
		return source, nil
	}
	if ref.Kind == "ExternalArtifact" {
		return l.external(cluster, ref)
	}
	obj, founded := l.believable(cluster, ref)
	if self := l.isSelf(cluster, ref, obj); self && !founded {
		return nil, fmt.Errorf("nothing in the tree applies its source %s, and nothing took anything from there before this change", ref)
	} else if self {
		return l.self(ref, obj)
	}
	if kind, _ := object.KindOf(ref.Kind); kind.Role != object.Source {
		return nil, fmt.Errorf("its source %s is of a kind that is %s; map it with --source %s=DIR", ref, object.MisspeltOrNewer, ref)
	}
	if obj == nil {
		return nil, fmt.Errorf("its source %s is not in the tree; map it with --source %s=DIR", ref, ref)
	}
	return nil, fmt.Errorf("its source %s (%s) is not this repository; map it with --source %s=DIR", ref, object.String(obj, "spec", "url"), ref)
}

// believable returns a source as the cluster has it. One that nothing applies counts as applied by
// hand, in a change as the base has it: it reports whether that used it too.
func (l *lookup) believable(cluster string, ref sources.Reference) (obj map[string]any, founded bool) {
	obj = l.nearest(cluster, ref)
	n := need{cluster, ref.String()}
	if ref == l.cluster.Own || l.object(cluster, n.key) != nil {
		return obj, true
	}
	l.believed[n] = true
	switch {
	case !l.ofChange():
		return obj, true
	case l.before == nil || !l.before.believed[n]:
		return obj, false
	}
	return l.before.nearest(cluster, ref), true
}

// missingSource names the source of a Kustomization, as KIND/NAMESPACE/NAME, if
// its content is not known; "" if it is.
func (l *lookup) missingSource(k *entries.Kustomization) string {
	ref := sources.Ref(k.Object)
	if _, err := l.source(l.cluster.Host(k), ref); err == nil {
		return ""
	}
	return build.Unmark(ref.String())
}

// self returns the repository that is read, in the revision that a source names.
func (l *lookup) self(ref sources.Reference, obj map[string]any) (*build.Source, error) {
	if ref == l.cluster.Own || !sources.OtherRevision(obj, l.nearest(l.cluster.Name, l.cluster.Own)) {
		if object.At(obj, "spec", "sparseCheckout") == nil {
			return l.index.Packed(object.String(obj, "spec", "ignore")), nil
		}
		source, err := l.sources.Content("the repository", "", l.index.Files, obj)
		if err != nil {
			return nil, fmt.Errorf("its source %s cannot be fetched: %w", ref, err)
		}
		return source, nil
	}
	source, err := l.sources.Revision(obj)
	if err != nil {
		return nil, fmt.Errorf("its source %s is another revision of this repository: %w; map it with --source %s=DIR", ref, err, ref)
	}
	return source, nil
}

// isSelf reports whether a source is the repository that is read: the one of the
// entry, one with the same URL, or a Git repository that nothing in the tree
// describes, as flux bootstrap leaves it. A reference that is left to a patch
// counts as such a repository.
func (l *lookup) isSelf(cluster string, ref sources.Reference, obj map[string]any) bool {
	own := l.cluster.Own
	if ref == own && (cluster == l.cluster.Name || obj == nil) || obj == nil && (ref.Kind == "GitRepository" || ref.Kind == "") {
		return true
	}
	urls := l.urls
	if url, ok := object.At(l.nearest(l.cluster.Name, own), "spec", "url").(string); ok {
		urls = append(slices.Clone(urls), url)
	}
	url := object.String(obj, "spec", "url")
	return url != "" && slices.ContainsFunc(urls, func(u string) bool { return object.SameRepository(u, url) })
}

// external returns the artifact that an ArtifactGenerator of a cluster makes.
func (l *lookup) external(cluster string, ref sources.Reference) (*build.Source, error) {
	for _, generator := range l.generators(cluster) {
		if object.Namespace(generator) != ref.Namespace {
			continue
		}
		made, err := l.generated(cluster, generator, ref.Name)
		if err != nil {
			return nil, fmt.Errorf("ArtifactGenerator %s: %w", object.FullName(generator), err)
		}
		if made != nil {
			return made, nil
		}
	}
	l.generator = true
	return nil, fmt.Errorf("no ArtifactGenerator in the tree makes its source %s", ref)
}

// generators lists the ArtifactGenerators of a cluster. If it is not known what applies the
// entries of the cluster, that may apply those beside them, too, and for leftovers any.
func (l *lookup) generators(cluster string) []map[string]any {
	out := l.objects.ofKind(cluster, "ArtifactGenerator")
	beside := cluster == l.cluster.Name && l.cluster.Found == entries.UnknownApplier
	for _, w := range l.index.Generators() {
		if l.cluster.LeftOver || beside && tree.Within(l.dir, w.Path) {
			out = append(out, w.Object)
		}
	}
	return out
}

// generated returns what an ArtifactGenerator of a cluster makes under a name; nil
// if it makes nothing of that name. It is made once in a pass: in another
// cluster, and when more objects are known, the same spec may name other sources.
func (l *lookup) generated(cluster string, generator map[string]any, name string) (*build.Source, error) {
	key := need{cluster, fmt.Sprintf("%s %s %v", name, object.FullName(generator), generator["spec"])}
	if made, begun := l.made[key]; begun && made == nil {
		return nil, fmt.Errorf("it makes %s of itself", name)
	} else if begun {
		return made, nil
	}
	l.made[key] = nil
	made, err := sources.Generate(l.index.Builder, generator, name, func(alias string) (*build.Source, error) {
		return l.alias(cluster, generator, alias)
	})
	if l.made[key] = made; made == nil || err != nil {
		delete(l.made, key)
	}
	return made, err
}

// alias returns the source that an ArtifactGenerator lists under an alias.
func (l *lookup) alias(cluster string, generator map[string]any, alias string) (*build.Source, error) {
	list, _ := object.At(generator, "spec", "sources").([]any)
	for _, item := range list {
		if object.At(item, "alias") != alias {
			continue
		}
		source, err := l.source(cluster, sources.ReferenceOf(item, generator))
		if err == nil && source.Own {
			source = l.sources.From(source, l.root.Dir)
		}
		return source, err
	}
	return nil, errors.New("the ArtifactGenerator has no source " + alias)
}

// idle reports whether nothing applies the cluster's entries and nobody asks for them:
// what they fail to build is not missing anywhere.
func (l *lookup) idle() bool { return l.cluster.LeftOver && !l.leftovers }

// broken records the files of a Kustomization that fails.
func (l *lookup) broken(k *entries.Kustomization, reason string) {
	if !l.idle() {
		l.coverage.Fail(k.Source, k.Walk(), reason, k.Inner)
	}
}

// markUncertain records the files that a Kustomization may apply whose source or path is
// not known. Their releases are undetermined: it may patch them.
func (p *pass) markUncertain(k *entries.Kustomization) {
	_, err := p.source(p.cluster.Host(k), sources.Ref(k.Object))
	switch {
	case err != nil:
		p.entered = true
		p.markPath(k)
	case !p.idle():
		p.markPrefix(k)
	}
}

// markPath records the files in the folder that spec.path names: what a source holds that
// is not in the tree is often made from the tree.
func (l *lookup) markPath(k *entries.Kustomization) {
	dir, source, base := object.Path(k.Object), l.index.Packed(""), l.root
	if !base.Known {
		base = entries.RootOf(source, l.cluster.File, dir)
	}
	source = l.sources.From(source, base.Dir)
	if dir != "" && source.IsDir(dir) {
		at := *k
		at.Source, at.Dir = source, dir
		l.broken(&at, "may be applied by Kustomization "+k.FullName()+", whose source "+sources.Ref(k.Object).String()+" is not known")
	}
}

// markPrefix records the files whose paths begin with what is known of spec.path.
func (l *lookup) markPrefix(k *entries.Kustomization) {
	known, _, cut := strings.Cut(build.Unmark(object.String(k.Object, "spec", "path")), "${")
	dir := path.Dir(object.CleanPath(known + "x"))
	source, err := l.source(l.cluster.Host(k), sources.Ref(k.Object))
	if !cut || dir == "." || err != nil || !source.Own {
		return
	}
	source = l.sources.From(source, l.root.Dir)
	var names []string
	for _, name := range source.Files().Paths() {
		if own, ok := l.index.Path(source, name); ok && strings.HasPrefix(name, dir+"/") {
			names = append(names, own)
		}
	}
	l.coverage.Doubt(names, "may be applied by Kustomization "+k.FullName()+", whose path is not known")
}
