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

// unsupplied says what an object cannot do without and a change takes away; "" if there is nothing. What the tree never
// applied may be made by hand, or by a controller.
func (w *waiting) unsupplied(of need, obj map[string]any) string {
	if w.base == nil {
		return ""
	}
	was, _ := w.before(of)
	former, now := suppliesOf(of.cluster, was.object), suppliesOf(of.cluster, obj)
	for _, s := range now {
		kind, name, _ := strings.Cut(s.key, "/")
		replaces := func(f supplied) bool {
			return f.field == s.field && strings.HasPrefix(f.key, kind+"/") && !slices.Contains(now, f) && w.had(f.need)
		}
		_, there := w.objects.of(s.cluster, s.key)
		isNew := !slices.Contains(former, s)
		if there || w.unread(s.need) || !w.loses(s.need) && !(isNew && slices.ContainsFunc(former, replaces)) {
			continue
		}
		w.open[of] = !w.whole
		return fmt.Sprintf("needs %s %s (%s), which nothing in the tree applies to this cluster: until something does, %s", kind, name, s.field, effects[object.String(obj, "kind")])
	}
	return ""
}

// had reports whether the tree applied an object before a change.
func (w *waiting) had(n need) bool {
	_, had := w.base.objects.first(n.cluster, n.key)
	return had
}

// loses reports whether a change takes an object away: whoever applied it does so no more. One that cannot be built leaves
// all as it is.
func (w *waiting) loses(n need) bool {
	was, had := w.base.objects.first(n.cluster, n.key)
	if !had || was.by == nil {
		return false
	}
	id := w.base.id(was.by)
	return w.applied[id] == nil || w.built[id]
}
