package fleet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// supplied is what an object cannot do without, by the field that names it.
type supplied struct {
	need
	field string
}

// isChart reports whether it holds the chart of a release.
func (s supplied) isChart() bool { return s.field == "chartRef" || s.field == "sourceRef" }

// suppliesOf lists what an object cannot do without: the controller fails with it as long as one of them is not there.
// Sources: LoadVariables of github.com/fluxcd/pkg/kustomize, composeValues and getSource of helm-controller.
func suppliesOf(cluster string, obj map[string]any) []supplied {
	var out []supplied
	add := func(field string, ref sources.Reference, optional bool) {
		key := variables.Unmark(ref.String())
		if _, known := object.KindOf(ref.Kind); known && !optional && ref.Name != "" && !variables.Use().MatchString(key) {
			out = append(out, supplied{need{cluster, key}, field})
		}
	}
	if object.IsKustomization(obj) {
		for _, r := range variables.References(obj) {
			add("substituteFrom", sources.Reference{Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}, r.Optional)
		}
	}
	if !object.IsHelmRelease(obj) {
		return out
	}
	from, _ := object.At(obj, "spec", "valuesFrom").([]any)
	for _, item := range from {
		add("valuesFrom", sources.Reference{Kind: object.String(item, "kind"), Namespace: object.Namespace(obj), Name: object.String(item, "name")}, object.At(item, "optional") == true)
	}
	if ref := object.At(obj, "spec", "chartRef"); ref != nil {
		add("chartRef", sources.ReferenceOf(ref, obj), false)
	} else if ref := object.At(obj, "spec", "chart", "spec", "sourceRef"); ref != nil {
		add("sourceRef", sources.ReferenceOf(ref, obj), false)
	}
	return out
}

// unsupplied says what an object cannot do without and a change takes away, or names anew; "" if there is nothing. What the
// tree never applied may be made by hand, or by a controller: of a new name it is only known that nothing does where the tree
// applied what it stands for, or all sources of charts. What a custom resource may make is not missing.
func (w *waiting) unsupplied(of need, obj map[string]any) string {
	if w.base == nil || w.skims && object.IsHelmRelease(obj) {
		return ""
	}
	was, _ := w.before(of)
	former, now := suppliesOf(of.cluster, was.object), suppliesOf(of.cluster, obj)
	for _, s := range now {
		kind, name, _ := strings.Cut(s.key, "/")
		replaces := func(f supplied) bool {
			_, had := w.had(f.need)
			return had && f.field == s.field && strings.HasPrefix(f.key, kind+"/") && !slices.Contains(now, f)
		}
		misses := func() bool {
			relied, sourced := w.relied()
			_, known := relied[s.need]
			return !known && (slices.ContainsFunc(former, replaces) || s.isChart() && w.whole && sourced)
		}
		if _, there := w.objects.of(s.cluster, s.key); !there && !w.unread(s.need) && (w.loses(s.need) || misses()) && !w.makes(s.need) {
			w.open[of] = !w.whole
			return fmt.Sprintf("needs %s %s (%s), which nothing in the tree applies to this cluster: until something does, %s", kind, name, s.field, effects[object.String(obj, "kind")])
		}
	}
	return ""
}

// relied returns what objects could not do without before a change, and reports whether the tree applied the sources of all
// charts among that.
func (w *waiting) relied() (all map[need]bool, sourced bool) {
	if w.supplies == nil {
		w.supplies = map[need]bool{}
		for _, k := range w.base.applied {
			for _, s := range suppliesOf(w.base.cluster.Host(k), k.Object) {
				w.supplies[s.need] = s.isChart()
			}
		}
		for _, a := range w.base.releases {
			for _, s := range suppliesOf(w.base.cluster.Target(a.By), a.Object) {
				w.supplies[s.need] = s.isChart()
			}
		}
		for n, isChart := range w.supplies {
			if _, had := w.had(n); isChart && !had {
				w.sourced = false
				break
			}
			w.sourced = w.sourced || isChart
		}
	}
	return w.supplies, w.sourced
}

// had returns an object that the tree applied before a change, and reports whether there was one.
func (w *waiting) had(n need) (applied, bool) { return w.base.objects.first(n.cluster, n.key) }

// makes reports whether something that a change adds may make a ConfigMap or Secret which the tree applied before, or
// something in the tree may make another one.
func (w *waiting) makes(n need) bool {
	if known, asked := w.made[n]; asked {
		return known
	}
	former := map[string]bool{}
	if _, had := w.had(n); had {
		former = w.base.makersOf(n)
	}
	for maker := range w.makersOf(n) {
		w.made[n] = w.made[n] || !former[maker]
	}
	return w.made[n]
}

// loses reports whether a change takes an object away: whoever applied it does so no more. One that cannot be built leaves
// all as it is.
func (w *waiting) loses(n need) bool {
	was, had := w.had(n)
	return had && was.by != nil && (w.applied[w.base.id(was.by)] == nil || w.built[w.base.id(was.by)])
}

// unchecked says the health of which object a Kustomization checks that is not there, while others wait for it; "" if all
// are. What a rule says, with the releases that the Kustomization applies, is left to it. What was not there before either may be
// of a ResourceSet that is not rendered.
func (w *waiting) unchecked(of need) string {
	name, _ := strings.CutPrefix(of.key, "Kustomization/")
	k := w.byName[name]
	told := func() bool {
		return w.whole && w.cluster.Target(k) == of.cluster && slices.ContainsFunc(w.releases, func(a Applied) bool { return a.By == k && a.Template == nil })
	}
	if k == nil || of.cluster != w.cluster.Name || w.skims || object.At(k.Object, "spec", "wait") == true {
		return ""
	}
	all, _ := object.At(k.Object, "spec", "healthChecks").([]any)
	if len(all) == 0 || !w.depended(name) || told() {
		return ""
	}
	for _, check := range all {
		ref := sources.ReferenceOf(check, k.Object)
		n := need{w.cluster.Target(k), variables.Unmark(ref.String())}
		checked := map[string]any{"kind": ref.Kind, "apiVersion": object.String(check, "apiVersion")}
		_, was := w.before(n)
		if _, there := w.find(n); !there && (was || !w.mayRender) && object.IsTraced(checked) && !variables.Use().MatchString(n.key) && w.misses(n) {
			w.open[of] = !w.whole
			return fmt.Sprintf("checks the health of %s, which nothing in the tree applies to this cluster: until something does, it does not become ready", strings.Replace(n.key, "/", " ", 1))
		}
	}
	return ""
}

// depended reports whether a Kustomization of the cluster depends on another one by its name.
func (w *waiting) depended(name string) bool {
	for _, k := range w.byName {
		on, _ := object.At(k.Object, "spec", "dependsOn").([]any)
		if slices.ContainsFunc(on, func(item any) bool {
			ref := sources.ReferenceOf(item, k.Object)
			return ref.Namespace+"/"+ref.Name == name
		}) {
			return true
		}
	}
	return false
}
