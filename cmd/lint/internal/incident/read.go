package incident

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Read returns the HelmReleases of a name and namespace from objects or lists in files,
// as kubectl prints them. An empty name or namespace matches all.
func Read(files fs.FS, namespace, name string) ([]map[string]any, error) {
	var all []map[string]any
	err := fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		found, err := read(file, data)
		all = append(all, found...)
		return err
	})
	return chosen(all, namespace, name), err
}

func read(name string, data []byte) ([]map[string]any, error) {
	file, err := yamledit.Parse(name, data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	var all []map[string]any
	for _, document := range file.Documents {
		object, err := document.Object()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		all = append(all, releases(object)...)
	}
	return all, nil
}

// releases returns the HelmReleases of an object: itself, or those of its items, which may
// be lists.
func releases(object map[string]any) []map[string]any {
	apiVersion, _ := object["apiVersion"].(string)
	if object["kind"] == "HelmRelease" && strings.HasPrefix(apiVersion, release.Group+"/") {
		return []map[string]any{object}
	}
	items, _ := object["items"].([]any)
	var all []map[string]any
	for _, item := range items {
		if one, ok := item.(map[string]any); ok {
			all = append(all, releases(one)...)
		}
	}
	return all
}

func chosen(all []map[string]any, namespace, name string) []map[string]any {
	return slices.DeleteFunc(all, func(object map[string]any) bool {
		meta, _ := object["metadata"].(map[string]any)
		return name != "" && meta["name"] != name || namespace != "" && meta["namespace"] != namespace
	})
}
