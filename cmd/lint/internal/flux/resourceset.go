package flux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/template"
	"time"

	sprig "github.com/go-task/slim-sprig/v3"
	"go.yaml.in/yaml/v3"
	sigsyaml "sigs.k8s.io/yaml"
)

const resourceSetGroup = "fluxcd.controlplane.io"

func isResourceSet(object map[string]any) bool {
	return isKind(object, resourceSetGroup, "ResourceSet")
}

// resourceSet renders the templates of a ResourceSet with its inline inputs
// and keeps what they give. What needs inputs from a cluster is undetermined.
func (c *cluster) resourceSet(k *kustomization, object map[string]any, reasons map[string]string) []*kustomization {
	templates, err := templatesOf(object)
	if err != nil {
		c.undetermined(k, object, err.Error())
		return nil
	}
	inputs, _ := nested(object, "spec", "inputs").([]any)
	if !mentionsFlux(fmt.Sprint(templates, inputs)) {
		return nil
	}
	if nested(object, "spec", "inputsFrom") != nil {
		c.undetermined(k, object, "its inputs come from the cluster")
		return nil
	}
	if len(inputs) == 0 {
		inputs = []any{map[string]any{}}
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxRenderTime)
	defer cancel()
	rendered, errs := renderAll(ctx, templates, inputs)
	for _, err := range errs {
		c.undetermined(k, object, err.Error())
	}
	var children []*kustomization
	seen := map[string]bool{}
	for _, inner := range rendered {
		id := fmt.Sprint(inner["kind"], nameOf(inner))
		if isResourceSet(inner) && mentionsFlux(fmt.Sprint(inner["spec"])) {
			c.undetermined(k, object, "it renders "+nameOf(inner)+", another ResourceSet")
		}
		if !isFlux(inner) || seen[id] {
			continue
		}
		seen[id] = true
		commonMetadata(inner, object)
		children = append(children, c.keep(k, inner, reasons)...)
		if inner["kind"] == "HelmRelease" {
			c.releases[len(c.releases)-1].template = object
		}
	}
	return children
}

// renderAll renders every template with every set of inputs, until ctx is done.
func renderAll(ctx context.Context, templates []string, inputs []any) ([]map[string]any, []error) {
	var out []map[string]any
	var errs []error
	for _, input := range inputs {
		for _, text := range templates {
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

// flat gives what a list holds, and anything else as it is.
func flat(object map[string]any) []map[string]any {
	if !isList(object) {
		return []map[string]any{object}
	}
	var out []map[string]any
	for _, item := range object["items"].([]any) {
		if inner, ok := item.(map[string]any); ok {
			out = append(out, flat(inner)...)
		}
	}
	return out
}

// templatesOf gives the templates of a ResourceSet as text.
func templatesOf(object map[string]any) ([]string, error) {
	var out []string
	resources, _ := nested(object, "spec", "resources").([]any)
	for _, item := range resources {
		data, err := sigsyaml.Marshal(item)
		if err != nil {
			return nil, err
		}
		out = append(out, string(data))
	}
	if text, ok := nested(object, "spec", "resourcesTemplate").(string); ok {
		out = append(out, text)
	}
	return out, nil
}

var fluxWords = []string{"HelmRelease", "Kustomization", "helm.toolkit.fluxcd.io", "kustomize.toolkit.fluxcd.io"}

// mentionsFlux is the cheap look before a template is rendered. It is loose: a
// kind or an apiVersion may be put together by the template.
func mentionsFlux(text string) bool {
	return slices.ContainsFunc(fluxWords, func(word string) bool { return strings.Contains(text, word) })
}

// boundless are the functions of slim-sprig whose result can be as large as a
// template asks for.
var boundless = []string{"repeat", "until", "untilStep", "seq"}

// Limits of what a template may do: it can loop over any number.
const (
	maxRendered   = 10 << 20         // bytes
	maxRenderTime = 10 * time.Second // for all templates of a ResourceSet
)

// bounded is a buffer that takes no more than maxRendered, and nothing once
// ctx is done: that ends a template that writes on.
type bounded struct {
	bytes.Buffer
	ctx context.Context
}

func (b *bounded) Write(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.Len()+len(p) > maxRendered {
		return 0, fmt.Errorf("it gives more than %d MiB", maxRendered>>20)
	}
	return b.Buffer.Write(p)
}

// render executes one template with one set of inputs, as flux-operator
// documents it: text/template between << and >>, with the functions of
// slim-sprig and inputs.
func render(ctx context.Context, text string, input any) ([]map[string]any, error) {
	funcs := sprig.HermeticTxtFuncMap()
	for _, name := range boundless {
		delete(funcs, name)
	}
	funcs["inputs"] = func() any { return input }
	funcs["toYaml"] = func(v any) (string, error) {
		data, err := yaml.Marshal(v)
		return string(bytes.TrimSuffix(data, []byte("\n"))), err
	}
	t, err := template.New("resources").Delims("<<", ">>").Funcs(funcs).Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, fmt.Errorf("its template cannot be read: %w", err)
	}
	b := &bounded{ctx: ctx}
	done := make(chan error, 1)
	go func() { done <- t.Execute(b, nil) }()
	select {
	case err = <-done:
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		err = errors.New("it takes too long")
	}
	if err != nil {
		return nil, fmt.Errorf("its template cannot be rendered: %w", err)
	}
	var out []map[string]any
	nodes, ok := nodesOf(b.Bytes())
	if !ok {
		return nil, errors.New("its template gives no YAML")
	}
	for _, node := range nodes {
		data, err := yaml.Marshal(node)
		if err != nil {
			return nil, err
		}
		var object map[string]any
		if err := sigsyaml.Unmarshal(data, &object); err != nil {
			return nil, fmt.Errorf("its template gives no object: %w", err)
		}
		out = append(out, object)
	}
	return out, nil
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
