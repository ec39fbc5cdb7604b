package fleet

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// order says in which order the Kustomizations of a cluster come to a commit, whether or not Flux has applied by then what
// the commit changes of them.
//
// One that depends on another one of its source applies a commit only once that is ready and has come to it, which it has
// once it has applied and pruned everything and all that it checks the health of is ready. Of a Kustomization that it checks,
// it sees that this is ready, but not at which commit: it surely is at this one only if the commit adds it, or changes its
// spec, which is a generation that has to be observed.
// Sources: checkDependencies and reconcile in kustomization_controller.go of kustomize-controller; docs/wave.md.
type order struct {
	now, before map[string]*entries.Kustomization // by namespace/name
	applied     map[string][]string               // what each applies
	needed      *cores.Once[string, []string]     // see needs
}

// comparedTo is what the order of a cluster is told from others by.
type comparedTo struct {
	before  *Resolved
	cluster string
}

// orderIn returns the order in a cluster, which is made once for all that a change moves there.
func (r *Resolved) orderIn(cluster string, before *Resolved) order {
	return r.orders.Of(comparedTo{before, cluster}, func() order { return r.orderOf(cluster, before) })
}

func (r *Resolved) orderOf(cluster string, before *Resolved) order {
	o := order{map[string]*entries.Kustomization{}, map[string]*entries.Kustomization{}, map[string][]string{}, &cores.Once[string, []string]{}}
	for _, k := range r.Kustomizations(cluster) {
		o.now[k.FullName()] = k
		if k.Parent != nil {
			o.applied[k.Parent.FullName()] = append(o.applied[k.Parent.FullName()], k.FullName())
		}
	}
	for _, k := range before.Kustomizations(cluster) {
		o.before[k.FullName()] = k
	}
	return o
}

// follows reports whether a Kustomization comes to a commit only after another one has.
func (o order) follows(name, other string) bool {
	met := map[string]bool{}
	for queue := []string{name}; len(queue) > 0 && !met[other]; queue = queue[1:] {
		for _, on := range o.needs(queue[0]) {
			if !met[on] {
				met[on], queue = true, append(queue, on)
			}
		}
	}
	return met[other]
}

// needs returns what has come to a commit before a Kustomization has.
func (o order) needs(name string) []string {
	return o.needed.Of(name, func() []string { return o.needsOf(name) })
}

func (o order) needsOf(name string) []string {
	k, was := o.now[name], o.before[name]
	if k == nil {
		return nil
	}
	out := dependencies(k)
	if was != nil {
		then := dependencies(was)
		out = slices.DeleteFunc(out, func(on string) bool { return !slices.Contains(then, on) })
	}
	if o.same(name) {
		out = append(out, slices.DeleteFunc(o.checked(k), o.old)...)
	}
	return slices.DeleteFunc(out, func(on string) bool { return !o.source(name, on) })
}

// same reports whether a Kustomization has one spec, and old whether it had that before.
func (o order) same(name string) bool { return o.before[name] == nil || o.old(name) }

func (o order) old(name string) bool {
	return o.before[name] != nil && o.now[name] != nil && entries.SameSpec(o.before[name].Object, o.now[name].Object)
}

// source reports whether two Kustomizations have one source, now as before.
func (o order) source(name, other string) bool {
	ref := sources.Ref(o.now[name].Object)
	for _, k := range []*entries.Kustomization{o.before[name], o.now[other], o.before[other]} {
		if k != nil && sources.Ref(k.Object) != ref {
			return false
		}
	}
	return o.now[other] != nil
}

// checked returns the Kustomizations of whose health one makes sure by what they themselves say.
func (o order) checked(k *entries.Kustomization) []string {
	switch {
	case object.At(k.Object, "spec", "healthCheckExprs") != nil:
		return nil
	case object.At(k.Object, "spec", "wait") == true: // its health checks are ignored
		return slices.Clone(o.applied[k.FullName()])
	}
	return named(k, "healthChecks", func(check any) bool { return object.String(check, "kind") == "Kustomization" })
}

func dependencies(k *entries.Kustomization) []string {
	return named(k, "dependsOn", func(on any) bool { return object.String(on, "readyExpr") == "" })
}

// named returns the namespace/name of some entries of a list in the spec of a Kustomization.
func named(k *entries.Kustomization, list string, is func(any) bool) []string {
	var out []string
	all, _ := object.At(k.Object, "spec", list).([]any)
	for _, item := range all {
		if ref := sources.ReferenceOf(item, k.Object); is(item) {
			out = append(out, ref.Namespace+"/"+ref.Name)
		}
	}
	return out
}
