package loss

import (
	"fmt"
	"strings"
)

// The kinds that hold data, or what others keep in them.
const (
	claim     = "PersistentVolumeClaim"
	volume    = "PersistentVolume"
	namespace = "Namespace"
	// Definition is the kind of what defines custom resources.
	Definition = "CustomResourceDefinition"
)

// Kinds returns the kinds of Kubernetes that hold data.
func Kinds() []string { return []string{claim, volume, namespace, Definition} }

// dataIn reports whether an object holds data, and its size where it has one.
func dataIn(o Object, object map[string]any) (bool, string) {
	switch {
	case custom(o.Group):
		return !configures(o.Group, o.Kind), ""
	case o.Kind == claim && o.Group == "":
		return true, text(mapOf(object, "spec", "resources", "requests"), "storage")
	case o.Kind == volume && o.Group == "":
		return true, text(mapOf(object, "spec", "capacity"), "storage")
	}
	return o.Kind == Definition || o.Kind == namespace && o.Group == "", ""
}

// takesAlong says what goes when the object does.
func takesAlong(o Object, object map[string]any) string {
	if list, _ := mapOf(object, "metadata")["finalizers"].([]any); len(list) > 0 {
		return fmt.Sprintf("once its finalizer %v is removed", list[0])
	}
	switch {
	case o.Kind == Definition && !custom(o.Group):
		names := mapOf(object, "spec", "names")
		return fmt.Sprintf("with every %s.%s of the cluster", text(names, "plural"), text(mapOf(object, "spec"), "group"))
	case o.Kind == namespace && o.Group == "":
		return "with everything in it"
	case custom(o.Group):
		return "with what its controller ties to it"
	}
	return ""
}

// mostClaims is how many claims of a template are listed one by one.
const mostClaims = 10

// claims returns the claims that a StatefulSet makes of its templates. They are in no manifest:
// they stay, unless the StatefulSet says that they go with it (persistentVolumeClaimRetentionPolicy,
// by an owner reference, which a deletion with orphan leaves alone).
func (t *teller) claims(object map[string]any, d policy) []Fate {
	o := t.named(object)
	if o.Kind != "StatefulSet" || o.Group != "apps" || d.absent {
		return nil
	}
	spec := mapOf(object, "spec")
	f := Fate{Data: true, Note: "StatefulSet " + o.Name + " leaves it"}
	if d.deleted && !t.Orphan && text(mapOf(spec, "persistentVolumeClaimRetentionPolicy"), "whenDeleted") == "Delete" {
		f.Deleted, f.Note = true, "StatefulSet "+o.Name+" takes it along (whenDeleted: Delete)"
	}
	var out []Fate
	templates, _ := spec["volumeClaimTemplates"].([]any)
	for _, item := range templates {
		template, _ := item.(map[string]any)
		_, f.Size = dataIn(Object{Kind: claim}, template)
		f.Retained, _ = t.retains(template)
		for _, ordinal := range ordinals(spec) {
			name := text(mapOf(template, "metadata"), "name") + "-" + o.Name + "-" + ordinal
			f.Object = Object{Kind: claim, Namespace: o.Namespace, Name: name}
			out = append(out, f)
		}
	}
	return out
}

// ordinals returns the numbers of the replicas of a StatefulSet; beyond [mostClaims] the rest as one.
func ordinals(spec map[string]any) []string {
	replicas, start := number(spec["replicas"], 1), number(mapOf(spec, "ordinals")["start"], 0)
	var out []string
	for i := start; i < start+replicas; i++ {
		if len(out) == mostClaims {
			return append(out, fmt.Sprintf("%d..%d", i, start+replicas-1))
		}
		out = append(out, fmt.Sprint(i))
	}
	return out
}

func number(value any, otherwise int) int {
	switch n := value.(type) {
	case float64:
		return int(n)
	case int64:
		return int(n)
	case int:
		return n
	}
	return otherwise
}

// custom reports whether an API group is not one of Kubernetes.
func custom(group string) bool {
	return strings.Contains(group, ".") && !builtin[group]
}
