package loss

import (
	"slices"
	"strings"
)

// Annotations of Helm (pkg/kube/resource_policy.go, pkg/release/v1/hook.go).
const (
	policyAnnotation     = "helm.sh/resource-policy"
	hookAnnotation       = "helm.sh/hook"
	hookDeleteAnnotation = "helm.sh/hook-delete-policy"
)

// Fates returns what becomes of each object when the release is uninstalled and, as remediation
// does, installed again: first what is in the templates, in their order.
func Fates(r Release) []Fate {
	var out []Fate
	t := newTeller(r)
	for _, object := range r.objects() {
		if d := policyOf(object); !d.absent && !(d.hook && r.NoHooks) {
			out = append(append(out, t.describe(object, d)), t.claims(object, d)...)
		}
	}
	for _, object := range r.Definitions {
		out = append(out, t.describe(object, policy{why: "it is in crds/, which Helm never deletes"}))
	}
	return withParents(out)
}

// policy is what Helm does to an object of the templates.
type policy struct {
	deleted bool
	absent  bool // it is gone before the uninstall, or was never there
	hook    bool
	why     string
}

// policyOf returns what Helm does to an object, by its annotations.
func policyOf(object map[string]any) policy {
	annotations := mapOf(object, "metadata", "annotations")
	if hook, ok := annotations[hookAnnotation].(string); ok {
		return hookFate(words(hook), words(text(annotations, hookDeleteAnnotation)))
	}
	switch word, ok := annotations[policyAnnotation].(string); {
	case !ok:
		return policy{deleted: true}
	case strings.ToLower(strings.TrimSpace(word)) == "keep":
		return policy{why: "helm.sh/resource-policy keeps it"}
	default: // neither kept nor deleted: see filterManifestsToKeep
		return policy{why: "helm.sh/resource-policy has the value " + word + ", with which Helm forgets it"}
	}
}

// hookEvents are what a hook may be of; one with another word is left out of the release.
var hookEvents = []string{
	"pre-install", "post-install", "pre-delete", "post-delete", "pre-upgrade", "post-upgrade",
	"pre-rollback", "post-rollback", "test", "test-success",
}

// hookFate returns what becomes of a hook: no uninstall deletes it, but the next hook of its name
// does before it is created.
func hookFate(events, policies []string) policy {
	has := func(all ...string) bool {
		return slices.ContainsFunc(all, func(event string) bool { return slices.Contains(events, event) })
	}
	switch {
	case slices.ContainsFunc(events, func(event string) bool { return !slices.Contains(hookEvents, event) }):
		return policy{absent: true, hook: true}
	case !has("pre-install", "post-install"):
		return policy{absent: true, hook: true} // no install creates it
	case slices.Contains(policies, "hook-succeeded"):
		return policy{absent: true, hook: true}
	case len(policies) == 0, slices.Contains(policies, "before-hook-creation"):
		return policy{deleted: true, hook: true, why: "it is a hook: the uninstall leaves it, the next install deletes it and creates it anew"}
	}
	return policy{hook: true, why: "it is a hook, which no uninstall deletes"}
}

func words(list string) []string {
	if list == "" {
		return nil
	}
	var out []string
	for word := range strings.SplitSeq(list, ",") {
		out = append(out, strings.ToLower(strings.TrimSpace(word)))
	}
	return out
}

// describe returns the fate of an object of a document.
func (t *teller) describe(object map[string]any, d policy) Fate {
	f := Fate{Object: t.named(object), Deleted: d.deleted, Note: d.why, hook: d.hook, annotations: mapOf(object, "metadata", "annotations")}
	f.Data, f.Size = dataIn(f.Object, object)
	if f.Kind == Definition {
		f.defines = text(mapOf(object, "spec"), "group") + "/" + text(mapOf(object, "spec", "names"), "kind")
	}
	switch {
	case f.hook && f.Kind == Definition: // Helm never deletes it by the policy of a hook
		f.Deleted, f.Note = false, "it is a hook, which no uninstall deletes"
	case f.hook && f.Deleted:
		f.Later = true
	case !f.Deleted || f.Note != "":
	case f.Kind == claim && f.Group == "":
		f.Retained, f.Note = t.retains(object)
	case f.Kind == volume && f.Group == "" && t.volumes[f.Name]:
		f.Retained, f.Note = true, "what is stored there stays"
	default:
		f.Note = takesAlong(f.Object, object)
	}
	return f
}

func (r Release) named(object map[string]any) Object {
	apiVersion := text(object, "apiVersion")
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		group = ""
	}
	o := Object{Group: group, Kind: text(object, "kind"), Name: text(mapOf(object, "metadata"), "name")}
	if !clusterScoped[o.Kind] || custom(o.Group) {
		o.Namespace = text(mapOf(object, "metadata"), "namespace")
		if o.Namespace == "" {
			o.Namespace = r.Namespace
		}
	}
	return o
}

// objects returns the objects of the templates. helm-controller always has a post renderer, which
// takes Lists apart, so that what they are annotated with themselves says nothing.
func (r Release) objects() []map[string]any {
	var out []map[string]any
	for _, document := range r.Documents {
		out = append(out, items(document)...)
	}
	return out
}

// items returns the objects of a document: itself, or those of a List.
func items(document map[string]any) []map[string]any {
	list, ok := document["items"].([]any)
	if !ok || !strings.HasSuffix(text(document, "kind"), "List") {
		return []map[string]any{document}
	}
	var out []map[string]any
	for _, item := range list {
		if object, ok := item.(map[string]any); ok {
			out = append(out, items(object)...)
		}
	}
	return out
}

func mapOf(object map[string]any, keys ...string) map[string]any {
	for _, key := range keys {
		object, _ = object[key].(map[string]any)
	}
	return object
}

func text(object map[string]any, key string) string {
	out, _ := object[key].(string)
	return out
}
