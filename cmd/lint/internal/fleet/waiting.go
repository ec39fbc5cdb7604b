package fleet

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// waiting says which objects of a cluster Flux leaves as they are, because what they depend on is not there, never
// was ready, or waits itself.
type waiting struct {
	*trail
	flux   *flux
	base   *trail                          // the cluster before a change; nil if there is none
	former map[need]*entries.Kustomization // those of the base, once one is asked for
	whole  bool
	skims  bool                              // releases are left out
	byName map[string]*entries.Kustomization // those of the cluster itself
	// why says which dependency an object waits for forever; empty if there is none.
	why map[need]string
	// open are the objects that wait for what may be there all the same.
	open map[need]bool
	// supplies and sourced are what [waiting.relied] returns, once it is asked.
	supplies map[need]bool
	sourced  bool
	made     map[need]bool // what [waiting.makes] has answered
	awaited  map[need]bool // what [waiting.named] returns true for, once it is asked
}

// delayed is an object that waits forever.
type delayed struct {
	applied
	why, advice string
}

// effects say what a dependency that is not ready keeps from happening, by the kind of what depends on it.
// Sources: checkDependencies of kustomize-controller, helm-controller and flux-operator.
var effects = map[string]string{
	"Kustomization": "Flux applies nothing of it", "HelmRelease": "it is neither installed nor upgraded", "ResourceSet": "Flux applies nothing of it",
}

// failWaiting says which objects wait forever. What is not there is only known to be missing in a cluster that the
// tree describes and shows all of, and what was never ready only in a change. What the tree does not show may apply
// what is missing elsewhere: that is advice, as the reason is what is accepted, and stays when less or more is known.
func failWaiting(now *pass, before *trail) {
	for _, d := range waitingIn(now, before) {
		if object.IsKustomization(d.object) {
			now.failShown(d.by, d.why)
		} else {
			now.undetermined(d.by, d.object, d.why)
		}
		last := &now.failed[len(now.failed)-1]
		last.Shown, last.Advice = true, d.advice
	}
}

// waitingIn returns the objects that wait forever: first the Kustomizations.
func waitingIn(now *pass, before *trail) []delayed {
	w := waiting{trail: now.trail, flux: now.flux, base: before, whole: now.whole(), skims: now.skims, byName: map[string]*entries.Kustomization{}, why: map[need]string{}, open: map[need]bool{}, made: map[need]bool{}}
	for _, k := range now.applied {
		if now.cluster.Host(k) == now.cluster.Name {
			w.byName[k.FullName()] = k
		}
	}
	var out []delayed
	add := func(a applied, n need) {
		d := delayed{applied: a, why: w.reason(n)}
		if w.open[n] {
			d.advice = "what the tree does not show may apply it"
		}
		if d.why != "" {
			out = append(out, d)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(w.byName)) {
		add(applied{object: w.byName[name].Object, by: w.byName[name]}, need{now.cluster.Name, "Kustomization/" + name})
	}
	for _, cluster := range slices.Sorted(maps.Keys(now.objects)) {
		for _, key := range slices.Sorted(maps.Keys(now.objects[cluster])) {
			kind, _, _ := strings.Cut(key, "/")
			if a := now.objects[cluster][key][0]; effects[kind] != "" && kind != "Kustomization" && a.by != nil {
				add(a, need{cluster, key})
			}
		}
	}
	return out
}

// find returns an object of the cluster, and reports whether the tree applies one.
func (w *waiting) find(n need) (applied, bool) {
	if name, is := strings.CutPrefix(n.key, "Kustomization/"); is && n.cluster == w.cluster.Name {
		return w.kustomization(w.byName[name])
	}
	return w.objects.of(n.cluster, n.key)
}

// before returns an object as it was before a change, and reports whether it was there.
func (w *waiting) before(n need) (applied, bool) {
	if w.base == nil {
		return applied{}, false
	}
	if strings.HasPrefix(n.key, "Kustomization/") {
		if w.former == nil {
			w.former = map[need]*entries.Kustomization{}
			for _, k := range w.base.applied {
				w.former[need{w.base.cluster.Host(k), "Kustomization/" + k.FullName()}] = k
			}
		}
		if k := w.former[n]; k != nil {
			was := waiting{trail: w.base}
			return was.kustomization(k)
		}
	}
	return w.base.objects.of(n.cluster, n.key)
}

// kustomization returns a Kustomization as an object; false if there is none.
func (w *waiting) kustomization(k *entries.Kustomization) (applied, bool) {
	if k == nil {
		return applied{}, false
	}
	a := applied{object: k.Object, skipped: k.Skipped}
	if a.skipped == "" && !k.Folder {
		a.skipped = w.idleSource(w.cluster.Host(k), sources.Ref(k.Object))
	}
	return a, true
}

// reason says which dependency an object waits for forever; empty if there is none. What is suspended waits for
// none, and may have been ready before. Circles of HelmReleases are no matter of what is applied.
func (w *waiting) reason(n need) string {
	if why, known := w.why[n]; known {
		return why
	}
	found, there := w.find(n)
	kind := object.String(found.object, "kind")
	if kind != "HelmRelease" {
		w.why[n] = "waits for itself" // if it is met again before the reason is known
	} else {
		w.why[n] = ""
	}
	why := ""
	if there && found.skipped == "" && presence.Idle(found.object) == "" {
		why = cmp.Or(w.flux.denied(n.cluster, found.object), w.unsupplied(n, found.object), w.unchecked(n))
	}
	all, _ := object.At(found.object, "spec", "dependsOn").([]any)
	for i := 0; there && i < len(all) && why == "" && presence.Idle(found.object) == ""; i++ {
		why = w.unready(n, kind, all[i], found.object)
	}
	w.why[n] = why
	return why
}

// near names a Kustomization whose name is nearly another one, or the same in another namespace; empty if none is.
func (w *waiting) near(name string) string {
	for _, known := range slices.Sorted(maps.Keys(w.byName)) {
		if path.Base(known) == path.Base(name) || levenshtein.ComputeDistance(known, name) <= 2 {
			return fmt.Sprintf(" (did you mean %s?)", known)
		}
	}
	return ""
}

// unready returns what is wrong with a dependency of an object. One with an expression for its readiness may be
// ready before it is applied, and a ResourceSet may ask for nothing but that it is there.
func (w *waiting) unready(of need, kind string, item any, owner map[string]any) string {
	n := w.names(of, owner, item)
	onKind, name, _ := strings.Cut(n.key, "/")
	if variables.Use().MatchString(n.key) || effects[onKind] == "" {
		return ""
	}
	text := fmt.Sprintf("waits for %s %s (dependsOn), which ", onKind, name)
	asks := object.String(item, "readyExpr") == "" && (kind != "ResourceSet" || object.At(item, "ready") == true)
	found, there := w.find(n)
	switch never := w.never(of, n, found, asks); {
	case !there && kind != "HelmRelease" && w.misses(n): // of HelmReleases a rule says it
		w.open[of] = !w.whole
		return text + "nothing in the tree applies to this cluster" + w.near(name) + ": until something does, " + effects[kind]
	case there && never != "":
		return text + never + ": until it is, " + effects[kind]
	case there && asks && w.reason(n) != "" && !w.open[n]:
		return text + "never becomes ready: " + effects[kind]
	}
	return ""
}

// misses reports whether the tree would show what is not there, or showed it before a change. Where it is not known what
// else a cluster has, what a change is the first to name is missing as well, unless the tree has it elsewhere. A build that
// fails, and says so, may have it.
func (w *waiting) misses(n need) bool {
	_, was := w.before(n)
	return (was || w.described() || w.base != nil && !w.named(n) && !w.elsewhere(n)) && !w.unread(n)
}

// named reports whether something waited for an object before a change, or checked its health.
func (w *waiting) named(n need) bool {
	if w.awaited == nil {
		w.awaited = map[need]bool{}
		note := func(cluster, key string, obj map[string]any) {
			all, _ := object.At(obj, "spec", "dependsOn").([]any)
			for _, item := range all {
				w.awaited[w.names(need{cluster, key}, obj, item)] = true
			}
		}
		for _, k := range w.base.applied {
			note(w.base.cluster.Host(k), "Kustomization/", k.Object)
			checks, _ := object.At(k.Object, "spec", "healthChecks").([]any)
			for _, item := range checks {
				w.awaited[need{w.base.cluster.Target(k), variables.Unmark(sources.ReferenceOf(item, k.Object).String())}] = true
			}
		}
		for cluster := range w.base.objects {
			for _, set := range w.base.objects.ofKind(cluster, "ResourceSet") {
				note(cluster, "ResourceSet/", set)
			}
		}
	}
	return w.awaited[n]
}

// elsewhere reports whether the tree has an object that another part of the cluster may apply: it is not of the folder that
// the cluster is known by, nor of another one of a folder of clusters.
func (w *waiting) elsewhere(n need) bool {
	dir := w.dir
	if w.cluster.Named(dir) {
		dir = path.Dir(dir)
	}
	return slices.ContainsFunc(w.written(n), func(written manifests.Written) bool { return !tree.Within(dir, written.Path) })
}

// written returns the documents that may be an object's.
func (w *waiting) written(n need) []manifests.Written {
	kind, name, _ := strings.Cut(n.key, "/")
	namespace, name, _ := strings.Cut(name, "/")
	return w.index.Named(kind, namespace, name)
}

// unread reports whether a build that fails may have an object.
func (w *waiting) unread(n need) bool {
	return slices.ContainsFunc(w.written(n), func(written manifests.Written) bool {
		return slices.ContainsFunc(w.unbuilt, func(u Unbuilt) bool { return u.Files[w.index.Files.Name(written.Path)] })
	})
}

// never says of a dependency that Flux does nothing with why it may never have been ready or, if nobody asks for
// that, why it is not there: before a change it was not either.
func (w *waiting) never(of, n need, found applied, asks bool) string {
	text := off(found, asks)
	if w.base == nil || text == "" {
		return ""
	}
	was, there := w.before(n)
	owner, _ := w.before(of)
	all, _ := object.At(owner.object, "spec", "dependsOn").([]any)
	switch {
	case !there:
		return text + " and was never ready"
	case off(was, asks) != "" && !slices.ContainsFunc(all, func(item any) bool { return w.names(of, owner.object, item) == n }):
		return text + ", as it was before the change, and may never have been ready"
	}
	return ""
}

// off says that Flux does nothing with an object or, unless somebody asks whether it is ready, that it is not there.
func off(a applied, asks bool) string {
	switch {
	case a.skipped != "":
		return fmt.Sprintf("Flux does not apply (%s)", a.skipped)
	case asks && presence.Idle(a.object) != "":
		return "is suspended"
	}
	return ""
}

// names returns what an entry of dependsOn names.
func (w *waiting) names(of need, owner map[string]any, item any) need {
	on := sources.ReferenceOf(item, owner)
	if kind, _, _ := strings.Cut(of.key, "/"); kind != "ResourceSet" {
		on.Kind = kind
	}
	return need{of.cluster, variables.Unmark(on.String())}
}
