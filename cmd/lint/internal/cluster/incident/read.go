package incident

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/printed"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load/snapshot"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Objects reads the objects of a file or a folder, as kubectl prints them; "-" is standard
// input. One that cannot be read is an error, and hides no other.
func Objects(ctx context.Context, from snapshot.Snapshot, name string) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		if info, err := os.Stat(name); name != "-" && err == nil && info.IsDir() {
			folder(ctx, from, name)(yield)
			return
		}
		file, err := from.Stream(name)
		if err != nil {
			yield(nil, err)
			return
		}
		defer file.Close()
		printed.Objects(name, file)(yield)
	}
}

// folder reads the objects of all files of a folder.
func folder(ctx context.Context, from snapshot.Snapshot, name string) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		files, err := from.Open(ctx, name, tree.Options{})
		if err != nil {
			yield(nil, err)
			return
		}
		err = fs.WalkDir(files, ".", func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			for object, err := range objects(files.File(file)) {
				if !yield(object, err) {
					return fs.SkipAll
				}
			}
			return nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

func objects(file *tree.File) iter.Seq2[map[string]any, error] {
	data, err := file.Data()
	if err != nil {
		return func(yield func(map[string]any, error) bool) { yield(nil, fmt.Errorf("read %s: %w", file.Name(), err)) }
	}
	return printed.Objects(file.Name(), bytes.NewReader(data))
}

// Releases returns the HelmReleases of a name and namespace, without their values, which
// no question depends on. An empty name or namespace matches all. The error is about what
// cannot be read.
func Releases(objects iter.Seq2[map[string]any, error], namespace, name string) ([]map[string]any, error) {
	var all []map[string]any
	var errs []error
	for object, err := range objects {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if IsRelease(object) && isNamed(object, namespace, name) {
			withoutValues(object)
			all = append(all, object)
		}
	}
	return all, errors.Join(errs...)
}

// IsRelease reports whether an object is a HelmRelease.
func IsRelease(object map[string]any) bool {
	apiVersion, _ := object["apiVersion"].(string)
	return object["kind"] == "HelmRelease" && strings.HasPrefix(apiVersion, release.Group+"/")
}

func isNamed(of map[string]any, namespace, name string) bool {
	return (name == "" || object.Name(of) == name) && (namespace == "" || object.Namespace(of) == namespace)
}

func withoutValues(object map[string]any) {
	if spec, ok := object["spec"].(map[string]any); ok {
		delete(spec, "values")
	}
}
