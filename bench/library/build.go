package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/resmap"
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
