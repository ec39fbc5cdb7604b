package main

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
)

const manifests = "../../../manifests"

// choice is one of the settings of the project's chart, and the components that each of its values
// stands for. Components are listed in this order, which decides about that of arguments.
type choice []option

type option struct {
	setting    string // NAME=VALUE below webhook
	components []string
}

var choices = []choice{
	{{"certificate=self-signed", []string{"self-signed"}}, {"certificate=cert-manager", []string{"cert-manager"}}},
	{{}, {"cluster=production", []string{"production-cluster"}}, {"cluster=staging", []string{"staging-cluster"}}},
	{{}, {"failClosed=all", []string{"fail-closed"}}, {"failClosed=apps", []string{"fail-closed-apps"}}},
	{{}, {"bundle=configmap", []string{"bundle"}}, {"bundle=image", []string{"bundle-image"}}},
	{{}, {"monitoring=true", []string{"monitoring"}}},
	{{}, {"secureMetrics=true", []string{"secure-metrics"}}},
	{{}, {"backstop=true", []string{"backstop"}}},
	{{}, {"check=true", []string{"check"}}},
	{{}, {"audit=true", []string{"audit"}}},
	{{}, {"auditFleet=true", []string{"audit-fleet"}}},
}

// combination is one option of each choice.
type combination []option

func (c combination) String() string {
	var settings []string
	for _, o := range c {
		if o.setting != "" {
			settings = append(settings, o.setting)
		}
	}
	return strings.Join(settings, " ")
}

func (c combination) values() map[string]any {
	webhook := map[string]any{}
	values := map[string]any{"webhook": webhook}
	for _, o := range c {
		name, text, _ := strings.Cut(o.setting, "=")
		switch {
		case strings.HasPrefix(name, "audit"):
			values[name] = map[string]any{"enabled": true}
		case text == "true":
			webhook[name] = true
		case name != "":
			webhook[name] = text
		}
	}
	return values
}

// kustomization says the same in the manifests, in another namespace if one is named.
func (c combination) kustomization(namespace string) string {
	text := "resources: [../base]\ncomponents:\n"
	for _, o := range c {
		for _, name := range o.components {
			text += "- ../components/" + name + "\n"
		}
	}
	if namespace != "flux-remedy" {
		text += "namespace: " + namespace + "\n"
	}
	return text
}

// combinations are all that two options make beside the defaults, and some of many options.
func combinations() []combination {
	all := map[string]combination{}
	defaults := func() (c combination) {
		for _, one := range choices {
			c = append(c, one[0])
		}
		return c
	}
	for i, one := range choices {
		for _, a := range one {
			for j, two := range choices {
				for _, b := range two {
					c := defaults()
					c[i], c[j] = a, b
					all[c.String()] = c
				}
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 30 {
		var c combination
		for _, one := range choices {
			c = append(c, one[random.IntN(len(one))])
		}
		all[c.String()] = c
	}
	var out []combination
	for _, name := range slices.Sorted(maps.Keys(all)) {
		out = append(out, all[name])
	}
	return out
}

// projectChart is a job with the chart that the project ships.
func projectChart(t *testing.T, namespace string, values map[string]any) charts.Job {
	t.Helper()
	job := charts.Job{Name: "flux-remedy", Namespace: namespace, Values: values, Files: map[string][]byte{}}
	each(t, filepath.Join(manifests, "chart"), func(name string, data []byte) { job.Files[name] = data })
	return job
}

// each calls do with all files below a folder.
func each(t *testing.T, dir string, do func(name string, data []byte)) {
	t.Helper()
	files := os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		do(name, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestChart renders the chart with each combination of values: its objects are those of the
// components that the values stand for. The Namespace, which Helm makes before it, is not in it.
func TestChart(t *testing.T) {
	disk := filesys.MakeFsInMemory()
	each(t, manifests, func(name string, data []byte) {
		if err := disk.WriteFile("/manifests/"+name, data); err != nil {
			t.Fatal(err)
		}
	})
	for i, c := range combinations() {
		namespace := []string{"flux-remedy", "platform"}[i%2]
		if err := disk.WriteFile("/manifests/test/kustomization.yaml", []byte(c.kustomization(namespace))); err != nil {
			t.Fatal(err)
		}
		built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(disk, "/manifests/test")
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		want := map[string]any{}
		for _, resource := range built.Resources() {
			if object, err := resource.Map(); err != nil {
				t.Fatal(err)
			} else if resource.GetKind() != "Namespace" {
				want[titleOf(object)] = plain(t, object)
			}
		}
		documents, err := rendered(projectChart(t, namespace, c.values()))
		if err != nil {
			t.Fatalf("%s: %v", c, err)
		}
		compare(t, c, documents, want)
	}
}

// rendered returns the whole objects of a chart.
func rendered(job charts.Job) ([]map[string]any, error) {
	c, err := load(job)
	if err != nil {
		return nil, err
	}
	var out charts.Result
	options := common.ReleaseOptions{Name: job.Name, Namespace: job.Namespace, Revision: 1, IsInstall: true}
	return installed(c, job, options, &cluster{namespace: job.Namespace, asked: &out.Asks})
}

// compare compares objects one by one.
func compare(t *testing.T, c combination, documents []map[string]any, want map[string]any) {
	t.Helper()
	for _, document := range documents {
		title := titleOf(document)
		if got := plain(t, document); !reflect.DeepEqual(got, want[title]) {
			t.Errorf("%s: %s:\n%s\nwant\n%s", c, title, text(got), text(want[title]))
		}
		delete(want, title)
	}
	if len(want) > 0 {
		t.Errorf("%s: the chart lacks %v", c, slices.Sorted(maps.Keys(want)))
	}
}

func titleOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	return fmt.Sprint(object["kind"], " ", metadata["name"])
}

// plain returns a copy of an object to compare: its numbers have the types that YAML gives them, and its
// webhooks are sorted by their names.
func plain(t *testing.T, object map[string]any) (out map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text(object)), &out); err != nil {
		t.Fatal(err)
	}
	if webhooks, ok := out["webhooks"].([]any); ok {
		slices.SortFunc(webhooks, func(a, b any) int {
			return strings.Compare(fmt.Sprint(a.(map[string]any)["name"]), fmt.Sprint(b.(map[string]any)["name"]))
		})
	}
	return out
}

func text(object any) string {
	data, err := yaml.Marshal(object)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// TestChartValues: a misspelt value is refused, and so are policies of another configuration.
func TestChartValues(t *testing.T) {
	job := projectChart(t, "flux-remedy", nil)
	c, err := load(job)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"{}":                                  "",
		"webhook: {failClosed: apps}":         "",
		"webhook: {failclosed: apps}":         "failclosed",
		"webhook: {certificate: letsencrypt}": "certificate",
		"audit: {enabled: \"yes\"}":           "audit",
		"replicas: 5":                         "replicas",
	} {
		var values map[string]any
		if err := yaml.Unmarshal([]byte(text), &values); err != nil {
			t.Fatal(err)
		}
		merged, err := util.CoalesceValues(c, values)
		if err != nil {
			t.Fatal(err)
		}
		err = util.ValidateAgainstSchema(c, merged)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	job.Values = map[string]any{"webhook": map[string]any{"backstop": true, "config": "a: b"}}
	if _, err := rendered(job); err == nil || !strings.Contains(err.Error(), "flux-remedy vap --config") {
		t.Error(err)
	}
	job.Values = map[string]any{"webhook": map[string]any{"config": "a: b\n", "pod": map[string]any{"nodeSelector": map[string]any{"a": "b"}}}}
	documents, err := rendered(job)
	if all := text(documents); err != nil || !strings.Contains(all, ".flux-remedy.yaml: |\n      a: b\n") || !strings.Contains(all, "nodeSelector:\n          a: b\n") {
		t.Errorf("%v\n%s", err, all)
	}
}
