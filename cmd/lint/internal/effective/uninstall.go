package effective

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/loss"
	"github.com/flux-remedy/remedy/pkg/release"
)

// rendersFrom are the fields of spec that decide what the chart renders.
var rendersFrom = []any{"chart", "chartRef", "values", "valuesFrom", "postRenderers", "commonMetadata", "releaseName", "targetNamespace"}

// uninstalled finds what an uninstall of a release deletes, if charts are given.
func (l *loader) uninstalled(r *Release, cluster string) {
	if l.opts.Charts == nil || r.Settings == nil {
		return
	}
	target := r.Settings.Target
	q := charts.Query{Object: r.Object, Cluster: cluster, Name: target.Name, Namespace: target.Namespace}
	for _, u := range r.Unknown {
		if len(u.Path) < 2 || u.Path[0] == "spec" && slices.Contains(rendersFrom, u.Path[1]) {
			q.Unknown = fmt.Sprintf("what its chart renders is not known: %s", u.Reason)
		}
	}
	found := r.cluster
	q.Content = func(kind, namespace, name string) (fs.FS, error) {
		if found == nil {
			return nil, errors.New("nothing in the tree applies the release")
		}
		return found.Content(cluster, kind, namespace, name)
	}
	q.Find = func(kind, namespace, name string) map[string]any {
		if found == nil {
			return nil
		}
		return found.Object(cluster, kind+"/"+namespace+"/"+name)
	}
	secrets := slices.Clone(l.secrets)
	q.Secret = func(text string) { secrets = append(secrets, transformed(text)...) }
	supplied := l.secrets.Forms()
	q.Instead = variables.FromSecret
	q.Holds = func(text string) bool { return supplied.Mask(text) != text }
	rendered, doubt := l.opts.Charts.Release(q)
	secrets = secrets.Forms()
	r.LossUnknown = secrets.Mask(doubt)
	if rendered == nil {
		return
	}
	r.contents = &contents{rendered.Release, secrets, nil}
	if rendered.Other != nil {
		r.contents.public = public(r.Uninstalled(*rendered.Other))
	}
	r.Loss = r.Uninstalled(rendered.Release)
	r.contents.mask(r.Loss.Gone)
	r.contents.mask(r.Loss.Kept)
}

// public returns the words of a loss, and those of the kinds that hold data.
func public(l *loss.Loss) charts.Words {
	texts := loss.Kinds()
	l.Each(func(f *loss.Fate) { texts = append(texts, f.Group, f.Kind, f.Namespace, f.Name, f.Size, f.Note) })
	return charts.WordsOf(texts...)
}

// transformed returns a text with the forms that templates often write it in.
func transformed(text string) []string {
	return []string{text, strings.ToLower(text), strings.ToUpper(text), base64.StdEncoding.EncodeToString([]byte(text))}
}

// key is that of the object of a release.
type key struct{ cluster, namespace, name string }

func (t *Tree) byKey() map[key]*Release {
	out := map[key]*Release{}
	for _, r := range t.Releases {
		out[key{r.Cluster, r.Namespace, r.Name}] = r
	}
	return out
}

// Former is what a release was. Alike reports whether only its settings tell, and not surely.
type Former struct {
	*Release
	Alike bool
}

// Loses notes for each release what the change from another tree uninstalls, or drops of what holds
// data, given what those were that have another name. It reports whether there is anything. Of those that are
// gone it notes in the base which of them Flux uninstalls.
func (t *Tree) Loses(base *Tree, former map[*Release]Former) bool {
	before, now := base.byKey(), t.byKey()
	any, replaced := false, map[*Release]bool{}
	for _, r := range t.Releases {
		was := before[key{r.Cluster, r.Namespace, r.Name}]
		if other := former[r]; was == nil && other.Release != nil && other.Cluster == r.Cluster && now[key{other.Cluster, other.Namespace, other.Name}] == nil && other.pruned() {
			was, r.Resembles = other.Release, other.Alike
		}
		if was == nil || was.Settings == nil || r.Settings == nil {
			continue
		}
		replaced[was] = !r.Resembles
		any = replaces(r, was) || drops(r, was) || any
	}
	clusters := t.clusterOf()
	for _, was := range base.Releases {
		if now[key{was.Cluster, was.Namespace, was.Name}] == nil && !replaced[was] && was.cluster != nil && was.pruned() {
			is := clusters(was.cluster.Cluster)
			was.Removed = is != nil && is.Removes(was.cluster, was.chain[0], was.Object)
		}
	}
	return any
}

// pruned reports whether Flux uninstalls a release when it is in the tree no more, and not left behind: it has
// applied the object, which is not suspended.
func (r *Release) pruned() bool {
	return len(r.chain) > 0 && !r.chain[0].Folder && object.At(r.Object, "spec", "suspend") != true
}

// replaces notes a release that has another name, target or chart in the base: the update uninstalls that.
func replaces(r, was *Release) bool {
	if r.Pruning = r.pruning(was); r.Pruning == nil && was.Namespace == r.Namespace && was.Name == r.Name && was.Settings.Target == r.Settings.Target && release.ChartName(was.Object) == release.ChartName(r.Object) && !renamed(r, was) {
		return false
	}
	r.Release.Replaces(was.Object)
	r.Replaced = was.Release
	r.secrets = slices.Concat(r.secrets, was.secrets).Forms()
	if was.contents != nil && was.contents.Given { // for what is in the tree now
		r.Replaced = &release.Release{Namespace: was.Namespace, Name: was.Name, LossUnknown: "what is rendered is not of the chart that is replaced"}
	}
	return true
}

// namespaces are those of its cluster whose deletion uninstalls it, or deletes what it has installed.
func (r *Release) namespaces() []string {
	target := r.Settings.Target.Namespace
	switch {
	case object.At(r.Object, "spec", "kubeConfig") != nil: // the target is in another cluster
		return []string{r.Namespace}
	case object.At(r.Object, "spec", "suspend") == true: // it is deleted without an uninstall
		return []string{target}
	}
	return []string{r.Namespace, target}
}

// pruning says what deletes a release that another Kustomization applied in the base, or a namespace of it that something
// applied there; nil if nothing does.
func (r *Release) pruning(was *Release) *release.Pruning {
	for _, name := range r.namespaces() {
		if slices.Contains(was.namespaces(), name) && r.cluster != nil && was.cluster != nil {
			if out := r.cluster.PrunesNamespace(was.cluster, r.Cluster, name); out != nil {
				return out
			}
		}
	}
	if r.Name != was.Name || r.Namespace != was.Namespace || len(r.chain) == 0 || !was.pruned() {
		return nil
	}
	return r.cluster.Pruned(was.cluster, was.chain[0], r.chain[0], was.Object)
}

// renamed reports whether the charts of a release are at hand and have different names.
func renamed(r, was *Release) bool {
	if r.contents == nil || was.contents == nil || r.contents.Given || was.contents.Given {
		return false
	}
	before, _, _ := strings.Cut(was.contents.Chart, " ")
	now, _, _ := strings.Cut(r.contents.Chart, " ")
	return before != now
}

// drops notes what holds data in the chart of the base, and is not in this one.
func drops(r, was *Release) bool {
	if r.Loss == nil || was.contents == nil || reflect.DeepEqual(was.contents.Release, r.contents.Release) {
		return false
	}
	r.Loss.Dropped = loss.Dropped(was.contents.Release, r.contents.Release)
	was.contents.mask(r.Loss.Dropped)
	return len(r.Loss.Dropped) > 0
}
