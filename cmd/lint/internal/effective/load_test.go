package effective

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

const podinfo = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: $1, namespace: apps}
spec:
  interval: 1h
  chartRef: {kind: OCIRepository, name: podinfo}
`

var releaseLine = regexp.MustCompile(`(?m)^@(\w+)\n`)

// write unpacks a txtar archive into a new folder. A line @name becomes a
// HelmRelease of that name.
func write(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		data := releaseLine.ReplaceAllString(string(f.Data), podinfo)
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func releaseOf(name string) string { return strings.ReplaceAll(podinfo, "$1", name) }

// load loads a file or folder from disk.
func load(t testing.TB, path string, opts Options) *Tree {
	t.Helper()
	return loadInput(t, open(t, path, &opts), opts)
}

// open returns the input that a path names, with a builder for it.
func open(t testing.TB, path string, opts *Options) Input {
	t.Helper()
	if opts.Config == nil {
		opts.Config = &rules.Config{}
	}
	if opts.Builder == nil {
		opts.Builder = build.NewBuilder()
	}
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		files, err := tree.Single(path)
		if err != nil {
			t.Fatal(err)
		}
		return Input{Files: files, AsWritten: true}
	}
	files, err := tree.Folder(t.Context(), path, tree.Options{
		Ignore: func(at string) bool { return opts.Config.Ignores(opts.ConfigPath(filepath.Join(path, at), at)) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(path, fleets) {
		return Input{Files: files} // not a folder of the repository that this is
	}
	in, err := Open(t.Context(), files, opts.Builder)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func loadInput(t testing.TB, in Input, opts Options) *Tree {
	t.Helper()
	opts.Inputs = append(opts.Inputs, in)
	found, err := Load(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// names returns the releases in order, with their lines.
func names(tree *Tree) string {
	var out []string
	for _, r := range tree.Releases {
		out = append(out, fmt.Sprintf("%s:%d", r.Name, r.Line))
	}
	return strings.Join(out, " ")
}

func TestLoadPlain(t *testing.T) {
	dir := write(t, `
-- two.yaml --
# a comment
---
@a
---
@b
-- list.json --
{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x"}},
  {"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "metadata": {"name": "c", "namespace": "apps"},
   "spec": {"interval": "1h", "chartRef": {"kind": "OCIRepository", "name": "podinfo"}}}]}
-- other.yml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: no-chart}
spec: {interval: 2h}
-- patch.yml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: a}
spec: {interval: 2h, chartRef: {name: other}}
-- base/unused/kustomization.yaml --
kind: Component
patches: [{path: ../../patch.yml}]
-- v1.yaml --
apiVersion: helm.fluxcd.io/v1
kind: HelmRelease
metadata: {name: old}
spec: {chart: {name: podinfo}}
-- crd.yaml --
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: helmreleases.helm.toolkit.fluxcd.io}
spec: {names: {kind: HelmRelease}}
-- skipped/z.yaml --
@skipped
`)
	config := &rules.Config{}
	config.Spec.Ignore = []string{"skipped"}
	tree := load(t, dir, Options{Config: config})
	if got := names(tree); got != "no-chart:1 a:3 b:10 c:3" {
		t.Errorf("releases %q", got)
	}
	if len(tree.Problems)+len(tree.Undetermined) > 0 {
		t.Errorf("problems %v, undetermined %v", tree.Problems, tree.Undetermined)
	}
	if tree.Documents != 5 || tree.Partial != 1 {
		t.Errorf("%d documents, %d partial; want 5 and 1", tree.Documents, tree.Partial)
	}
}

func TestLoadStdin(t *testing.T) {
	in := Input{Files: tree.Bytes("-", []byte(releaseOf("a"))), AsWritten: true}
	found := loadInput(t, in, Options{Config: &rules.Config{}})
	if got := names(found); got != "a:1" || found.Releases[0].File != "-" {
		t.Errorf("releases %q in %q", got, found.Releases[0].File)
	}
}

// Releases that a template engine would write are undetermined.
func TestLoadTemplates(t *testing.T) {
	dir := write(t, `
-- chart/Chart.yaml --
name: fleet
-- chart/templates/app.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app}
spec: {chartRef: {name: app}}
-- app.yaml.j2 --
#% if app %#
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: #{ app }#}
-- rendered.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: {{ .Values.name }}-{{ .Values.env }}
spec: {}
-- other.yaml.j2 --
kind: ConfigMap
`)
	tree := load(t, dir, Options{})
	var got []string
	for _, u := range tree.Undetermined {
		rel, _ := filepath.Rel(dir, u.File)
		got = append(got, fmt.Sprintf("%s:%d %s", rel, u.Line, u.Reason))
	}
	want := []string{
		"app.yaml.j2:3 written by a template engine: what it makes of this file is not known here",
		"chart/templates/app.yaml:2 template of a Helm chart: its values are not known here",
		"rendered.yaml:2 written by a template engine: not YAML before it ran",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("undetermined\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(tree.Releases)+len(tree.Problems) > 0 {
		t.Errorf("releases %v, problems %v", tree.Releases, tree.Problems)
	}
}

// A ResourceSet renders releases only in a cluster. If no build reaches it, they are
// undetermined.
func TestLoadResourceSet(t *testing.T) {
	set := `apiVersion: v1
kind: ConfigMap
metadata: {name: first}
---
apiVersion: "fluxcd.controlplane.io/v1"
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  inputs: [{api: helm}]
  resourcesTemplate: |
    apiVersion: << inputs.api >>.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata: {name: app}
`
	other := strings.ReplaceAll(set, "HelmRelease", "Bucket")
	dir := write(t, "-- set.yaml --\n"+set+"-- other.yaml --\n"+other)
	none := Options{Config: &rules.Config{}}
	files := none
	files.Inputs = []Input{open(t, filepath.Join(dir, "other.yaml"), &none)}
	for name, tree := range map[string]*Tree{
		"folder": load(t, dir, Options{}),
		"file":   load(t, filepath.Join(dir, "set.yaml"), files),
		"stdin":  loadInput(t, Input{Files: tree.Bytes("-", []byte(set)), AsWritten: true}, none),
	} {
		if len(tree.Undetermined) != 1 || len(tree.Releases)+len(tree.Problems) > 0 {
			t.Errorf("%s: undetermined %v, releases %q, problems %v", name, tree.Undetermined, names(tree), tree.Problems)
			continue
		}
		u := tree.Undetermined[0]
		if u.Line != 5 || !strings.HasPrefix(u.Reason, "ResourceSet flux-system/tenants: ") {
			t.Errorf("%s: %s:%d %s", name, u.File, u.Line, u.Reason)
		}
	}
}

// In a folder that is applied as it is, ResourceSets are rendered, however their
// templates put group and kind together.
func TestResourceSetTemplates(t *testing.T) {
	for head, want := range map[string]string{
		`{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease`:                                                                      "app",
		`{apiVersion: "helm.toolkit.fluxcd.io/v2", kind: HelmRelease`:                                                                    "app",
		`{"apiVersion": "helm.toolkit.fluxcd.io/v2", kind: << inputs.kind >>`:                                                            "app",
		`{apiVersion: << inputs.group >>/v2, kind: HelmRelease # of Flux` + "\n":                                                         "app",
		`{apiVersion: << inputs.group >>/v2, kind: << inputs.kind >>`:                                                                    "app",
		`{apiVersion: << inputs.missing >>/v2, kind: HelmRelease`:                                                                        "undetermined",
		`{apiVersion: fluxcd.controlplane.io/v1, kind: ResourceSet, spec: {resourcesTemplate: "kind: HelmRelease"}}` + "\n---\n{kind: x": "undetermined",
		`{apiVersion: v1, kind: ConfigMap`:                                                                                               "undetermined", // it has no spec
		`{apiVersion: v1, kind: Pod`:                                                                                                     "",
	} {
		dir := write(t, "-- kustomization.yaml --\nresources: [set.yaml]\n-- set.yaml --\n"+`
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: set, namespace: apps}
spec:
  inputs: [{kind: HelmRelease, group: helm.toolkit.fluxcd.io}]
  resourcesTemplate: |
    `+strings.ReplaceAll(head, "\n", "\n    ")+`, metadata: {name: app, namespace: apps},
    spec: {interval: 1h, chartRef: {kind: OCIRepository, name: app}}}
`)
		tree := load(t, dir, Options{})
		var got []string
		for _, r := range tree.Releases {
			got = append(got, r.Name)
		}
		for range tree.Undetermined {
			got = append(got, "undetermined")
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s renders %q, want %q; %v", head, got, want, tree.Undetermined)
		}
	}
}

// Kustomize treats any kind that ends in List as a list, if it has items.
func TestLoadTypedList(t *testing.T) {
	list := `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmReleaseList
items:
- apiVersion: helm.toolkit.fluxcd.io/v2
  kind: HelmRelease
  metadata: {name: app, namespace: apps}
  spec: {chartRef: {kind: OCIRepository, name: app}}
`
	for _, archive := range []string{
		"-- list.yaml --\n" + list,
		"-- kustomization.yaml --\nresources: [list.yaml]\n-- list.yaml --\n" + list,
	} {
		tree := load(t, write(t, archive), Options{})
		if got := names(tree); got != "app:4" {
			t.Errorf("releases %q, undetermined %v", got, tree.Undetermined)
		}
	}
}

// A file that cannot be read does not hide the others.
func TestLoadBroken(t *testing.T) {
	dir := write(t, "-- broken.yaml --\nkind: HelmRelease # helm.toolkit.fluxcd.io\nspec: {\n"+
		"-- unrelated.yaml --\nkind: {\n-- good.yaml --\n"+"@good\n")
	outside := filepath.Join(t.TempDir(), "outside.yaml")
	if err := os.WriteFile(outside, []byte(releaseOf("outside")), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"dangling.yaml": "nowhere.yaml", "outside.yaml": outside, "inside.yaml": "good.yaml", "loop": ".",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	big, err := os.Create(filepath.Join(dir, "big.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := big.Truncate(50 << 20); err != nil {
		t.Fatal(err)
	}
	tree := load(t, dir, Options{})
	if got := names(tree); got != "good:1" {
		t.Errorf("releases %q", got)
	}
	var got []string
	for _, p := range tree.Problems {
		got = append(got, filepath.Base(p.File))
	}
	if want := "big.yaml broken.yaml dangling.yaml outside.yaml"; strings.Join(got, " ") != want {
		t.Errorf("problems in %q, want %q", got, want)
	}
}

func FuzzClassify(f *testing.F) {
	f.Add([]byte(releaseOf("a")))
	f.Add([]byte("apiVersion: v1\nkind: List\nitems: [{kind: HelmRelease, apiVersion: helm.toolkit.fluxcd.io/v2}]"))
	f.Add([]byte("kind: HelmRelease # helm.toolkit.fluxcd.io\nmetadata: []\nspec: 1"))
	f.Add([]byte("{{ if }}\nkind: HelmRelease\napiVersion: helm.toolkit.fluxcd.io/v2\n{{ end }}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := Input{Files: tree.Bytes("f.yaml", data), AsWritten: true}
		for _, r := range loadInput(t, in, Options{Config: &rules.Config{}}).Releases {
			if !object.IsHelmRelease(r.Object) || r.Name == "" {
				t.Errorf("release that is none: %v", r.Object)
			}
			if at := r.Locate(release.Path{"spec", "interval"}); at.Line < 1 || at.Column < 1 {
				t.Errorf("no place: %+v", at)
			}
		}
	})
}
