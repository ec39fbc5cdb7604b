package controllers

import (
	"regexp"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// environment are the variables of a container whose values are known.
type environment map[string]string

// ConfigMaps returns the data of a ConfigMap by its name; nil if that is not known.
type ConfigMaps func(name string) map[string]any

// environmentOf returns the environment of a container of a Deployment. What comes from elsewhere
// than ConfigMaps that are known is not in it.
func environmentOf(container any, namespace string, from ConfigMaps) environment {
	e := environment{}
	all, _ := object.At(container, "envFrom").([]any)
	for _, item := range all {
		e.addAll(object.String(item, "prefix"), from(object.String(item, "configMapRef", "name")))
	}
	list, _ := object.At(container, "env").([]any)
	for _, item := range list {
		name := object.String(item, "name")
		if value, known := e.valueOf(item, namespace, from); known {
			e[name] = value
		} else {
			delete(e, name)
		}
	}
	return e
}

// addAll adds all of a ConfigMap. One that is not known may set any variable.
func (e environment) addAll(prefix string, data map[string]any) {
	if data == nil {
		clear(e)
	}
	for key, value := range data {
		if text, ok := value.(string); ok {
			e[prefix+key] = text
		}
	}
}

// valueOf returns the value of an entry of env, and reports whether it is known.
func (e environment) valueOf(item any, namespace string, from ConfigMaps) (value string, known bool) {
	if object.At(item, "valueFrom") == nil {
		value, known = e.expand(object.String(item, "value"))
		return value, known
	}
	if object.String(item, "valueFrom", "fieldRef", "fieldPath") == "metadata.namespace" {
		return namespace, true
	}
	data := from(object.String(item, "valueFrom", "configMapKeyRef", "name"))
	value, known = data[object.String(item, "valueFrom", "configMapKeyRef", "key")].(string)
	return value, known
}

var references = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\$|\$\(([^()]*)\)`) })

// expand replaces $(NAME) as Kubernetes does, and reports whether each variable is known.
// Source: k8s.io/kubernetes/third_party/forked/golang/expansion.
func (e environment) expand(text string) (expanded string, known bool) {
	known = true
	expanded = references().ReplaceAllStringFunc(text, func(match string) string {
		if match == "$$" {
			return "$"
		}
		value, ok := e[match[2:len(match)-1]]
		if !ok {
			known = false
			return match
		}
		return value
	})
	return expanded, known
}
