package fleet

import (
	"reflect"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// resourceSet keeps the objects that a ResourceSet renders, each once. If it may render
// objects of Flux, a part that cannot be rendered is undetermined. It may be that flux-operator
// cannot render it either: then it applies nothing of the set.
func (p *pass) resourceSet(k *entries.Kustomization, set map[string]any, reasons map[string]string, held presence.Held) []*entries.Kustomization {
	rendered, inputs, errs := p.render(p.cluster.Target(k), set)
	p.unrendered = p.unrendered || len(errs) > 0 && mayNotify(set)
	for _, err := range errs {
		if build.MayRender(set) {
			p.undetermined(k, set, k.Told(err))
		}
	}
	if len(errs) > 0 && held.Kind == presence.AsWritten {
		held, p.leaves = presence.Held{Kind: presence.Skipped, Why: "ResourceSet " + object.FullName(set) + " cannot be rendered"}, true
	}
	if inputs != nil {
		reasons = merged(reasons, inputs)
	}
	var children []*entries.Kustomization
	seen := map[string]map[string]any{}
	for _, obj := range rendered {
		if presence.LeavesOut(set, obj, len(inputs) > 0) {
			continue
		}
		if reason := build.Refused(obj); reason != "" {
			p.undetermined(k, set, "it "+reason)
			continue
		}
		if p.follows(k, set, obj, seen) {
			p.loseLabels(k, obj)
			build.AddMetadata(obj, set)
			presence.Copied(obj)
			children = append(children, p.rendered(k, set, obj, reasons, held)...)
		}
	}
	return children
}

// render returns the objects that a ResourceSet of a cluster renders, why inputs of them are not known, and an
// error for each part that cannot be rendered.
func (p *pass) render(cluster string, set map[string]any) (rendered []map[string]any, inputs map[string]string, errs []error) {
	providers, err := p.providers(cluster, set)
	if err != nil {
		return nil, nil, []error{err}
	}
	if len(providers) > 0 {
		inputs = map[string]string{build.InputID: "is made of a UID in the cluster"}
	}
	rendered, errs = p.index.Builder.ResourceSet(set, providers)
	return rendered, inputs, errs
}

// rendered keeps an object that a ResourceSet renders. While that does nothing, its objects stay as
// they were.
func (p *pass) rendered(k *entries.Kustomization, set, obj map[string]any, reasons map[string]string, held presence.Held) []*entries.Kustomization {
	var children []*entries.Kustomization
	target := p.cluster.Target(k)
	if text := object.String(obj, "metadata", "annotations", presence.ReconcileKey); held.Kind == presence.AsWritten && len(build.Unknown(text)) > 0 {
		held, p.leaves = presence.Held{Kind: presence.Skipped, Why: presence.ReconcileKey + ": " + build.Unmark(text)}, true
	}
	if was, there := p.was(target, keyOf(obj)); held.Kind != presence.AsWritten && there {
		children = p.stay(target, was)
	}
	return append(children, p.keepOf(set, k, obj, reasons, held)...)
}

// outlives reports whether an object stays that a ResourceSet rendered in the base of a change, and renders no
// more: it says so itself, or the set does nothing, did nothing when it was removed, or cannot be rendered.
// Source: apply and uninstall in resourceset_controller.go of flux-operator.
func (p *pass) outlives(cluster string, was applied) bool {
	for _, in := range []string{"labels", "annotations"} {
		if strings.EqualFold(object.String(was.object, "metadata", in, object.OperatorGroup+"/prune"), "disabled") {
			return true
		}
	}
	now := p.objects[cluster][keyOf(was.set)]
	for _, set := range now {
		if _, _, errs := p.render(cluster, set.object); presence.Idle(set.object) != "" || len(errs) > 0 {
			return true
		}
	}
	return len(now) == 0 && presence.Idle(was.set) != ""
}

// follows reports whether an object that a ResourceSet renders is kept, and records it as
// seen. A nested ResourceSet that may render objects of Flux, and an object that is
// rendered twice with different settings, are undetermined.
func (p *pass) follows(k *entries.Kustomization, set, obj map[string]any, seen map[string]map[string]any) bool {
	if object.IsResourceSet(obj) && build.MayRender(obj) {
		p.undetermined(k, set, "it renders "+object.FullName(obj)+", another ResourceSet")
	}
	kind, _ := obj["kind"].(string)
	id := kind + "/" + object.FullName(obj)
	if first := seen[id]; first != nil {
		if object.IsTraced(obj) && !reflect.DeepEqual(first["spec"], obj["spec"]) {
			p.undetermined(k, set, "it renders "+id+" twice, with different settings")
		}
		return false
	}
	if !object.Known(obj) || object.IsResourceSet(obj) {
		return false
	}
	seen[id] = obj
	return true
}
