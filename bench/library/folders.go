package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/yaml"
)

// outermost returns a Kustomization for each folder of a tree that has a kustomization.yaml
// which no other one lists, but for components.
func outermost(root string) ([]unstructured.Unstructured, error) {
	listed := map[string]bool{}
	var folders []string
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !slices.Contains(konfig.RecognizedKustomizationFileNames(), entry.Name()) {
			return err
		}
		text, err := os.ReadFile(name)
		var k struct {
			Kind                         string
			Resources, Bases, Components []string
		}
		if yaml.Unmarshal(text, &k) != nil {
			return err
		}
		dir := filepath.Dir(name)
		for _, entry := range slices.Concat(k.Resources, k.Bases, k.Components) {
			listed[filepath.Join(dir, entry)] = true
		}
		if k.Kind != "Component" {
			folders = append(folders, dir)
		}
		return err
	})
	var out []unstructured.Unstructured
	for _, dir := range folders {
		if path, _ := filepath.Rel(root, dir); !listed[dir] {
			out = append(out, unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"path": path}}})
		}
	}
	return out, err
}
