package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"text/template"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
	releaseutil "helm.sh/helm/v4/pkg/release/v1/util"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/pkg/loss"
)

// maxRendered is the size in bytes of what all templates of a chart may give.
const maxRendered = 32 << 20

// render renders a chart as helm-controller has Helm do it, without a cluster.
func render(job charts.Job) (out charts.Result) {
	loaded, err := load(job)
	if loaded != nil && loaded.Metadata != nil {
		out.Chart = loaded.Name() + " " + loaded.Metadata.Version
	}
	if err == nil {
		err = fill(&out, loaded, job)
	}
	if err != nil {
		out.Problem = oneLine(err)
	}
	return out
}

// oneLine returns where something is wrong and what, which Helm says in its first line and in its last.
func oneLine(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	if last := len(lines) - 1; last > 0 {
		return lines[0] + ": " + strings.TrimSpace(lines[last])
	}
	return lines[0]
}

// load reads the chart, with the values that the release names in place of the chart's.
func load(job charts.Job) (*chart.Chart, error) {
	files, err := kept(job)
	if err != nil {
		return nil, err
	}
	if job.Archive != nil {
		if files, err = archive.LoadArchiveFiles(bytes.NewReader(job.Archive)); err != nil {
			return nil, fmt.Errorf("its archive cannot be read: %w", err)
		}
	}
	loaded, err := loader.LoadFiles(files)
	if err != nil || job.ValuesFiles == nil {
		return loaded, err
	}
	values := map[string]any{}
	for _, text := range job.ValuesFiles {
		if job.Archive != nil {
			i := slices.IndexFunc(files, func(f *archive.BufferedFile) bool { return f.Name == path.Clean(text) })
			if i < 0 && job.SkipMissing {
				continue
			} else if i < 0 {
				return loaded, fmt.Errorf("its values file %s is not in the chart", text)
			}
			text = string(files[i].Data)
		}
		more, err := loader.LoadValues(strings.NewReader(text))
		if err != nil {
			return loaded, err
		}
		values = loader.MergeMaps(values, more)
	}
	loaded.Values = values
	return loaded, nil
}

// fill renders the templates and takes the result apart.
func fill(out *charts.Result, c *chart.Chart, job charts.Job) error {
	if c.Metadata.Type == "library" {
		return errors.New("it is a library, which cannot be installed")
	}
	var err error
	if job.Values, err = effective(job); err != nil {
		return err
	}
	if err := chartutil.ProcessDependencies(c, job.Values); err != nil {
		return err
	}
	if err := complete(c); err != nil {
		return err
	}
	if err := closed(c); err != nil && !job.AnyValues {
		return err
	}
	options := common.ReleaseOptions{Name: job.Name, Namespace: job.Namespace, Revision: 1, IsInstall: true}
	if out.Documents, err = installed(c, job, options, &cluster{namespace: job.Namespace, asked: &out.Asks}); err != nil {
		return err
	}
	out.Asks = unanswered(out, c, job)
	for i, document := range out.Documents {
		out.Documents[i] = loss.Slim(document)
	}
	for _, definition := range c.CRDObjects() {
		more, err := parse(string(definition.File.Data))
		if err != nil {
			return fmt.Errorf("%s: %w", definition.Filename, err)
		}
		for _, object := range more {
			out.Definitions = append(out.Definitions, loss.Slim(object))
		}
	}
	return nil
}

// complete returns an error if an enabled dependency is not in the chart.
func complete(c *chart.Chart) error {
	for _, wanted := range c.Metadata.Dependencies {
		held := slices.ContainsFunc(c.Dependencies(), func(d *chart.Chart) bool { return d.Name() == wanted.Name })
		if wanted.Enabled && !held {
			return fmt.Errorf("its dependency %s %s is not in charts/: run `helm dependency build`", wanted.Name, wanted.Version)
		}
	}
	for _, d := range c.Dependencies() {
		if err := complete(d); err != nil {
			return err
		}
	}
	return nil
}

// installed renders the templates and applies the post renderers.
func installed(c *chart.Chart, job charts.Job, options common.ReleaseOptions, on *cluster) ([]map[string]any, error) {
	values, err := util.ToRenderValuesWithSchemaValidation(c, job.Values, options, common.DefaultCapabilities, job.AnyValues)
	if err != nil {
		return nil, err
	}
	rendered, err := engine.Engine{CustomTemplateFuncs: functions(on)}.Render(c, values)
	if err != nil {
		return nil, err
	}
	out, err := documents(rendered)
	if err != nil {
		return nil, err
	}
	if out, err = postRender(out, job); err != nil {
		return nil, fmt.Errorf("its post renderers fail: %w", err)
	}
	return out, nil
}

// functions are those that ask the cluster or are not bounded by what they are given.
func functions(on *cluster) template.FuncMap {
	tooMuch := fmt.Errorf("it repeats a text to more than %d MiB", maxRendered>>20)
	repeat := func(count int, text string) (string, error) {
		if count < 0 || count*max(1, len(text)) > maxRendered {
			return "", tooMuch
		}
		return strings.Repeat(text, count), nil
	}
	return template.FuncMap{"lookup": on.lookup, "repeat": repeat}
}

// documents returns the YAML documents of templates, in the order of their files.
func documents(rendered map[string]string) ([]map[string]any, error) {
	var out []map[string]any
	size := 0
	for _, name := range slices.Sorted(maps.Keys(rendered)) {
		if strings.HasSuffix(name, "NOTES.txt") || strings.HasPrefix(path.Base(name), "_") {
			continue
		}
		if size += len(rendered[name]); size > maxRendered {
			return nil, fmt.Errorf("its templates give more than %d MiB", maxRendered>>20)
		}
		more, err := parse(rendered[name])
		if err != nil {
			return nil, fmt.Errorf("%s gives no YAML: %w", name, err)
		}
		out = append(out, more...)
	}
	return out, nil
}

func parse(text string) ([]map[string]any, error) {
	split := releaseutil.SplitManifests(text)
	keys := slices.Collect(maps.Keys(split))
	slices.SortFunc(keys, func(a, b string) int {
		if releaseutil.BySplitManifestsOrder([]string{a, b}).Less(0, 1) {
			return -1
		}
		return 1
	})
	var out []map[string]any
	for _, key := range keys {
		var document map[string]any
		if err := yaml.Unmarshal([]byte(split[key]), &document); err != nil {
			return nil, err
		}
		if len(document) > 0 {
			out = append(out, document)
		}
	}
	return out, nil
}
