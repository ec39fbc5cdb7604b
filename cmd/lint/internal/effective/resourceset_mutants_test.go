package effective

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/template"

	sprig "github.com/go-task/slim-sprig/v3"
	"sigs.k8s.io/yaml"
)

// set is a ResourceSet, with the fields that matter here.
type set struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   any    `json:"metadata"`
	Spec       struct {
		CommonMetadata    struct{ Labels, Annotations map[string]string } `json:"commonMetadata"`
		Inputs            []map[string]any                                `json:"inputs"`
		InputsFrom        []any                                           `json:"inputsFrom"`
		Resources         []any                                           `json:"resources"`
		ResourcesTemplate string                                          `json:"resourcesTemplate"`
	}
}

// releasesOf renders the ResourceSets of a stream as flux-operator documents it, with
// nothing of this package. It reports failed if one would be refused or needs a
// cluster.
func releasesOf(data []byte) (releases []string, failed bool) {
	for _, doc := range strings.Split("\n"+string(data), "\n---\n") {
		var s set
		if !strings.Contains(doc, "ResourceSet") {
			continue
		}
		if yaml.UnmarshalStrict([]byte(doc), &s) != nil || s.APIVersion != "fluxcd.controlplane.io/v1" || s.Kind != "ResourceSet" || s.Spec.InputsFrom != nil {
			failed = true
			continue
		}
		templates := []string{s.Spec.ResourcesTemplate}
		for _, resource := range s.Spec.Resources {
			text, _ := yaml.Marshal(resource)
			templates = append(templates, string(text))
		}
		if len(s.Spec.Inputs) == 0 {
			s.Spec.Inputs = []map[string]any{{}}
		}
		for _, inputs := range s.Spec.Inputs {
			for _, text := range templates {
				objects, ok := s.render(text, inputs)
				releases, failed = append(releases, objects...), failed || !ok
			}
		}
	}
	slices.Sort(releases)
	return slices.Compact(releases), failed
}

func (s set) render(text string, inputs map[string]any) (releases []string, ok bool) {
	t, err := template.New("").Delims("<<", ">>").Option("missingkey=error").Funcs(sprig.HermeticTxtFuncMap()).
		Funcs(template.FuncMap{"inputs": func() any { return inputs }}).Parse(text)
	if err != nil {
		return nil, false
	}
	var out bytes.Buffer
	if t.Execute(&out, nil) != nil {
		return nil, false
	}
	for _, doc := range strings.Split("\n"+out.String(), "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(doc), &object); err != nil {
			return nil, false
		}
		if object["kind"] != "HelmRelease" {
			continue
		}
		meta, isMap := object["metadata"].(map[string]any)
		if !isMap || object["apiVersion"] != "helm.toolkit.fluxcd.io/v2" {
			return nil, false
		}
		for field, add := range map[string]map[string]string{"labels": s.Spec.CommonMetadata.Labels, "annotations": s.Spec.CommonMetadata.Annotations} {
			for key, value := range add {
				if meta[field] == nil {
					meta[field] = map[string]any{}
				}
				meta[field].(map[string]any)[key] = value
			}
		}
		data, _ := json.Marshal(object)
		releases = append(releases, string(data))
	}
	return releases, true
}

// For any changed line of a ResourceSet, the releases are those that it renders, or
// something is reported as unknown.
func TestResourceSetMutants(t *testing.T) {
	const entry = "clusters/prod/tenants.yaml"
	dir := filepath.Join(fleets, "resourceset")
	known := unknownsOf(load(t, dir, Options{}), dir)
	all := append(mutantsOf(t, dir, *mutants/20), mutant{file: entry, what: "itself"})
	all[len(all)-1].data, _ = os.ReadFile(filepath.Join(dir, entry))
	for _, m := range all {
		tmp := m.in(t, dir)
		if !sameEntries(t, entry, dir, tmp) {
			continue
		}
		want, _ := releasesOf(m.data)
		tree := load(t, tmp, Options{})
		said := slices.DeleteFunc(unknownsOf(tree, tmp), func(s string) bool { return slices.Contains(known, s) })
		if got := objectsOf(tree, "prod"); len(said) == 0 && !slices.Equal(got, want) {
			t.Errorf("%s\ngot\n%s\nwant\n%s", m.what, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
