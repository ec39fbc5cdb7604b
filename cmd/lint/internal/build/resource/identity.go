package resource

import (
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// identity is what an object is and how it is named, as Flux reads it.
type identity struct {
	group, apiVersion, kind, name, namespace string
	// items is true if Flux takes the object for a list: it applies what is in its items.
	// Kustomize has put others in the place of a list that it knows as one.
	items bool
}

// identityOf returns the identity of what kustomize has built. Kustomize takes kinds and names
// as they are written; Flux decodes what has a tag.
func identityOf(res *resource.Resource) identity {
	if isTagged(res.YNode()) {
		if decoded, err := objectByText(res); err == nil {
			return identityIn(decoded)
		}
	}
	return identity{
		group: res.GetGvk().Group, apiVersion: res.GetApiVersion(), kind: res.GetKind(), name: res.GetName(), namespace: res.GetNamespace(),
		items: isSequence(child(res.YNode(), "items")),
	}
}

func identityIn(obj map[string]any) identity {
	_, items := obj["items"].([]any)
	apiVersion := object.String(obj, "apiVersion")
	group, _ := resid.ParseGroupVersion(apiVersion)
	return identity{
		group: group, apiVersion: apiVersion, kind: object.String(obj, "kind"),
		name: object.Name(obj), namespace: object.Namespace(obj), items: items,
	}
}

// Refused returns why Flux fails with an object, or what it makes of it that is not followed here; ""
// if it does neither.
func Refused(obj map[string]any) string { return identityIn(obj).refused() }

func (i identity) refused() string {
	return object.Identity{
		APIVersion: variables.Unmark(i.apiVersion), Kind: variables.Unmark(i.kind), Name: variables.Unmark(i.name), Namespace: variables.Unmark(i.namespace), Items: i.items,
	}.Refused()
}

// isTagged reports whether a key of an object or of its metadata, or what stands there for a
// text, has a tag that makes something else of it.
func isTagged(node *yaml.Node) bool {
	for i := 0; node != nil && i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if changes(key) || value.Kind == yaml.ScalarNode && changes(value) || key.Value == "metadata" && isTagged(value) {
			return true
		}
	}
	return false
}

// changes reports whether a scalar has a tag by which it is decoded, or is a number, which is no
// name.
func changes(node *yaml.Node) bool {
	switch node.ShortTag() {
	case yaml.NodeTagString, yaml.NodeTagBool, yaml.NodeTagNull, "!!merge":
		return false
	}
	return node.Kind == yaml.ScalarNode
}

func child(node *yaml.Node, name string) *yaml.Node {
	for i := 0; node != nil && i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i+1]
		}
	}
	return nil
}

func isSequence(node *yaml.Node) bool { return node != nil && node.Kind == yaml.SequenceNode }
