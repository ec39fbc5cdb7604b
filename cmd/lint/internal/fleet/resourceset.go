package fleet

import (
	"encoding/json"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
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
			p.mayRender = true
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
		if reason := resource.Refused(obj); reason != "" {
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

// rendered keeps an object that a ResourceSet renders. While that does nothing, its objects stay as
// they were.
func (p *pass) rendered(k *entries.Kustomization, set, obj map[string]any, reasons map[string]string, held presence.Held) []*entries.Kustomization {
	var children []*entries.Kustomization
	target := p.cluster.Target(k)
	if text := object.String(obj, "metadata", "annotations", presence.ReconcileKey); held.Kind == presence.AsWritten && len(variables.Unknown(text)) > 0 {
		held, p.leaves = presence.Held{Kind: presence.Skipped, Why: presence.ReconcileKey + ": " + variables.Unmark(text)}, true
	}
	if was, there := p.was(target, keyOf(obj)); held.Kind != presence.AsWritten && there {
		children = p.stay(target, was)
	}
	return append(children, p.keep(set, k, obj, reasons, held)...)
}

// mayNotify reports whether an object that is not rendered may hold Alerts.
func mayNotify(set map[string]any) bool {
	raw, err := json.Marshal(set["spec"])
	return err != nil || strings.Contains(string(raw), object.NotifyGroup)
}
