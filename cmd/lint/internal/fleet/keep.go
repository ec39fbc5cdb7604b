package fleet

import (
	"fmt"
	"maps"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// keep records an object that a Kustomization applies, unless that is withheld. It returns the
// Kustomizations to follow: the object itself, or those that it renders. What Flux skips is on the
// cluster as it was before the change, and may be as it is written once it is skipped no more.
func (p *pass) keep(k *entries.Kustomization, obj map[string]any, reasons map[string]string, held presence.Held) []*entries.Kustomization {
	return p.keepOf(nil, k, obj, reasons, held)
}

// keepOf does so with an object that a ResourceSet renders; nil if none does.
func (p *pass) keepOf(set map[string]any, k *entries.Kustomization, obj map[string]any, reasons map[string]string, held presence.Held) []*entries.Kustomization {
	applier := "Kustomization"
	if set != nil {
		applier = "ResourceSet"
	}
	if kind, apiVersion := object.String(obj, "kind"), object.String(obj, "apiVersion"); object.Masked(build.Unmark(kind), build.Unmark(apiVersion)) {
		p.undetermined(k, obj, "its kind depends on a variable or is encrypted, so what it is is not known")
		return nil
	} else if reason := build.Refused(obj); reason != "" {
		p.fail(k, reason)
		return nil
	} else if !object.Known(obj) {
		return nil
	}
	target := p.cluster.Target(k)
	if reason := p.refused(k, obj); reason != "" && held.Kind == presence.AsWritten && presence.Marked(obj, applier).Kind == presence.AsWritten {
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

// loseLabels takes the labels from an object that Flux applies without them, and says so of a release.
func (p *pass) loseLabels(k *entries.Kustomization, obj map[string]any) {
	if key := object.LoseLabels(obj); key != "" && object.IsHelmRelease(obj) {
		p.undetermined(k, obj, "its label "+key+" is no text, so Flux loses all of its labels: put the value in quotes; it is judged without them")
	}
}

// record records an object, of a ResourceSet if one renders it. It returns the Kustomizations to follow.
func (p *pass) record(set map[string]any, k *entries.Kustomization, obj map[string]any, reasons map[string]string, held presence.Held) []*entries.Kustomization {
	target := p.cluster.Target(k)
	a := applied{obj, k, held.Why, set}
	p.objects.put(target, a)
	switch obj["kind"] {
	case "Deployment", "FluxInstance":
		if held.Why == "" {
			p.installers[target] = append(p.installers[target], a)
		}
	case "HelmRelease":
		if controllers.InstanceSpec(obj) != nil && held.Why == "" {
			p.installers[target] = append(p.installers[target], a)
		}
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

func (p *pass) undetermined(k *entries.Kustomization, obj map[string]any, reason string) {
	file, line := p.index.Place(obj)
	if file == "" {
		file, line = k.File, k.Line
	}
	p.failed = append(p.failed, release.Undetermined{
		File: file, Line: line, Cluster: p.cluster.Target(k),
		Reason: build.Unmark(fmt.Sprintf("%v %s: %s", obj["kind"], object.FullName(obj), strings.Join(strings.Fields(reason), " "))),
	})
}
