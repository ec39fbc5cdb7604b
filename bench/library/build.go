package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/yaml"
)

// build returns what a Kustomization applies.
func build(root string, k unstructured.Unstructured) ([]byte, error) {
	path, _, _ := unstructured.NestedString(k.Object, "spec", "path")
	dir := filepath.Join(root, path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, errors.New("the path is no folder of the tree")
	}
	action, err := kustomize.NewGenerator(root, k).WriteFile(dir, kustomize.WithSaveOriginalKustomization())
	if err != nil {
		return nil, errors.Join(err, kustomize.CleanDirectory(dir, action))
	}
	built, err := kustomize.SecureBuild(root, dir, false)
	if err := errors.Join(err, kustomize.CleanDirectory(dir, action)); err != nil {
		return nil, err
	}
	if _, ok, _ := unstructured.NestedMap(k.Object, "spec", "postBuild"); ok {
		if err := substitute(k, built); err != nil {
			return nil, err
		}
	}
	return built.AsYaml()
}

// substitute replaces the variables that the Kustomization gives itself.
func substitute(k unstructured.Unstructured, built resmap.ResMap) error {
	for _, resource := range built.Resources() {
		out, err := kustomize.SubstituteVariables(context.Background(), nil, k, resource, kustomize.SubstituteWithDryRun(true))
		if err != nil {
			return err
		}
		if out != nil {
			if _, err := built.Replace(out); err != nil {
				return err
			}
		}
	}
	return nil
}

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
