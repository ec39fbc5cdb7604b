package fleet

import (
	"cmp"
	"reflect"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// refused returns why the API server does not take an object that a Kustomization applies, so that the
// cluster keeps the former one; "" if it does. Of a Kustomization that is said where it is followed.
func (p *pass) refused(k *Kustomization, obj map[string]any) string {
	if object.IsKustomization(obj) {
		return ""
	}
	was, there := p.was(p.cluster.Target(k), keyOf(obj))
	why, lacks, as := p.refusedAs(k.Folder, was.object, func(as build.Reading) string { return build.RefusedContent(obj, as) })
	why, open := p.redefined(p.cluster.Target(k), obj, as, why)
	if open = cmp.Or(open, lacks); open != "" {
		p.undetermined(k, obj, open)
	}
	if why != "" {
		return why
	}
	if there && was.skipped == "" && !isForced(k, obj) {
		return unchangeable(was.object, obj)
	}
	return ""
}

// refusedKustomization returns why the API server does not take a Kustomization; "" if it does.
func (p *pass) refusedKustomization(k *Kustomization) string {
	isUnseen, was := k.Parent == nil && !k.Folder && p.self(k) == nil, map[string]any(nil)
	if k.Parent != nil {
		before, _ := p.was(p.cluster.Target(k.Parent), keyOf(k.Object))
		isUnseen, was = k.Parent.Folder, before.object
	} else if p.before != nil {
		for _, before := range p.before.cluster.entries {
			if before.FullName() == k.FullName() {
				was = before.Object
			}
		}
	}
	why, lacks, as := p.refusedAs(isUnseen, was, func(as build.Reading) string { return p.index.Builder.Refused(k.Object, as) })
	target := p.cluster.Name
	if k.Parent != nil {
		target = p.cluster.Target(k.Parent)
	}
	why, open := p.redefined(target, k.Object, as, why)
	if open = cmp.Or(open, lacks); open != "" {
		p.fail(k, open)
	}
	return why
}

// refusedAs returns why the API server does not take an object, "" if it does, and how the object was read. What
// applies it may be unseen: then that may add what it lacks, unless it lacked nothing before the change.
func (p *pass) refusedAs(isUnseen bool, was map[string]any, refused func(build.Reading) string) (why, lacks string, as build.Reading) {
	if !isUnseen {
		return refused(build.Final), "", build.Final
	}
	why = refused(build.Built)
	if why == "" || was != nil && build.RefusedContent(was, build.Built) == "" {
		return why, "", build.Built
	}
	p.leaves = p.leaves || !p.cluster.leftover
	unseen := refused(build.Unseen)
	if unseen == "" && !p.cluster.leftover {
		lacks = why + ", unless what applies it, which is not in the tree, adds to it"
	}
	return unseen, lacks, build.Unseen
}

// isForced reports whether Flux deletes an object and makes it anew where it cannot change it.
// Source: apply in kustomization_controller.go of kustomize-controller.
func isForced(k *Kustomization, obj map[string]any) bool {
	for _, in := range []string{"labels", "annotations"} {
		for _, group := range []string{object.KustomizeGroup, object.OperatorGroup} {
			if strings.EqualFold(object.String(obj, "metadata", in, group+"/force"), "enabled") {
				return true
			}
		}
	}
	return object.At(k.Object, "spec", "force") == true
}

// unchangeable returns what in an object differs from the one on the cluster and cannot be changed; "" if
// nothing. Source: ValidateConfigMapUpdate, ValidateSecretUpdate and ValidateDeploymentUpdate of k8s.io/kubernetes.
func unchangeable(was, now map[string]any) string {
	differs := func(path ...string) bool { return !reflect.DeepEqual(object.At(was, path...), object.At(now, path...)) }
	switch now["kind"] {
	case "ConfigMap", "Secret":
		if was["immutable"] == true && (now["immutable"] != true || differs("data") || differs("binaryData") || differs("stringData")) {
			return "is refused by the API server: it is immutable on the cluster, and it is changed"
		}
		if now["kind"] == "Secret" && typeOf(was) != typeOf(now) {
			return "is refused by the API server: the type of a Secret cannot be changed"
		}
	case "Deployment":
		if differs("spec", "selector") {
			return "is refused by the API server: spec.selector cannot be changed"
		}
	}
	return ""
}

func typeOf(secret map[string]any) string {
	if text := object.String(secret, "type"); text != "" {
		return text
	}
	return "Opaque"
}

// bars reports whether the cluster as it was before a change has something that what the tree has now
// cannot replace.
func (p *pass) bars() bool {
	for cluster := range p.before.objects {
		for key := range p.before.objects[cluster] {
			was, ok := p.before.objects.first(cluster, key)
			now, stays := p.objects.first(cluster, key)
			if ok && stays && unchangeable(was.object, now.object) != "" {
				return true
			}
		}
	}
	return false
}
