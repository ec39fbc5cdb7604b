package kustomize

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	fluxkustomize "github.com/fluxcd/pkg/apis/kustomize"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provider"
	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// generate returns the kustomization.yaml that kustomize-controller builds for
// a Flux Kustomization: that of the folder, or one that names all manifests
// below it, with the fields of the Kustomization's spec added. It returns the
// path of the file too.
// Source: github.com/fluxcd/pkg/kustomize, kustomize_generator.go, which reads
// and writes the disk and so cannot be used here.
func generate(files filesys.FileSystem, dir string, ks map[string]any) (text []byte, file string, err error) {
	kust, file, err := kustomizationOf(files, dir)
	if err != nil {
		return nil, "", err
	}
	for _, add := range []func(*kustypes.Kustomization, map[string]any) error{addNames, addPatches, addLegacyPatches, addImages, addBuildMetadata} {
		if err := add(&kust, ks); err != nil {
			return nil, "", err
		}
	}
	if err := addComponents(files, dir, &kust, ks); err != nil {
		return nil, "", err
	}
	text, err = yaml.Marshal(kust)
	return text, file, err
}

// kustomizationOf reads the kustomization.yaml of a folder, or makes one that lists the
// manifests below.
func kustomizationOf(files filesys.FileSystem, dir string) (kust kustypes.Kustomization, file string, err error) {
	kust.TypeMeta = kustypes.TypeMeta{APIVersion: kustypes.KustomizationVersion, Kind: kustypes.KustomizationKind}
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		file := path.Join(dir, name)
		if !files.Exists(file) || files.IsDir(file) {
			continue
		}
		data, err := files.ReadFile(file)
		if err == nil {
			err = yaml.Unmarshal(data, &kust)
		}
		if len(kust.Resources) == 0 {
			kust.BuildMetadata = []string{kustypes.OriginAnnotations} // kustomize refuses an empty file
		}
		return kust, file, err
	}
	if files.IsDir(path.Join(dir, konfig.DefaultKustomizationFileName())) {
		return kust, "", fmt.Errorf("%s is a directory", konfig.DefaultKustomizationFileName())
	}
	kust.Resources, err = scanManifests(files, dir)
	if len(kust.Resources) == 0 {
		kust.Namespace = "_placeholder" // kustomize refuses an empty file
	}
	return kust, path.Join(dir, konfig.DefaultKustomizationFileName()), err
}

// scanManifests lists the manifests below a folder, and the folders that have a
// kustomization.yaml of their own, relative to it.
func scanManifests(files filesys.FileSystem, dir string) ([]string, error) {
	var out []string
	resources := provider.NewDefaultDepProvider().GetResourceFactory()
	err := files.Walk(dir, func(name string, info fs.FileInfo, err error) error {
		switch {
		case err != nil || name == dir:
			return err
		case info.IsDir() && hasKustFile(files, name):
			out = append(out, strings.Replace(name, dir, ".", 1))
			return fs.SkipDir
		case info.IsDir() || path.Ext(name) != ".yaml" && path.Ext(name) != ".yml":
			return nil
		}
		data, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		err = Recovered("parsing YAML file "+path.Base(name), func() error {
			_, err := resources.SliceFromBytes(data)
			return err
		})
		if err != nil {
			return fmt.Errorf("failed to decode Kubernetes YAML from %s: %w", name, err)
		}
		out = append(out, strings.Replace(name, dir, ".", 1))
		return nil
	})
	return out, err
}

func hasKustFile(files filesys.FileSystem, dir string) bool {
	return slices.ContainsFunc(konfig.RecognizedKustomizationFileNames(), func(name string) bool {
		return files.Exists(path.Join(dir, name)) && !files.IsDir(path.Join(dir, name))
	})
}

func addNames(kust *kustypes.Kustomization, ks map[string]any) error {
	for field, to := range map[string]*string{
		"targetNamespace": &kust.Namespace, "namePrefix": &kust.NamePrefix, "nameSuffix": &kust.NameSuffix,
	} {
		text, written, err := unstructured.NestedString(ks, "spec", field)
		if err != nil {
			return err
		}
		if written {
			*to = text
		}
	}
	return nil
}

func addPatches(kust *kustypes.Kustomization, ks map[string]any) error {
	patches, err := listOf[fluxkustomize.Patch](ks, "patches")
	for _, p := range patches {
		kust.Patches = append(kust.Patches, kustypes.Patch{Patch: p.Patch, Target: selector(p.Target)})
	}
	return err
}

// addLegacyPatches adds the fields for patches that only v1beta2 has.
func addLegacyPatches(kust *kustypes.Kustomization, ks map[string]any) error {
	merges, err := listOf[apiextensionsv1.JSON](ks, "patchesStrategicMerge")
	if err != nil {
		return err
	}
	for _, p := range merges {
		//lint:ignore SA1019 v1beta2 has the field
		kust.PatchesStrategicMerge = append(kust.PatchesStrategicMerge, kustypes.PatchStrategicMerge(p.Raw))
	}
	operations, err := listOf[fluxkustomize.JSON6902Patch](ks, "patchesJson6902")
	if err != nil {
		return err
	}
	for _, p := range operations {
		text, err := json.Marshal(p.Patch)
		if err != nil {
			return err
		}
		//lint:ignore SA1019 v1beta2 has the field
		kust.PatchesJson6902 = append(kust.PatchesJson6902, kustypes.Patch{Patch: string(text), Target: selector(&p.Target)})
	}
	return nil
}

// addImages adds spec.images. For a name that is listed already, it replaces the fields
// that are set, tag and digest together.
func addImages(kust *kustypes.Kustomization, ks map[string]any) error {
	images, err := listOf[fluxkustomize.Image](ks, "images")
	for _, image := range images {
		i := slices.IndexFunc(kust.Images, func(have kustypes.Image) bool { return have.Name == image.Name })
		if i < 0 {
			kust.Images = append(kust.Images, kustypes.Image{Name: image.Name, NewName: image.NewName, NewTag: image.NewTag, Digest: image.Digest})
			continue
		}
		if image.NewName != "" {
			kust.Images[i].NewName = image.NewName
		}
		if image.NewTag != "" || image.Digest != "" {
			kust.Images[i].NewTag, kust.Images[i].Digest = image.NewTag, image.Digest
		}
	}
	return err
}

func addBuildMetadata(kust *kustypes.Kustomization, ks map[string]any) error {
	metadata, _, err := unstructured.NestedStringSlice(ks, "spec", "buildMetadata")
	if len(metadata) > 0 {
		kust.BuildMetadata = metadata
	}
	return err
}

func addComponents(files filesys.FileSystem, dir string, kust *kustypes.Kustomization, ks map[string]any) error {
	components, _, err := unstructured.NestedStringSlice(ks, "spec", "components")
	if err != nil {
		return fmt.Errorf("unable to get components: %w", err)
	}
	ignoreMissing, _, _ := unstructured.NestedBool(ks, "spec", "ignoreMissingComponents")
	for _, component := range components {
		if !IsLocalPath(component) {
			return fmt.Errorf("component path '%s' must be local and relative", component)
		}
		if ignoreMissing && !files.Exists(path.Join(dir, component)) {
			continue
		}
		kust.Components = append(kust.Components, component)
	}
	return nil
}

// listOf reads a list of spec as the API's type.
func listOf[T any](ks map[string]any, field string) ([]T, error) {
	items, _, err := unstructured.NestedSlice(ks, "spec", field)
	if err != nil {
		return nil, fmt.Errorf("unable to get %s: %w", field, err)
	}
	var errs []error
	out := make([]T, len(items))
	for i, item := range items {
		object, ok := item.(map[string]any)
		if !ok {
			errs = append(errs, fmt.Errorf("unable to convert patch %d to map[string]interface{}", i))
		}
		errs = append(errs, runtime.DefaultUnstructuredConverter.FromUnstructured(object, &out[i]))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("unable to get %s: %w", field, err)
	}
	return out, nil
}

func selector(s *fluxkustomize.Selector) *kustypes.Selector {
	if s == nil {
		return nil
	}
	out := &kustypes.Selector{LabelSelector: s.LabelSelector, AnnotationSelector: s.AnnotationSelector}
	out.Group, out.Kind, out.Version = s.Group, s.Kind, s.Version
	out.Name, out.Namespace = s.Name, s.Namespace
	return out
}
