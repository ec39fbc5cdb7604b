package charts

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Query asks for the chart of a release.
type Query struct {
	// Object is the HelmRelease as Flux will apply it.
	Object map[string]any
	// Cluster is the name of its cluster; empty if it has none.
	Cluster string
	// Name and Namespace are those of the Helm release.
	Name, Namespace string
	// Unknown is why values or the chart are not known, such as a variable; empty if they are.
	Unknown string
	// Content returns the files of a GitRepository, Bucket or OCIRepository that is this repository
	// or is mapped to a folder.
	Content func(kind, namespace, name string) (fs.FS, error)
	// Secret is called with each text that a Secret supplies to the values: what is rendered, and why
	// it cannot be, may hold it.
	Secret func(text string)
	// Holds reports whether a text of the release holds what a Secret supplies, as a variable does.
	Holds func(text string) bool
	// Instead stands for that in what is said.
	Instead string
	// Find returns an object of the cluster; nil if the tree does not have it.
	Find func(kind, namespace, name string) map[string]any
}

func (l *Library) job(q Query) (Job, error) {
	spec, _ := q.Object["spec"].(map[string]any)
	job := Job{Name: q.Name, Namespace: q.Namespace}
	job.CommonMetadata, _ = spec["commonMetadata"].(map[string]any)
	job.PostRenderers, _ = spec["postRenderers"].([]any)
	job.AnyValues, _ = object.At(spec, "install", "disableSchemaValidation").(bool)
	if q.Unknown != "" {
		return job, errors.New(q.Unknown)
	}
	var err error
	job.Values, _ = spec["values"].(map[string]any)
	if job.From, err = q.values(); err != nil {
		return job, err
	}
	return job, l.chart(&job, q)
}

func (l *Library) chart(job *Job, q Query) error {
	chart, owner := object.At(q.Object, "spec", "chart", "spec"), object.Namespace(q.Object)
	if ref := object.At(q.Object, "spec", "chartRef"); ref != nil {
		kind, namespace, name := object.String(ref, "kind"), object.String(ref, "namespace"), object.String(ref, "name")
		if namespace == "" {
			namespace = owner
		}
		source := q.Find(kind, namespace, name)
		if source == nil {
			return fmt.Errorf("its chart is not known: %s %s/%s is not in the tree", kind, namespace, name)
		}
		if kind == "OCIRepository" {
			return l.published(job, source, q)
		}
		chart, owner = object.At(source, "spec"), namespace
	}
	if object.String(chart, "kind") == "OCIRepository" {
		return l.published(job, map[string]any{"spec": chart}, q)
	}
	job.SkipMissing, _ = object.At(chart, "ignoreMissingValuesFiles").(bool)
	ref := object.At(chart, "sourceRef")
	kind, namespace, name := object.String(ref, "kind"), object.String(ref, "namespace"), object.String(ref, "name")
	if namespace == "" {
		namespace = owner
	}
	if kind == "HelmRepository" {
		job.ValuesFiles = texts(object.At(chart, "valuesFiles"))
		return l.take(job, path.Base(object.String(chart, "chart")), object.String(chart, "version"))
	}
	return l.fromSource(job, q, chart, kind, namespace, name)
}

// fromSource sets the chart that is a folder or an archive of a source.
func (l *Library) fromSource(job *Job, q Query, chart any, kind, namespace, name string) error {
	files, err := q.Content(kind, namespace, name)
	if err != nil {
		return fmt.Errorf("its chart is not known: %w", err)
	}
	dir := path.Clean(strings.TrimPrefix(object.String(chart, "chart"), "/"))
	if strings.HasSuffix(dir, ".tgz") {
		job.ValuesFiles = texts(object.At(chart, "valuesFiles"))
		job.Archive, err = readFile(files, dir, maxChart)
		return err
	}
	if _, err := fs.Stat(files, path.Join(dir, chartFile)); err != nil {
		return fmt.Errorf("its chart %s is not in %s %s/%s", dir, kind, namespace, name)
	}
	sub, err := fs.Sub(files, dir)
	if err != nil {
		return err
	}
	if job.Files, err = folderFiles(sub); err != nil {
		return err
	}
	if err := l.complete(job); err != nil {
		return err
	}
	for _, file := range texts(object.At(chart, "valuesFiles")) { // relative to the source
		text, err := fs.ReadFile(files, path.Clean(strings.TrimPrefix(file, "/")))
		if err != nil && job.SkipMissing {
			continue
		} else if err != nil {
			return fmt.Errorf("its values file %s is not in %s %s/%s", file, kind, namespace, name)
		}
		job.ValuesFiles = append(job.ValuesFiles, string(text))
	}
	return nil
}

// published sets the chart that an OCIRepository holds: the last part of its URL names it.
func (l *Library) published(job *Job, source map[string]any, q Query) error {
	ref := object.At(source, "spec", "ref")
	version := object.String(ref, "tag")
	if semver := object.String(ref, "semver"); semver != "" {
		version = semver
	}
	name := path.Base(object.String(source, "spec", "url"))
	if object.String(ref, "digest") != "" {
		return fmt.Errorf("its chart %s is named by a digest, which says no version", name)
	}
	return l.take(job, name, strings.ReplaceAll(version, "_", "+"))
}

// take sets a chart of the folders.
func (l *Library) take(job *Job, name, version string) error {
	found, err := l.find(name, version)
	if err != nil {
		return err
	}
	if job.Archive, job.Files, err = found.read(); err != nil || job.Archive != nil {
		return err
	}
	if err := l.complete(job); err != nil {
		return err
	}
	for i, file := range job.ValuesFiles { // in the chart
		text, ok := job.Files[path.Clean(file)]
		if !ok && !job.SkipMissing {
			return fmt.Errorf("its values file %s is not in the chart", file)
		}
		job.ValuesFiles[i] = string(text)
	}
	return nil
}

func texts(list any) []string {
	items, _ := list.([]any)
	var out []string
	for _, item := range items {
		if text, ok := item.(string); ok {
			out = append(out, text)
		}
	}
	return out
}
