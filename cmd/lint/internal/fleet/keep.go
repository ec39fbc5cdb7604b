package fleet

import (
	"fmt"
	"maps"
	"reflect"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// keep records an object that a Kustomization applies, unless that is withheld. It returns the
// Kustomizations to follow: the object itself, or those that it renders. What Flux skips is on the
// cluster as it was before the change, and may be as it is written once it is skipped no more.
func (p *pass) keep(k *Kustomization, obj map[string]any, reasons map[string]string, held withheld) []*Kustomization {
	return p.keepAs("Kustomization", k, obj, reasons, held)
}

func (p *pass) keepAs(applier string, k *Kustomization, obj map[string]any, reasons map[string]string, held withheld) []*Kustomization {
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
	if reason := p.refused(k, obj); reason != "" && held.presence == asWritten && marked(obj, applier).presence == asWritten {
		p.undetermined(k, obj, reason)
		if was, there := p.was(target, keyOf(obj)); there && !object.IsHelmRelease(obj) {
			return p.stay(target, was)
		} else if !object.IsHelmRelease(obj) {
			return nil
		}
	}
	if key, value := unknownMark(obj, applier); key != "" {
		p.undetermined(k, obj, fmt.Sprintf("its %s is %q, which is %s; it is judged as if Flux applied it as it is written", key, value, object.MisspeltOrNewer))
	}
	var children []*Kustomization
	if held.presence == asWritten {
		held = marked(obj, applier)
		was, there := p.was(target, keyOf(obj))
		p.leaves = p.leaves || held.presence != asWritten || object.At(k.Object, "spec", "ignore") != nil
		switch {
		case held.presence != asWritten && there:
			children = p.stay(target, was)
		case held.presence == created:
			held = withheld{}
		}
		if mixed := p.drifted(k, obj, was); mixed != nil {
			children = append(children, p.record(k, mixed, reasons, withheld{})...)
			held = withheld{skipped, "spec.ignore of Kustomization " + k.FullName()}
		}
	}
	return append(children, p.record(k, obj, reasons, held)...)
}

// record records an object. It returns the Kustomizations to follow.
func (p *pass) record(k *Kustomization, obj map[string]any, reasons map[string]string, held withheld) []*Kustomization {
	target := p.cluster.Target(k)
	a := applied{obj, k, held.why}
	p.objects.put(target, a)
	p.leaves = p.leaves || instanceSpec(obj) != nil && idle(obj) != ""
	switch obj["kind"] {
	case "Deployment", "FluxInstance":
		if held.why == "" {
			p.installers[target] = append(p.installers[target], a)
		}
	case "HelmRelease":
		if instanceSpec(obj) != nil && held.why == "" {
			p.installers[target] = append(p.installers[target], a)
		}
		p.releases = append(p.releases, Applied{Object: obj, Reasons: merged(k.reasons, reasons), By: k, Outcome: held.why != ""})
	case "ResourceSet":
		if why := idle(obj); why != "" && held.why == "" {
			held, p.leaves = withheld{skipped, why}, true
		}
		return p.resourceSet(k, obj, reasons, held)
	case "Kustomization":
		child := &Kustomization{Object: obj, Parent: k, reasons: merged(k.reasons, reasons), skipped: held.why, outcome: held.why != ""}
		child.File, child.Line = p.index.place(obj)
		return []*Kustomization{child}
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

// resourceSet keeps the objects that a ResourceSet renders, each once. If it may render
// objects of Flux, a part that cannot be rendered is undetermined.
func (p *pass) resourceSet(k *Kustomization, set map[string]any, reasons map[string]string, held withheld) []*Kustomization {
	target := p.cluster.Target(k)
	providers, err := p.providers(target, set)
	if err != nil {
		p.unrendered = p.unrendered || mayNotify(set)
		if build.MayRender(set) {
			p.undetermined(k, set, k.told(err))
		}
		return nil
	}
	if len(providers) > 0 {
		reasons = merged(reasons, map[string]string{build.InputID: "is made of a UID in the cluster"})
	}
	rendered, errs := p.index.Builder.ResourceSet(set, providers)
	p.unrendered = p.unrendered || len(errs) > 0 && mayNotify(set)
	for _, err := range errs {
		if build.MayRender(set) {
			p.undetermined(k, set, k.told(err))
		}
	}
	var children []*Kustomization
	seen := map[string]map[string]any{}
	for _, obj := range rendered {
		if object.At(obj, "metadata", "annotations", reconcileKey) == "disabled" {
			continue
		}
		if reason := build.Refused(obj); reason != "" {
			p.undetermined(k, set, "it "+reason)
			continue
		}
		if p.follows(k, set, obj, seen) {
			build.AddMetadata(obj, set)
			before := len(p.releases)
			children = append(children, p.rendered(k, obj, reasons, held)...)
			for i := before; i < len(p.releases); i++ {
				if p.releases[i].By == k {
					p.releases[i].Template = set
				}
			}
		}
	}
	return children
}

// rendered keeps an object that a ResourceSet renders. While that does nothing, its objects stay as
// they were.
func (p *pass) rendered(k *Kustomization, obj map[string]any, reasons map[string]string, held withheld) []*Kustomization {
	var children []*Kustomization
	target := p.cluster.Target(k)
	if was, there := p.was(target, keyOf(obj)); held.presence != asWritten && there {
		children = p.stay(target, was)
	}
	return append(children, p.keepAs("ResourceSet", k, obj, reasons, held)...)
}

// follows reports whether an object that a ResourceSet renders is kept, and records it as
// seen. A nested ResourceSet that may render objects of Flux, and an object that is
// rendered twice with different settings, are undetermined.
func (p *pass) follows(k *Kustomization, set, obj map[string]any, seen map[string]map[string]any) bool {
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

func (p *pass) undetermined(k *Kustomization, obj map[string]any, reason string) {
	file, line := p.index.place(obj)
	if file == "" {
		file, line = k.File, k.Line
	}
	p.failed = append(p.failed, release.Undetermined{
		File: file, Line: line, Cluster: p.cluster.Target(k),
		Reason: build.Unmark(fmt.Sprintf("%v %s: %s", obj["kind"], object.FullName(obj), oneLine(reason))),
	})
}
