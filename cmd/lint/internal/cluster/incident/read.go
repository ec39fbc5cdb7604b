package incident

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/printed"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/spf13/pflag"
)

// Options say what is asked, and how it is answered.
type Options struct {
	// Namespace and Name are those of the releases. Without a name it is all; without a
	// namespace that of the context, all of a file, or All.
	Namespace, Name string
	All             bool
	// File holds them, "-" is standard input, also as the name; empty means a cluster.
	File, Format string
	Now          time.Time
}

// Check returns an error about options that cannot be followed.
func (o *Options) Check() error {
	if o.Name == "-" && o.File == "" {
		o.Name, o.File = "", "-"
	}
	switch {
	case !slices.Contains(Formats(), o.Format):
		return fmt.Errorf("-o %s: unknown format: want %s", o.Format, strings.Join(Formats(), ", "))
	case o.File == "" && o.Name != "" && o.All:
		return errors.New("--all-namespaces: a release is in one namespace: want --namespace")
	}
	return nil
}

// Read returns the objects of File that are asked for, all HelmReleases beside them, and what holds up what
// among all that is there.
func (o *Options) Read(ctx context.Context, from load.Snapshot) (asked, all []map[string]any, around *standstill.Cluster, err error) {
	around = &standstill.Cluster{}
	all, err = Releases(around.Adding(Objects(ctx, from, o.File)), "", "")
	for _, object := range all {
		if isNamed(object, o.Namespace, o.Name) {
			asked = append(asked, object)
		}
	}
	return asked, all, around, err
}

// Nothing says what was not found, and where.
func (o *Options) Nothing(where string) string {
	return strings.Join(strings.Fields("no HelmRelease "+o.Name+" was found "+where), " ")
}

// Explain says of each object what is wrong.
func (o *Options) Explain(ctx context.Context, out io.Writer, objects []map[string]any, by *Source) error {
	all, unread := by.All(ctx, objects)
	return errors.Join(Write(out, o.Format, all, by.Engine.InForce()), unread)
}

// Register registers the flags that say what is asked.
func (o *Options) Register(flags *pflag.FlagSet) {
	flags.StringVarP(&o.Namespace, "namespace", "n", "", "releases of that `NAMESPACE` (default: that of the context, or all of FILE)")
	flags.BoolVarP(&o.All, "all-namespaces", "A", false, "releases of all namespaces")
	flags.StringVarP(&o.File, "filename", "f", "", "`FILE` with HelmReleases as the cluster has them; - is standard input")
	flags.StringVarP(&o.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(Formats(), ", "))
}

// Objects reads the objects of a file or a folder, as kubectl prints them; "-" is standard
// input. One that cannot be read is an error, and hides no other.
func Objects(ctx context.Context, from load.Snapshot, name string) iter.Seq2[map[string]any, error] {
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
func folder(ctx context.Context, from load.Snapshot, name string) iter.Seq2[map[string]any, error] {
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
