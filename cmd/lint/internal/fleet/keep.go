package fleet

import (
	"fmt"
	"maps"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// keep records an object that a Kustomization applies, unless that is withheld. It returns the
// Kustomizations to follow: the object itself, or those that it renders. What Flux skips is on the
// cluster as it was before the change, and may be as it is written once it is skipped no more. The
// ResourceSet that renders the object is nil if none does.
func (p *pass) keep(set map[string]any, k *entries.Kustomization, obj map[string]any, reasons map[string]string, held presence.Held) []*entries.Kustomization {
	applier := "Kustomization"
	if set != nil {
		applier = "ResourceSet"
	}
	if kind, apiVersion := object.String(obj, "kind"), object.String(obj, "apiVersion"); object.Masked(variables.Unmark(kind), variables.Unmark(apiVersion)) {
		p.undetermined(k, obj, "its kind depends on a variable or is encrypted, so what it is is not known")
		return nil
	} else if reason := resource.Refused(obj); reason != "" {
		p.fail(k, reason)
		return nil
	} else if !object.Known(obj) {
		return nil
	}
	target := p.cluster.Target(k)
	if reason := p.admission().refused(k, obj); reason != "" && held.Kind == presence.AsWritten && presence.Marked(obj, applier).Kind == presence.AsWritten {
		p.undetermined(k, obj, reason)
		if was, there := p.was(target, keyOf(obj)); there && !object.IsHelmRelease(obj) {
			return p.stay(target, was)
		} else if !object.IsHelmRelease(obj) {
			return nil
		}
	}
	if key, value := presence.UnknownMark(obj, applier); key != "" {
		p.undetermined(k, obj, fmt.Sprintf("its %s is %q, which is %s; it is judged as if Flux applied it as it is written", key, value, object.MisspeltOrNewer))
	}
	var children []*entries.Kustomization
	if held.Kind == presence.AsWritten {
		held = presence.Marked(obj, applier)
		was, there := p.was(target, keyOf(obj))
		p.leaves = p.leaves || held.Kind != presence.AsWritten || object.At(k.Object, "spec", "ignore") != nil
		switch {
		case held.Kind != presence.AsWritten && there:
			children = p.stay(target, was)
		case held.Kind == presence.Created:
			held = presence.Held{}
		}
		if mixed := presence.Drifted(k.Object, obj, was.object); mixed != nil {
			children = append(children, p.record(set, k, mixed, reasons, presence.Held{})...)
			held = presence.Held{Kind: presence.Skipped, Why: "spec.ignore of Kustomization " + k.FullName()}
		}
	}
	return append(children, p.record(set, k, obj, reasons, held)...)
}

// record records an object, of a ResourceSet if one renders it. It returns the Kustomizations to follow.
func (p *pass) record(set map[string]any, k *entries.Kustomization, obj map[string]any, reasons map[string]string, held presence.Held) []*entries.Kustomization {
	target := p.cluster.Target(k)
	a := applied{object: obj, by: k, skipped: held.Why, set: set}
	p.objects.put(target, a)
	if held.Why == "" {
		p.flux.add(target, a)
	}
	switch obj["kind"] {
	case "HelmRelease":
		p.releases = append(p.releases, Applied{Object: obj, Reasons: merged(k.Reasons, reasons), By: k, Template: set, Outcome: held.Why != ""})
	case "ResourceSet":
		if why := presence.Idle(obj); why != "" && held.Why == "" {
			held, p.leaves = presence.Held{Kind: presence.Skipped, Why: why}, true
		}
		return p.resourceSet(k, obj, reasons, held)
	case "Kustomization":
		child := &entries.Kustomization{Object: obj, Parent: k, Reasons: merged(k.Reasons, reasons), Skipped: held.Why, Outcome: held.Why != ""}
		child.File, child.Line = p.index.Place(obj)
		return []*entries.Kustomization{child}
	}
	return nil
}

func merged(a, b map[string]string) map[string]string {
	if len(a) == 0 {
		return b
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}
