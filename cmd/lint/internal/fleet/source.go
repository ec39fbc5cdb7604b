package fleet

import (
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// origins finds the content of sources.
type origins struct {
	*lookup
	before    *origins                   // as the base of a change has it; nil if there is none
	made      map[artifact]*build.Source // nil while one is being made
	believed  map[need]bool              // sources that nothing applies, and that count all the same
	generator bool                       // an ArtifactGenerator was not found
	ahead     bool                       // a source counts before it is found, as the base of a change applies it
}

// artifact is what an ArtifactGenerator of a cluster makes under a name. A pass keeps the generators that it has found, so
// that the address of one is its own.
type artifact struct {
	cluster, name string
	generator     uintptr
}

// locate sets the source and the folder that a Kustomization builds. It returns why it
// could not, "" if it could, and whether that is because the source has no such folder.
func (o *origins) locate(k *entries.Kustomization) (reason string, missing bool) {
	where, ref := object.String(k.Object, "spec", "path"), sources.Ref(k.Object)
	if m := variables.Use().FindStringSubmatch(variables.Unmark(where + ref.String())); m != nil {
		return fmt.Sprintf("cannot be built: its path or source needs the variable %s, which is not known", m[1]), false
	}
	if k.Folder {
		return "", false
	}
	source, err := o.source(o.cluster.Host(k), ref)
	if err != nil {
		return "cannot be built: " + k.Told(err), false
	}
	dir := object.CleanPath(where)
	if source.Own {
		if !o.root.Known {
			o.root = entries.RootOf(source, o.cluster.File, dir)
		}
		source = o.sources.From(source, o.root.Dir)
	}
	if !source.IsDir(dir) {
		return fmt.Sprintf("cannot be built: path %q is not in %s%s", where, source.Name, inSubmodule(source, dir)+o.elsewhere(k, source)), true
	}
	k.Source, k.Dir = source, dir
	return "", false
}

// inSubmodule returns the end of a reason if a path is in a submodule, whose content is in
// another repository; "" if it is not.
func inSubmodule(source *build.Source, dir string) string {
	for _, module := range source.Files().Submodules() {
		if tree.Within(module, dir) {
			return ": it is in the submodule " + module + ", whose files are not here: run git submodule update --init"
		}
	}
	return ""
}

// elsewhere returns the end of a reason if a path may be in another branch than the one at hand, which nothing in the
// tree names; "" if it is not.
func (o *origins) elsewhere(k *entries.Kustomization, source *build.Source) string {
	ref := sources.Ref(k.Object)
	branch := object.String(o.nearest(o.cluster.Host(k), ref), "spec", "ref", "branch")
	if !source.Own || branch == "" || ref == o.cluster.Own || o.nearest(o.cluster.Name, o.cluster.Own) != nil {
		return ""
	}
	return fmt.Sprintf(": its source has the branch %s; if another one is checked out here, map that with --source %s=DIR", branch, ref)
}

// folderOf returns the end of a reason if a build takes the whole repository for an artifact that may hold a folder of it,
// as "flux push artifact --path" makes one; "" if it does not.
func folderOf(k *entries.Kustomization) string {
	ref := sources.Ref(k.Object)
	if !k.Source.Own || k.Dir != "" || ref.Kind != "OCIRepository" && ref.Kind != "Bucket" {
		return ""
	}
	return variables.Unmark(fmt.Sprintf("; if %s holds a folder of this repository, map that with --source %s=DIR", ref, ref))
}

// source returns the content of a Flux source, or why it is not known.
func (o *origins) source(cluster string, ref sources.Reference) (*build.Source, error) {
	obj, founded := o.believable(cluster, ref)
	files := o.sources.Mapped[ref.String()]
	self := files == nil && ref.Kind != "ExternalArtifact" && o.isSelf(cluster, ref, obj)
	if !founded && (self || files != nil) {
		return nil, fmt.Errorf("nothing in the tree applies its source %s%s", ref, o.since(cluster, ref))
	}
	if files != nil {
		source, err := o.sources.Content("source "+ref.String(), "mapped "+ref.String(), files, o.nearest(cluster, ref))
		if err != nil {
			return nil, fmt.Errorf("its source %s cannot be fetched: %w", ref, err)
		}
		return source, nil
	}
	if ref.Kind == "ExternalArtifact" {
		return o.external(cluster, ref)
	}
	if self {
		return o.repository(ref, obj)
	}
	if kind, _ := object.KindOf(ref.Kind); kind.Role != object.Source {
		return nil, fmt.Errorf("its source %s is of a kind that is %s; map it with --source %s=DIR", ref, object.MisspeltOrNewer, ref)
	}
	if obj == nil {
		return nil, fmt.Errorf("its source %s is not in the tree; map it with --source %s=DIR", ref, ref)
	}
	return nil, fmt.Errorf("its source %s (%s) is not this repository; map it with --source %s=DIR", ref, object.Address(object.String(obj, "spec", "url")), ref)
}

// since says of a source that nothing applies after a change whether something did before.
func (o *origins) since(cluster string, ref sources.Reference) string {
	if o.before != nil && o.before.object(cluster, ref.String()) != nil {
		return " since this change"
	}
	return ", and nothing took anything from there before this change"
}

// believable returns a source as the cluster has it. One that nothing applies counts as applied by
// hand, in a change as the base has it: it reports whether that used it too.
func (o *origins) believable(cluster string, ref sources.Reference) (obj map[string]any, founded bool) {
	obj = o.nearest(cluster, ref)
	n := need{cluster, ref.String()}
	if _, applied := o.known().first(cluster, n.key); applied || ref == o.cluster.Own {
		return obj, true
	}
	o.believed[n] = true
	switch {
	case !o.ofChange():
		return obj, true
	case o.before == nil:
		return obj, false
	case o.before.believed[n]:
		return o.before.nearest(cluster, ref), true
	case o.earlier == nil && o.before.object(cluster, n.key) != nil: // what it holds may apply it: the next walk knows
		o.ahead = true
		return o.before.nearest(cluster, ref), true
	}
	return obj, false
}

// missingSource names the source of a Kustomization, as KIND/NAMESPACE/NAME, if
// its content is not known; "" if it is.
func (o *origins) missingSource(k *entries.Kustomization) string {
	ref := sources.Ref(k.Object)
	if _, err := o.source(o.cluster.Host(k), ref); err == nil {
		return ""
	}
	return variables.Unmark(ref.String())
}

// repository returns the one that is read, in the revision that a source names.
func (o *origins) repository(ref sources.Reference, obj map[string]any) (*build.Source, error) {
	if ref == o.cluster.Own || !sources.OtherRevision(obj, o.nearest(o.cluster.Name, o.cluster.Own)) {
		if object.At(obj, "spec", "sparseCheckout") == nil {
			return o.index.Packed(object.String(obj, "spec", "ignore")), nil
		}
		source, err := o.sources.Content("the repository", "", o.index.Files, obj)
		if err != nil {
			return nil, fmt.Errorf("its source %s cannot be fetched: %w", ref, err)
		}
		return source, nil
	}
	source, err := o.sources.Revision(obj)
	if err != nil {
		return nil, fmt.Errorf("its source %s is another revision of this repository: %w; map it with --source %s=DIR", ref, err, ref)
	}
	return source, nil
}

// isSelf reports whether a source is the repository that is read: the one of the
// entry, one with the same URL as that or as what a FluxInstance syncs, or a Git repository that nothing in the tree
// describes, as flux bootstrap leaves it. A reference that is left to a patch
// counts as such a repository.
func (o *origins) isSelf(cluster string, ref sources.Reference, obj map[string]any) bool {
	own := o.cluster.Own
	if ref == own && (cluster == o.cluster.Name || obj == nil) || obj == nil && (ref.Kind == "GitRepository" || ref.Kind == "") {
		return true
	}
	urls := append(slices.Clone(o.urls), object.String(o.cluster.Synced(), "url"), object.String(o.nearest(o.cluster.Name, own), "spec", "url"))
	url := object.String(obj, "spec", "url")
	return url != "" && slices.ContainsFunc(urls, func(u string) bool { return object.SameRepository(u, url) })
}

// external returns the artifact that an ArtifactGenerator of a cluster makes.
func (o *origins) external(cluster string, ref sources.Reference) (*build.Source, error) {
	var source *build.Source
	var maker map[string]any
	for _, generator := range o.generators(cluster) {
		if object.Namespace(generator) != ref.Namespace {
			continue
		}
		made, err := o.generated(cluster, generator, ref.Name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("ArtifactGenerator %s: %w", object.FullName(generator), err)
		case made == nil:
		case maker != nil && object.Name(maker) != object.Name(generator):
			return nil, fmt.Errorf("ArtifactGenerators %s and %s both make its source %s", object.FullName(maker), object.FullName(generator), ref)
		default:
			source, maker = made, generator
		}
	}
	if source != nil {
		return source, nil
	}
	o.generator = true
	return nil, fmt.Errorf("no ArtifactGenerator in the tree makes its source %s", ref)
}

// generators lists the ArtifactGenerators of a cluster. If it is not known what applies the
// entries of the cluster, that may apply those beside them, too, and for leftovers any.
func (o *origins) generators(cluster string) []map[string]any {
	out := o.objects.ofKind(cluster, "ArtifactGenerator")
	beside := cluster == o.cluster.Name && o.cluster.Found == entries.UnknownApplier
	for _, w := range o.index.Generators() {
		if o.cluster.LeftOver || beside && tree.Within(o.dir, w.Path) {
			out = append(out, w.Object)
		}
	}
	return out
}

// generated returns what an ArtifactGenerator of a cluster makes under a name; nil
// if it makes nothing of that name. It is made once in a pass: in another
// cluster, and when more objects are known, the same spec may name other sources.
func (o *origins) generated(cluster string, generator map[string]any, name string) (*build.Source, error) {
	if !sources.MayMake(generator, name) {
		return nil, nil
	}
	key := artifact{cluster, name, reflect.ValueOf(generator).Pointer()}
	if made, begun := o.made[key]; begun && made == nil {
		return nil, fmt.Errorf("it makes %s of itself", name)
	} else if begun {
		return made, nil
	}
	o.made[key] = nil
	made, err := sources.Generate(o.index.Builder, generator, name, func(alias string) (*build.Source, error) {
		return o.alias(cluster, generator, alias)
	})
	if o.made[key] = made; made == nil || err != nil {
		delete(o.made, key)
	}
	return made, err
}

// alias returns the source that an ArtifactGenerator lists under an alias.
func (o *origins) alias(cluster string, generator map[string]any, alias string) (*build.Source, error) {
	list, _ := object.At(generator, "spec", "sources").([]any)
	for _, item := range list {
		if object.At(item, "alias") != alias {
			continue
		}
		source, err := o.source(cluster, sources.ReferenceOf(item, generator))
		if err == nil && source.Own {
			source = o.sources.From(source, o.root.Dir)
		}
		return source, err
	}
	return nil, errors.New("the ArtifactGenerator has no source " + alias)
}

// markUncertain records the files that a Kustomization may apply whose source or path is
// not known. Their releases are undetermined: it may patch them. It reports whether it is the source.
func (o *origins) markUncertain(k *entries.Kustomization) (outside bool) {
	_, err := o.source(o.cluster.Host(k), sources.Ref(k.Object))
	switch {
	case err != nil:
		o.markPath(k)
	case !o.idle():
		o.markPrefix(k)
	}
	return err != nil
}

// markPath records the files in the folder that spec.path names: what a source holds that
// is not in the tree is often made from the tree.
func (o *origins) markPath(k *entries.Kustomization) {
	dir, source, base := object.Path(k.Object), o.index.Packed(""), o.root
	if !base.Known {
		base = entries.RootOf(source, o.cluster.File, dir)
	}
	source = o.sources.From(source, base.Dir)
	if dir != "" && source.IsDir(dir) {
		at := *k
		at.Source, at.Dir = source, dir
		if !o.idle() {
			o.coverage.Fail(source, at.Walk(), "may be applied by Kustomization "+k.FullName()+", whose source "+sources.Ref(k.Object).String()+" is not known", true, k.Inner)
		}
	}
}

// markPrefix records the files whose paths begin with what is known of spec.path.
func (o *origins) markPrefix(k *entries.Kustomization) {
	known, _, cut := strings.Cut(variables.Unmark(object.String(k.Object, "spec", "path")), "${")
	dir := path.Dir(object.CleanPath(known + "x"))
	source, err := o.source(o.cluster.Host(k), sources.Ref(k.Object))
	if !cut || dir == "." || err != nil || !source.Own {
		return
	}
	source = o.sources.From(source, o.root.Dir)
	var names []string
	for _, name := range source.Files().Paths() {
		if own, ok := o.index.Path(source, name); ok && strings.HasPrefix(name, dir+"/") {
			names = append(names, own)
		}
	}
	o.coverage.Doubt(names, "may be applied by Kustomization "+k.FullName()+", whose path is not known")
}
