package flux

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	sigsyaml "sigs.k8s.io/yaml"
)

const (
	resourceSetGroup = "fluxcd.controlplane.io"
	// reconcileKey is the annotation by which a resource is left out.
	reconcileKey = resourceSetGroup + "/reconcile"
)

func isResourceSet(object map[string]any) bool {
	return isKind(object, resourceSetGroup, "ResourceSet")
}

// setFields are the fields of spec of a ResourceSet that are understood, or have
// no bearing on what it renders.
// Source: its custom resource definition.
var setFields = []string{
	"commonMetadata", "dependsOn", "healthCheckExprs", "inputStrategy", "inputs", "resources",
	"resourcesTemplate", "serviceAccountName", "steps", "wait",
}

// openSet says why it cannot be known what a ResourceSet renders; "" if it can.
func openSet(object map[string]any) string {
	spec, _ := object["spec"].(map[string]any)
	if spec["inputsFrom"] != nil {
		return "its inputs come from the cluster"
	}
	for _, field := range sortedKeys(spec) {
		if !slices.Contains(setFields, field) {
			return "its field spec." + field + " is not known here"
		}
	}
	if object["apiVersion"] != resourceSetGroup+"/v1" {
		return fmt.Sprintf("its apiVersion %v is not known here", object["apiVersion"])
	}
	common, _ := spec["commonMetadata"].(map[string]any)
	for _, field := range sortedKeys(common) {
		if field != "labels" && field != "annotations" {
			return "its field spec.commonMetadata." + field + " is not known here"
		}
	}
	if name, ok := nested(spec, "inputStrategy", "name").(string); ok && name != "Flatten" {
		return "its inputs are combined by " + name + ", which is not followed"
	}
	return ""
}

// resourceSet renders the templates of a ResourceSet with its inline inputs
// and keeps what they give. What needs inputs from a cluster is undetermined, if
// it may be of Flux.
func (c *cluster) resourceSet(k *kustomization, object map[string]any, reasons map[string]string) []*kustomization {
	reason := openSet(object)
	templates, err := templatesOf(object)
	if err != nil {
		reason = err.Error()
	}
	if reason != "" {
		c.openSet(k, object, reason)
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxRenderTime)
	defer cancel()
	rendered, errs := renderAll(ctx, templates, inputsOf(object))
	for _, err := range errs {
		c.openSet(k, object, err.Error())
	}
	return c.keepRendered(k, object, rendered, reasons)
}

// keepRendered keeps what a ResourceSet gives, each object once.
func (c *cluster) keepRendered(k *kustomization, object map[string]any, rendered []map[string]any, reasons map[string]string) []*kustomization {
	var children []*kustomization
	seen := map[string]map[string]any{}
	for _, inner := range rendered {
		if nested(inner, "metadata", "annotations", reconcileKey) == "disabled" {
			continue
		}
		if isResourceSet(inner) && mayRender(inner) {
			c.undetermined(k, object, "it renders "+nameOf(inner)+", another ResourceSet")
		}
		kind, _ := inner["kind"].(string)
		id := kind + "/" + nameOf(inner)
		if first := seen[id]; first != nil {
			if isFlux(inner) && !reflect.DeepEqual(first["spec"], inner["spec"]) {
				c.undetermined(k, object, "it renders "+id+" twice, with different settings")
			}
			continue
		}
		if group, ok := kept[kind]; !ok || isResourceSet(inner) || !isGroup(inner, group) {
			continue
		}
		seen[id] = inner
		commonMetadata(inner, object)
		children = append(children, c.keep(k, inner, reasons)...)
		if kind == "HelmRelease" {
			c.releases[len(c.releases)-1].template = object
		}
	}
	return children
}

// isGroup tells whether an object is of an API group, in any version; "" is the
// core group.
func isGroup(object map[string]any, group string) bool {
	apiVersion, _ := object["apiVersion"].(string)
	found, _, ok := strings.Cut(apiVersion, "/")
	return ok && found == group || !ok && group == ""
}

// inputsOf gives the sets of inputs that a ResourceSet has inline, each with
// what provides it: the ResourceSet itself. Without any, its templates are
// rendered once.
func inputsOf(object map[string]any) []any {
	provider := map[string]any{
		"apiVersion": object["apiVersion"], "kind": object["kind"],
		"name": nested(object, "metadata", "name"), "namespace": nested(object, "metadata", "namespace"),
	}
	list, _ := nested(object, "spec", "inputs").([]any)
	if len(list) == 0 {
		list = []any{map[string]any{}}
	}
	var out []any
	for _, item := range list {
		set := map[string]any{"provider": provider}
		if values, ok := item.(map[string]any); ok {
			maps.Copy(set, values)
		}
		out = append(out, set)
	}
	return out
}

// templatesOf gives the templates of a ResourceSet as text: resources before
// resourcesTemplate, whose duplicates they beat.
func templatesOf(object map[string]any) ([]string, error) {
	var out []string
	holders := []any{object["spec"]}
	steps, _ := nested(object, "spec", "steps").([]any)
	for _, holder := range append(holders, steps...) {
		resources, _ := nested(holder, "resources").([]any)
		for _, item := range resources {
			data, err := sigsyaml.Marshal(item)
			if err != nil {
				return nil, err
			}
			out = append(out, string(data))
		}
		if text, ok := nested(holder, "resourcesTemplate").(string); ok {
			out = append(out, text)
		}
	}
	return out, nil
}

// renderAll renders every template with every set of inputs, until ctx is done.
func renderAll(ctx context.Context, templates []string, inputs []any) ([]map[string]any, []error) {
	var out []map[string]any
	var errs []error
	for _, text := range templates {
		for _, input := range inputs {
			objects, err := render(ctx, text, input)
			if err != nil {
				errs = append(errs, err)
			}
			if ctx.Err() != nil {
				return out, errs
			}
			for _, object := range objects {
				out = append(out, flat(object)...)
			}
		}
	}
	return out, errs
}

var fluxWords = [][]byte{
	[]byte("HelmRelease"), []byte("Kustomization"), []byte("helm.toolkit.fluxcd.io"), []byte("kustomize.toolkit.fluxcd.io"),
}

// mayRender tells whether a ResourceSet may render what is of Flux. It is loose: a
// kind or an apiVersion may be put together by the template.
func mayRender(set map[string]any) bool {
	spec, _ := set["spec"].(map[string]any)
	spec = maps.Clone(spec)
	delete(spec, "dependsOn")
	delete(spec, "healthCheckExprs")
	return containsAny(fmt.Append(nil, spec), fluxWords)
}

// openSet records that it is not known what a ResourceSet renders, if it matters.
func (c *cluster) openSet(k *kustomization, object map[string]any, reason string) {
	if mayRender(object) {
		c.undetermined(k, object, reason)
	}
}

func (c *cluster) undetermined(k *kustomization, object map[string]any, reason string) {
	file, line := c.l.documentOf(object)
	if file == "" {
		file, line = k.file, k.line
	}
	c.failed = append(c.failed, Undetermined{
		File: file, Line: line, Cluster: c.runner(k),
		Reason: fmt.Sprintf("%v %s: %s", object["kind"], nameOf(object), oneLine(reason)),
	})
}
