package charts

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"sigs.k8s.io/yaml"
)

// write lays a chart in a folder; as an archive if the name ends so.
func write(t *testing.T, file, name, version string) {
	t.Helper()
	text := fmt.Sprintf("name: %s\nversion: %s\n", name, version)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	data := []byte(text)
	if strings.HasSuffix(file, ".tgz") {
		var b bytes.Buffer
		zip := gzip.NewWriter(&b)
		pack := tar.NewWriter(zip)
		err := pack.WriteHeader(&tar.Header{Name: name + "/Chart.yaml", Mode: 0o644, Size: int64(len(text)), Typeflag: tar.TypeReg})
		_, err2 := pack.Write(data)
		if err := errors.Join(err, err2, pack.Close(), zip.Close()); err != nil {
			t.Fatal(err)
		}
		data = b.Bytes()
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Charts are found by name and version, whatever the files are called.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.tgz"), "redis", "1.2.3")
	write(t, filepath.Join(dir, "deep", "b.tgz"), "redis", "1.10.0")
	write(t, filepath.Join(dir, "folder", chartFile), "redis", "2.0.0")
	write(t, filepath.Join(dir, "folder", "charts", "x", chartFile), "inner", "1.0.0")
	write(t, filepath.Join(dir, "v", chartFile), "prefixed", "v3.0.0")
	for name, text := range map[string]string{"no.tgz": "no archive", "c/Chart.yaml": "a: [", "d/Chart.yaml": "name: x\nversion: what\n"} {
		write(t, filepath.Join(dir, name+".d", chartFile), "other", "1.0.0")
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l := &Library{Dirs: []string{dir}}
	for _, tc := range []struct{ name, version, want string }{
		{"redis", "1.2.3", "a.tgz"},
		{"redis", "1.x", "b.tgz"},
		{"redis", "~1.2", "a.tgz"},
		{"redis", "", "folder"},
		{"redis", "*", "folder"},
		{"prefixed", "3.0.0", "v"},
		{"redis", "9.0.0", "not in version 9.0.0"},
		{"redis", "what", "not in version what"},
		{"mysql", "1.0.0", "chart mysql is not in " + dir},
		{"inner", "", "chart inner is not in"},
		{"x", "", "chart x is not in"},
	} {
		found, err := l.find(tc.name, tc.version)
		if got := fmt.Sprint(filepath.Base(found.file), err); !strings.Contains(got, tc.want) {
			t.Errorf("%s %q: %s, want %s", tc.name, tc.version, got, tc.want)
		}
	}
}

// asked returns the job that a library makes of a release, as text.
func asked(t *testing.T, l *Library, spec string, found map[string]string) (Job, string) {
	t.Helper()
	q := Query{Object: map[string]any{"metadata": map[string]any{"name": "app", "namespace": "apps"}}, Name: "app", Namespace: "apps", Secret: func(string) {}, Holds: func(string) bool { return false }}
	var decoded map[string]any
	if err := yaml.Unmarshal([]byte(spec), &decoded); err != nil {
		t.Fatal(err)
	}
	q.Object["spec"] = decoded
	q.Find = func(kind, namespace, name string) (out map[string]any) {
		if text, ok := found[kind+"/"+namespace+"/"+name]; ok {
			if err := yaml.Unmarshal([]byte(text), &out); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	q.Content = func(kind, namespace, name string) (fs.FS, error) {
		if name != "own" {
			return nil, errors.New("its source is not this repository")
		}
		return fstest.MapFS{
			"charts/redis/Chart.yaml": {Data: []byte("name: redis\nversion: 1.0.0\n")}, "charts/redis/.git/x": {Data: []byte("x")},
			"values/prod.yaml": {Data: []byte("a: b")},
		}, nil
	}
	var job Job
	l.Render = func(j Job, out *Result) error {
		if job.Name == "" { // the first one, not that with other secrets
			job = j
		}
		*out = Result{Chart: "redis 1.0.0"}
		return nil
	}
	_, why := l.Release(q)
	return job, why
}

// Dependencies of a folder are taken from the folders, in the version that is wanted.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "db.tgz"), "db", "1.2.3")
	write(t, filepath.Join(dir, "db2.tgz"), "db", "2.0.0")
	l := &Library{Dirs: []string{dir}}
	for text, want := range map[string]string{
		"dependencies: [{name: db, version: 1.x}]":      "[Chart.yaml charts/db.tgz]",
		"dependencies: [{name: db, version: 3.x}]":      "[Chart.yaml]",
		"dependencies: [{name: other, version: 1.0.0}]": "[Chart.yaml]",
	} {
		job := Job{Files: map[string][]byte{chartFile: []byte(text)}}
		err := l.complete(&job)
		if got := fmt.Sprint(slices.Sorted(keys(job.Files))); got != want || err != nil {
			t.Errorf("%s: %s, want %s; %v", text, got, want, err)
		}
	}
}

// Charts that depend on themselves, or all on each other, end with an error, and so do large ones.
func TestCompleteLimit(t *testing.T) {
	dir, dependencies := t.TempDir(), "\ndependencies: ["
	for i := range 20 {
		dependencies += fmt.Sprintf("{name: c%d, version: 1.x}, ", i)
	}
	for i := range 20 {
		name := fmt.Sprint("c", i)
		write(t, filepath.Join(dir, name, chartFile), name, "1.0.0"+dependencies+"]")
	}
	write(t, filepath.Join(dir, "loop", chartFile), "loop", "1.0.0\ndependencies: [{name: loop, version: 1.x}]")
	large := "dependencies: ["
	for _, name := range []string{"a", "b"} {
		write(t, filepath.Join(dir, name, chartFile), name, "1.0.0")
		if err := os.WriteFile(filepath.Join(dir, name, "data"), make([]byte, maxChart-1000), 0o600); err != nil {
			t.Fatal(err)
		}
		large += fmt.Sprintf("{name: %s, version: 1.x}, ", name)
	}
	l := &Library{Dirs: []string{dir}}
	for text, want := range map[string]error{
		dependencies + "]": errEndless, "dependencies: [{name: loop, version: 1.x}]": errEndless, large + "]": errTooLarge,
	} {
		if err := l.complete(&Job{Files: map[string][]byte{chartFile: []byte(text)}}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}

// What a release says of its chart and its values becomes the job, or the reason why there is none.
func TestJobs(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "redis.tgz"), "redis", "1.0.0")
	const own = "chart: {spec: {chart: ./charts/redis, sourceRef: {kind: GitRepository, name: own}}}\n"
	objects := map[string]string{
		"OCIRepository/apps/redis":  "spec: {url: oci://example.com/charts/redis, ref: {semver: 1.x}}",
		"OCIRepository/apps/pinned": "spec: {url: oci://example.com/charts/redis, ref: {digest: sha256:aa}}",
		"HelmChart/flux/redis":      "spec: {chart: redis, version: 1.0.0, sourceRef: {kind: HelmRepository, name: x}}",
		"ConfigMap/apps/values":     "data: {values.yaml: 'size: 1Gi', other: 'size: 3Gi', bad: '['}",
		"Secret/apps/values":        "kind: Secret\ndata: {values.yaml: c2l6ZTogMkdp}",
		"Secret/apps/sops":          "kind: Secret\nsops: {mac: x}\ndata: {values.yaml: x}",
	}
	for _, tc := range []struct{ name, spec, values, why string }{
		{"in the tree", own, "[] map[]", ""},
		{"not in the tree", "chart: {spec: {chart: x, sourceRef: {kind: GitRepository, name: own}}}", "", "its chart x is not in GitRepository apps/own"},
		{"of another source", "chart: {spec: {chart: x, sourceRef: {kind: GitRepository, name: other}}}", "", "is not this repository"},
		{"in a folder", "chart: {spec: {chart: redis, version: 1.0.0, sourceRef: {kind: HelmRepository, name: x}}}", "[] map[]", ""},
		{"in no folder", "chart: {spec: {chart: mysql, sourceRef: {kind: HelmRepository, name: x}}}", "", "chart mysql is not in"},
		{"by reference", "chartRef: {kind: OCIRepository, name: redis}", "[] map[]", ""},
		{"by a reference to a chart", "chartRef: {kind: HelmChart, name: redis, namespace: flux}", "[] map[]", ""},
		{"by a digest", "chartRef: {kind: OCIRepository, name: pinned}", "", "named by a digest"},
		{"by an unknown reference", "chartRef: {kind: OCIRepository, name: none}", "", "OCIRepository apps/none is not in the tree"},
		{"by the URL of 1.7", "chart: {spec: {kind: OCIRepository, url: oci://example.com/redis, ref: {tag: 1.0.0}}}", "[] map[]", ""},
		{"values of both", own + "valuesFrom: [{kind: ConfigMap, name: values}, {kind: Secret, name: values}]\nvalues: {a: 1}", "[{size: 1Gi  false false} {size: 2Gi  false true}] map[a:1]", ""},
		{"values under a key", own + "valuesFrom: [{kind: ConfigMap, name: values, valuesKey: other}]", "[{size: 3Gi  false false}] map[]", ""},
		{"values that are missing", own + "valuesFrom: [{kind: Secret, name: none}]", "", "from Secret none are not known: it is not in the tree"},
		{"no such key", own + "valuesFrom: [{kind: ConfigMap, name: values, valuesKey: none}]", "", "it has no such key"},
		{"no such key, optional", own + "valuesFrom: [{kind: ConfigMap, name: values, valuesKey: none, optional: true}]", "[] map[]", ""},
		{"no values", own + "valuesFrom: [{kind: ConfigMap, name: values, valuesKey: bad}]", "", "it holds no values"},
		{"encrypted values", own + "valuesFrom: [{kind: Secret, name: sops}]", "", "it is encrypted"},
		{"one value", own + "valuesFrom: [{kind: ConfigMap, name: values, targetPath: a.b, literal: true}]", "[{size: 1Gi a.b true false}] map[]", ""},
		{"no chart", "{}", "", "its source is not this repository"},
		{"a values file", strings.Replace(own, "}}}", "}, valuesFiles: [values/prod.yaml]}}", 1), "[] map[]", ""},
		{"a values file that is missing", strings.Replace(own, "}}}", "}, valuesFiles: [none.yaml]}}", 1), "", "its values file none.yaml is not in"},
	} {
		job, why := asked(t, &Library{Dirs: []string{dir}}, tc.spec, objects)
		if tc.why != "" && !strings.Contains(why, tc.why) || tc.why == "" && (why != "" || fmt.Sprint(job.From, job.Values) != tc.values) {
			t.Errorf("%s: %v %v, %q, want %s %q", tc.name, job.From, job.Values, why, tc.values, tc.why)
		}
		if job.Files[".git/x"] != nil {
			t.Errorf("%s: hidden folders are read", tc.name)
		}
	}
}

// What is rendered already is read, that of the cluster before that of all.
func TestRendered(t *testing.T) {
	dir := t.TempDir()
	const claim = "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: %s}\n---\n# Source: x/crds/a.yaml\nkind: CustomResourceDefinition\n"
	for name, text := range map[string]string{
		"apps/app.yaml": fmt.Sprintf(claim, "all"), "prod/apps/app/a.yaml": fmt.Sprintf(claim, "prod"), "prod/apps/app/x.txt": "[", "apps/bad.yaml": "a: [",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct{ name, cluster, want string }{
		{"app", "prod", "prod"},
		{"app", "staging", "all"},
		{"bad", "", "gives no YAML"},
		{"none", "", "is not in the tree"},
		{"../../apps/app", "", "is not in the tree"},
	} {
		l := &Library{Rendered: dir}
		object := map[string]any{"metadata": map[string]any{"name": tc.name, "namespace": "apps"}, "spec": map[string]any{"chartRef": map[string]any{"kind": "HelmChart", "name": "x"}}}
		found, why := l.Release(Query{Object: object, Cluster: tc.cluster, Find: func(_, _, _ string) map[string]any { return nil }})
		got := why
		if found != nil {
			got = fmt.Sprint(found.Documents)
			if len(found.Definitions) != 1 {
				t.Errorf("%s: definitions are %v", tc.name, found.Definitions)
			}
		}
		if !strings.Contains(got, tc.want) {
			t.Errorf("%s in %q: %s, want %s", tc.name, tc.cluster, got, tc.want)
		}
	}
}

// A chart has what its links name, as source-controller packs it; a link that leads out of the folders is named.
func TestLinks(t *testing.T) {
	for target, want := range map[string]string{
		"../../shared.yaml": "", "Chart.yaml": "", "../../../outside.yaml": "escapes", "/etc/passwd": "escapes", "none": "no such file", "../../folder": "link: invalid", "link": "too many",
	} {
		dir := filepath.Join(t.TempDir(), "charts")
		for _, file := range []string{"shared.yaml", "folder/a.yaml", "../outside.yaml", "of/redis/" + chartFile} {
			write(t, filepath.Join(dir, file), "redis", "1.0.0")
		}
		if err := os.Symlink(target, filepath.Join(dir, "of/redis/link")); err != nil {
			t.Fatal(err)
		}
		job, why := asked(t, &Library{Dirs: []string{dir}}, "chart: {spec: {chart: redis, sourceRef: {kind: HelmRepository, name: x}}}", nil)
		if !strings.Contains(why, want) || (why == "") != (want == "") || want == "" && len(job.Files["link"]) == 0 {
			t.Errorf("%s: %q, want %q; %q", target, why, want, job.Files["link"])
		}
	}
}
