package build

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
)

// setFields are the fields of a ResourceSet's spec that are understood, or that do not
// change what it renders.
// Source: its custom resource definition.
var setFields = []string{
	"commonMetadata", "dependsOn", "healthCheckExprs", "inputStrategy", "inputs", "inputsFrom", "resources",
	"resourcesTemplate", "serviceAccountName", "steps", "wait",
}

// ResourceSet renders the templates of a ResourceSet with its inline inputs and those of
// static providers, which are all that it takes inputs from; equal ones once. It returns
// the objects, and an error for each part that cannot be rendered. The objects are the
// caller's.
func (b *Builder) ResourceSet(set map[string]any, providers []map[string]any) ([]map[string]any, []error) {
	if err := unknownInputs(set); err != nil {
		return nil, []error{err}
	}
	templates, err := templatesOf(set)
	if err != nil {
		return nil, []error{err}
	}
	result := b.rendered(sandbox.Job{Templates: templates, Inputs: inputsOf(set, providers)})
	var errs []error
	for _, failure := range result.Failures {
		errs = append(errs, errors.New(failure))
	}
	return result.Objects, errs
}

// rendered returns the result of a job: that of an equal one before, or a new one.
func (b *Builder) rendered(job sandbox.Job) (out sandbox.Result) {
	data, err := json.Marshal(job)
	if err != nil {
		return sandbox.Result{Failures: []string{err.Error()}}
	}
	key := sha256.Sum256(data)
	kept := b.sets.Of(key, func() []byte {
		result, err := json.Marshal(b.Render(job))
		if err != nil {
			result, _ = json.Marshal(sandbox.Result{Failures: []string{err.Error()}}) // texts only
		}
		return result
	})
	if err := json.Unmarshal(kept, &out); err != nil {
		return sandbox.Result{Failures: []string{err.Error()}}
	}
	return out
}

// unknownInputs returns why it cannot be known what a ResourceSet renders; nil if it can.
func unknownInputs(set map[string]any) error {
	spec, _ := set["spec"].(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(spec)) {
		if !slices.Contains(setFields, field) {
			return fmt.Errorf("its field spec.%s is not known here", field)
		}
	}
	if set["apiVersion"] != object.OperatorGroup+"/v1" {
		return fmt.Errorf("its apiVersion %v is not known here", set["apiVersion"])
	}
	common, _ := spec["commonMetadata"].(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(common)) {
		if field != "labels" && field != "annotations" {
			return fmt.Errorf("its field spec.commonMetadata.%s is not known here", field)
		}
	}
	if name := object.String(spec, "inputStrategy", "name"); name != "" && name != "Flatten" {
		return fmt.Errorf("its inputs are combined by %s, which is not followed", name)
	}
	return nil
}

// inputsOf returns the sets of inputs that a ResourceSet has inline, then those of static
// providers, each with what provides it. Without any, its templates are rendered once.
// Source: github.com/controlplaneio-fluxcd/flux-operator, internal/inputs, Combine.
func inputsOf(set map[string]any, providers []map[string]any) []any {
	var out []any
	list, _ := object.At(set, "spec", "inputs").([]any)
	if len(list)+len(providers) == 0 {
		return []any{map[string]any{}}
	}
	for _, item := range list {
		out = append(out, inputFrom(set, item))
	}
	for _, p := range providers {
		input := inputFrom(p, object.At(p, "spec", "defaultValues"))
		input["id"] = variables.Marker(InputID) // made of the object's UID in the cluster
		out = append(out, input)
	}
	return out
}

// InputID is the input of a static provider that is not known, as an unknown variable.
const InputID = "id"

func inputFrom(by map[string]any, values any) map[string]any {
	own, _ := values.(map[string]any)
	input := maps.Clone(own)
	if input == nil {
		input = map[string]any{}
	}
	input["provider"] = map[string]any{
		"apiVersion": by["apiVersion"], "kind": by["kind"], "name": object.At(by, "metadata", "name"), "namespace": object.At(by, "metadata", "namespace"),
	}
	return input
}

// templatesOf returns the templates of a ResourceSet as text: resources before
// resourcesTemplate, whose duplicates they beat.
func templatesOf(set map[string]any) ([]string, error) {
	var out []string
	holders := []any{set["spec"]}
	steps, _ := object.At(set, "spec", "steps").([]any)
	for _, holder := range append(holders, steps...) {
		resources, _ := object.At(holder, "resources").([]any)
		for _, item := range resources {
			data, err := yaml.Marshal(item)
			if err != nil {
				return nil, err
			}
			out = append(out, string(data))
		}
		if text, ok := object.At(holder, "resourcesTemplate").(string); ok {
			out = append(out, text)
		}
	}
	return out, nil
}

// AddMetadata adds the labels and annotations of by's spec.commonMetadata to an object,
// as the controllers do when they apply it.
func AddMetadata(obj, by map[string]any) {
	meta, ok := obj["metadata"].(map[string]any)
	if !ok {
		return
	}
	for _, field := range []string{"labels", "annotations"} {
		add, _ := object.At(by, "spec", "commonMetadata", field).(map[string]any)
		if len(add) == 0 {
			continue
		}
		have, _ := meta[field].(map[string]any)
		all := map[string]any{}
		maps.Copy(all, have)
		maps.Copy(all, add)
		meta[field] = all
	}
}
