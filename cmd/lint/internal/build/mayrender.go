package build

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// MayRender reports whether a ResourceSet may render a HelmRelease or a Flux
// Kustomization, whatever its inputs are.
func MayRender(set map[string]any) bool {
	spec, _ := set["spec"].(map[string]any)
	spec = maps.Clone(spec)
	delete(spec, "dependsOn")
	delete(spec, "healthCheckExprs")
	steps, _ := spec["steps"].([]any)
	return object.MayRender(fmt.Append(nil, spec)) || rendersAny(spec) || slices.ContainsFunc(steps, rendersAny)
}

// rendersAny reports whether the templates of a spec or a step may render objects of any
// kind: a kind or a whole part of an object is made by an action.
func rendersAny(holder any) bool {
	text, _ := object.At(holder, "resourcesTemplate").(string)
	resources, _ := object.At(holder, "resources").([]any)
	return composes(text) || slices.ContainsFunc(resources, func(item any) bool {
		known, isObject := item.(map[string]any)
		kind, _ := known["kind"].(string)
		return !isObject || kind == "" || strings.Contains(kind, "<<") || strings.HasSuffix(kind, "List")
	})
}

var (
	composedKind = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`kind["']?\s*:(?:[^\n]*<<|\s*["']?\w*List\b)`) })
	beforeColon  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[^:\n]*<<.*$`) })
	action       = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<<-?\s*(\S+)(?:\s*(:?=)\s)?`) })
)

// silent are the first words of the actions that print nothing themselves.
var silent = []string{"range", "if", "else", "end", "with", "define", "break", "continue"}

// composes reports whether a template makes a kind, a key or whole lines by an action.
func composes(template string) bool {
	if composedKind().MatchString(template) {
		return true
	}
	return slices.ContainsFunc(beforeColon().FindAllString(template, -1), func(line string) bool {
		return slices.ContainsFunc(action().FindAllStringSubmatch(line, -1), func(m []string) bool {
			return m[2] == "" && !strings.HasPrefix(m[1], "/*") && !slices.Contains(silent, m[1])
		})
	})
}
