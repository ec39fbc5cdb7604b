package main

import (
	"bytes"
	"encoding/json"
	"maps"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
)

// postRender does to what is rendered what spec.postRenderers and spec.commonMetadata say, as
// internal/postrender of helm-controller does: patches and images by kustomize, one renderer after
// the other.
func postRender(documents []map[string]any, job charts.Job) ([]map[string]any, error) {
	for _, item := range job.PostRenderers {
		renderer, _ := item.(map[string]any)
		settings, ok := renderer["kustomize"].(map[string]any)
		if !ok {
			continue
		}
		var err error
		if documents, err = kustomize(documents, settings); err != nil {
			return nil, err
		}
	}
	annotations, _ := job.CommonMetadata["annotations"].(map[string]any)
	if len(annotations) > 0 {
		for _, document := range documents {
			annotate(document, annotations)
		}
	}
	return documents, nil
}

func annotate(object, with map[string]any) {
	items, _ := object["items"].([]any)
	for _, item := range items {
		if o, ok := item.(map[string]any); ok {
			annotate(o, with)
		}
	}
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		return
	}
	annotations, _ := metadata["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	}
	maps.Copy(annotations, with)
	metadata["annotations"] = annotations
}

func kustomize(documents []map[string]any, settings map[string]any) ([]map[string]any, error) {
	var rendered bytes.Buffer
	for _, document := range documents {
		text, err := yaml.Marshal(document)
		if err != nil {
			return nil, err
		}
		rendered.WriteString("---\n")
		rendered.Write(text)
	}
	text, err := json.Marshal(map[string]any{
		"apiVersion": types.KustomizationVersion, "kind": types.KustomizationKind, "resources": []string{"rendered.yaml"},
		"patches": settings["patches"], "images": settings["images"],
	})
	if err != nil {
		return nil, err
	}
	fs := filesys.MakeFsInMemory()
	if err := fs.WriteFile("rendered.yaml", rendered.Bytes()); err != nil {
		return nil, err
	}
	if err := fs.WriteFile("kustomization.yaml", text); err != nil {
		return nil, err
	}
	options := &krusty.Options{LoadRestrictions: types.LoadRestrictionsRootOnly, PluginConfig: types.DisabledPluginConfig()}
	built, err := krusty.MakeKustomizer(options).Run(fs, ".")
	if err != nil {
		return nil, err
	}
	out, err := built.AsYaml()
	if err != nil {
		return nil, err
	}
	return parse(string(out))
}
