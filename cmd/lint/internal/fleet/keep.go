package fleet

import (
	"fmt"
	"maps"
	"reflect"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// reconcileKey is the annotation that makes a ResourceSet skip an object.
const reconcileKey = object.OperatorGroup + "/reconcile"

// keep records an object. It returns the Kustomizations to follow: the object itself, or
// those that it renders.
func (p *pass) keep(k *Kustomization, obj map[string]any, reasons map[string]string) []*Kustomization {
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
	p.objects.put(target, obj, k)
	switch obj["kind"] {
	case "Deployment", "FluxInstance":
		p.installers[target] = append(p.installers[target], applied{obj, k})
	case "HelmRelease":
		if instanceSpec(obj) != nil {
			p.installers[target] = append(p.installers[target], applied{obj, k})
		}
		p.releases = append(p.releases, Applied{Object: obj, Reasons: merged(k.reasons, reasons), By: k})
	case "ResourceSet":
		return p.resourceSet(k, obj, reasons)
	case "Kustomization":
		child := &Kustomization{Object: obj, Parent: k, reasons: merged(k.reasons, reasons)}
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
func (p *pass) resourceSet(k *Kustomization, set map[string]any, reasons map[string]string) []*Kustomization {
	target := p.cluster.Target(k)
	providers, err := p.providers(target, set)
	if err != nil {
		p.unrendered = p.unrendered || mayNotify(set)
		if build.MayRender(set) {
			p.undetermined(k, set, told(err))
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
			p.undetermined(k, set, told(err))
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
			children = append(children, p.keep(k, obj, reasons)...)
			if obj["kind"] == "HelmRelease" {
				p.releases[len(p.releases)-1].Template = set
			}
		}
	}
	return children
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
