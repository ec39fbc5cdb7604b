package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tree is a repository with a release of the chart CHART.
const tree = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: "https://example.com/x"}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 10m, path: ./clusters/production, prune: true, sourceRef: {kind: GitRepository, name: flux-system}}
---
apiVersion: v1
kind: Secret
metadata: {name: values, namespace: apps}
stringData: {values.yaml: "password: hunter2-canary", size: "hunter2-canary"}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: app, namespace: apps}
spec:
  interval: 1h
  timeout: 10m
  chart: {spec: {chart: CHART, sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}}}
  valuesFrom: [{kind: Secret, name: values}, {kind: Secret, name: values, valuesKey: size, targetPath: text}]
  install: {remediation: {retries: 3}}
  upgrade: {remediation: {retries: 3}}
`

// lint lays files beside the tree and returns what the linter, built with what renders charts beside
// it, says of what an uninstall loses.
func lint(t *testing.T, bin, chart string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files["clusters/production/flux-system/gotk-sync.yaml"] = strings.ReplaceAll(tree, "CHART", chart)
	lay(t, dir, files)
	return run(t, dir, filepath.Join(bin, "flux-remedy"), "lint", "--charts", ".", "--select", "install-uninstalls-data", "-o", "compact")
}

// build builds both programs into one folder.
func build(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	for name, in := range map[string][2]string{"flux-remedy": {"../../..", "./cmd/lint"}, "flux-remedy-charts": {".", "."}} {
		cmd := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s", "-o", filepath.Join(bin, name), in[1])
		cmd.Dir = in[0]
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return bin
}

// packed returns an archive with files under the names as they are.
func packed(t *testing.T, headers ...tar.Header) string {
	t.Helper()
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	w := tar.NewWriter(zip)
	for _, h := range headers {
		text := make([]byte, h.Size)
		if h.Uname != "" {
			text, h.Uname = []byte(h.Uname), ""
			h.Size = int64(len(text))
		}
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), zip.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLinter runs both programs.
func TestLinter(t *testing.T) {
	bin := build(t)
	t.Run("folders", func(t *testing.T) { ofFolders(t, bin) })
	t.Run("archives", func(t *testing.T) { ofArchives(t, bin) })
	t.Run("secrets", func(t *testing.T) { ofSecrets(t, bin) })
	t.Run("changes", func(t *testing.T) { ofChanges(t, bin) })
	t.Run("renames", func(t *testing.T) { ofRenames(t, bin) })
}

// ofRenames: the name of a chart in the tree is in its Chart.yaml, whatever its folder is called.
func ofRenames(t *testing.T, bin string) {
	const metadata, entry = "apiVersion: v2\nname: NAME\nversion: 1.0.0\n", "clusters/production/flux-system/gotk-sync.yaml"
	named := func(name string) string { return strings.ReplaceAll(metadata, "NAME", name) }
	plain := strings.ReplaceAll(tree, "  valuesFrom", "  # valuesFrom")
	for name, tc := range map[string]struct {
		chart string            // that the release has now
		now   map[string]string // files that change
		want  string
	}{
		"another folder":           {"charts/other", nil, "the chart other takes the place of shop: the controller installs it from scratch and first uninstalls the release that exists, and with it PersistentVolumeClaim app-data"},
		"another name":             {"charts/shop", map[string]string{"charts/shop/Chart.yaml": named("store")}, "the chart store takes the place of shop"},
		"a folder of another name": {"charts/moved", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			base := map[string]string{
				entry: strings.ReplaceAll(plain, "CHART", "charts/shop"), "charts/shop/Chart.yaml": named("shop"), "charts/shop/templates/a.yaml": claim,
				"charts/other/Chart.yaml": named("other"), "charts/moved/Chart.yaml": named("shop"), "charts/moved/templates/a.yaml": claim,
			}
			now := map[string]string{entry: strings.ReplaceAll(plain, "CHART", tc.chart)}
			maps.Copy(now, tc.now)
			expectNew(t, bin, base, now, tc.want, "--charts", ".", "--select", "reinstall-on-rename")
		})
	}
}

// expectNew lints what changes in files, and expects an error with a text; none if that is empty.
func expectNew(t *testing.T, bin string, base, now map[string]string, want string, args ...string) {
	t.Helper()
	dir := t.TempDir()
	lay(t, dir, base)
	for _, args := range []string{"init -q", "add --all", "-c user.name=a -c user.email=a@b commit -q -m base"} {
		run(t, dir, "git", strings.Fields(args)...)
	}
	lay(t, dir, now)
	got := run(t, dir, filepath.Join(bin, "flux-remedy"), append([]string{"lint", "--new-from", "HEAD", "-o", "compact"}, args...)...)
	if said := strings.Contains(got, " error "); !strings.Contains(got, want) || said != (want != "") {
		t.Errorf("want %q in\n%s", want, got)
	}
}

// ofChanges: a comparison says what a change of the chart or the target loses.
func ofChanges(t *testing.T, bin string) {
	const metadata = "apiVersion: v2\nname: NAME\nversion: 1.0.0\n"
	for name, tc := range map[string]struct{ chart, from, to, want string }{
		"a dropped claim":  {claim, "version: 1.0.0, ", "version: 2.0.0, ", "error chart-drops-data: the upgrade to shop 2.0.0 deletes PersistentVolumeClaim app-data"},
		"another chart":    {claim, "chart: shop", "chart: other", "first uninstalls the release that exists, and with it PersistentVolumeClaim app-data"},
		"another target":   {claim, "timeout: 10m", "timeout: 10m\n  targetNamespace: other", "first uninstalls the release that exists, and with it PersistentVolumeClaim app-data"},
		"of a kept claim":  {strings.Replace(claim, "metadata: {", "metadata: {annotations: {helm.sh/resource-policy: keep}, ", 1), "timeout: 10m", "timeout: 10m\n  targetNamespace: other", ""},
		"of another claim": {claim + "# {{ lookup \"v1\" \"Node\" \"\" \"\" }}\n", "chart: shop", "chart: other", "with it at least PersistentVolumeClaim app-data"},
	} {
		t.Run(name, func(t *testing.T) {
			release := tree[strings.LastIndex(tree, "---\n")+4:]
			release = strings.ReplaceAll(strings.ReplaceAll(release, "chart: CHART, sourceRef: {kind: GitRepository, ", "chart: shop, version: 1.0.0, sourceRef: {kind: HelmRepository, "), "  valuesFrom", "  # valuesFrom")
			release = strings.ReplaceAll(release, "namespace: apps}", "namespace: apps, labels: {env: production}}")
			base := map[string]string{
				"app.yaml": release, "charts/1/Chart.yaml": strings.ReplaceAll(metadata, "NAME", "shop"), "charts/1/templates/a.yaml": tc.chart,
				"charts/2/Chart.yaml": strings.ReplaceAll(strings.ReplaceAll(metadata, "NAME", "shop"), "1.0.0", "2.0.0"),
				"charts/3/Chart.yaml": strings.ReplaceAll(metadata, "NAME", "other"),
			}
			now := map[string]string{"app.yaml": strings.Replace(release, tc.from, tc.to, 1)}
			expectNew(t, bin, base, now, tc.want, "--charts", "charts", "--select", "reinstall-on-rename,release-target-change,chart-drops-data", "app.yaml")
		})
	}
}

// lay writes files into a folder.
func lay(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a program in a folder and returns its output, however it ends.
func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out)
}

// ofFolders: what is lost is said by the chart of the tree, and a chart that cannot be rendered is
// named and undetermined, within limits.
func ofFolders(t *testing.T, bin string) {
	const metadata, deps = "apiVersion: v2\nname: shop\nversion: 1.0.0\n", "dependencies: [{name: db, version: 1.x, repository: https://example.com}]\n"
	big := strings.Repeat("x: y\n", 1<<20)
	for name, tc := range map[string]struct {
		files map[string]string // of the chart
		want  string
	}{
		"a claim":        {map[string]string{"templates/a.yaml": claim, "values.yaml": "size: 8Gi\n"}, "error install-uninstalls-data: a failed install of shop is undone by an uninstall up to 3 times, and with it PersistentVolumeClaim app-data (8Gi)"},
		"nothing":        {map[string]string{"templates/a.yaml": "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n"}, ""},
		"a secret name":  {map[string]string{"templates/a.yaml": strings.ReplaceAll(claim, "{{ .Release.Name }}", "{{ .Values.password }}")}, "PersistentVolumeClaim (from a Secret)"},
		"by a path":      {map[string]string{"templates/a.yaml": strings.ReplaceAll(claim, "{{ .Release.Name }}", "{{ .Values.text | b64enc }}")}, "PersistentVolumeClaim (from a Secret)"},
		"not rendered":   {map[string]string{"templates/a.yaml": "{{ .Values.a.b.c }}"}, "its chart shop 1.0.0 cannot be rendered: shop/templates/a.yaml"},
		"fails secretly": {map[string]string{"templates/a.yaml": "{{ fail .Values.password }}"}, "(from a Secret)"},
		"a dependency":   {map[string]string{"Chart.yaml": metadata + deps}, "its dependency db 1.x is not in charts/"},
		"no metadata":    {map[string]string{"Chart.yaml": "x"}, "its chart cannot be rendered: "},
		"huge":           {map[string]string{"values.yaml": big, "a": big, "b": big, "c": big, "d": big}, "its chart cannot be read: "},
		"gives too much": {map[string]string{"templates/a.yaml": "{{ range until 99999 }}{{ repeat 9999 \"x\" }}{{ end }}"}, "its templates "},
		"calls itself":   {map[string]string{"templates/a.yaml": `{{ define "x" }}{{ template "x" . }}{{ end }}{{ template "x" . }}`}, "cannot be rendered: "},
		"loops":          {map[string]string{"templates/a.yaml": "{{ range until 999999 }}{{ range until 999999 }}{{ end }}{{ end }}"}, "its templates "},
		"asks":           {map[string]string{"templates/a.yaml": claim + "---\n{{ if lookup \"v1\" \"Node\" \"\" \"\" }}{{ end }}"}, "and with it at least PersistentVolumeClaim app-data"},
		"asks for all":   {map[string]string{"templates/a.yaml": `{{ if lookup "v1" "Node" "" "" }}{{ end }}`}, "asks the cluster for Node"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"charts/shop/Chart.yaml": metadata}
			for name, text := range tc.files {
				files["charts/shop/"+name] = text
			}
			expect(t, lint(t, bin, "./charts/shop", files), tc.want)
		})
	}
}

// expect compares what the linter says with what is wanted of it: nothing, or a part.
func expect(t *testing.T, got, want string) {
	t.Helper()
	said := strings.Contains(got, "undetermined:") || strings.Contains(got, "install-uninstalls-data:")
	if !strings.Contains(got, want) || said != (want != "") || strings.Contains(got, "hunter2") || strings.Contains(got, "aHVudGVyMi") {
		t.Errorf("want %q in\n%.2000s", want, got)
	}
}

// made is what charts make of a secret.
var made = []string{
	`.Values.password | trunc 9`, `.Values.password | trunc -8`, `.Values.password | sha256sum`, `.Values.password | b64enc | b64enc`,
	`.Values.password | b32enc`, `.Values.password | replace "-" ""`, `.Values.password | snakecase`, `.Values.password | title`, `.Values.text | upper | trunc 7`,
	`printf "%x" .Values.password`, `regexReplaceAll "(.)" .Values.password "$1."`, `index (splitList "-" .Values.text) 1`,
	`tpl "{{ .Values.password | trunc 9 }}" .`, `toYaml .Values | b64enc`, `range untilStep 12 -1 -1 }}{{ substr . (int (add . 1)) $.Values.text }}{{ end`,
}

// ofSecrets: nothing that a chart makes of a secret is shown, in names and sizes or in why it cannot be rendered.
func ofSecrets(t *testing.T, bin string) {
	charts := map[string]string{"names": ""}
	for _, e := range made {
		charts["names"] += "---\n" + strings.NewReplacer("{{ .Release.Name }}", "{{ "+e+" }}", "{{ .Values.size }}", "{{ .Values.password | trunc 7 }}").Replace(claim)
	}
	charts["kinds"] = "apiVersion: {{ .Values.password | trunc 7 }}.io/v1\nkind: {{ .Values.password | trunc 7 }}\nmetadata: {name: a, namespace: {{ .Values.password | upper }}}\n"
	charts["notes"] = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: {{ .Values.password | trunc 8 }}}\nspec: {persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}, volumeClaimTemplates: [{metadata: {name: a}}]}\n"
	for i, e := range []string{
		`fail (trunc 9 .Values.password)`, `required (b64enc (b64enc .Values.password)) nil`, `include (trunc 9 .Values.password) .`,
		`tpl (printf "{{ %s" (trunc 9 .Values.password)) .`, `lookup "v1" (trunc 9 .Values.password) "" (upper .Values.text)`,
		`mustRegexMatch (printf "(%s" (trunc 9 .Values.password)) "a"`, `if eq (len .Values.text) 14 }}{{ fail (trunc 9 .Values.text) }}{{ end`,
		`if contains "y" .Values.text }}{{ fail (trunc 9 .Values.text) }}{{ end`, // others are rendered
	} {
		charts[fmt.Sprint("failure ", i)] = "x: {{ " + e + " }}\n"
	}
	for name, text := range charts {
		t.Run(name, func(t *testing.T) {
			got := lint(t, bin, "./charts/shop", map[string]string{"charts/shop/Chart.yaml": "apiVersion: v2\nname: shop\nversion: 1.0.0\n", "charts/shop/templates/a.yaml": text})
			if !strings.Contains(got, "(from a Secret)") {
				t.Errorf("nothing is hidden in\n%s", got)
			}
			for _, form := range []string{"hunter2", "HUNTER2", "Hunter2", "canary", "Canary", "CANARY", "yranac", "68756e", "h.u.n", "aHVudGVy", "YUhWdWRH", "NB2W45DF", "35ec275e"} {
				if strings.Contains(got, form) {
					t.Errorf("%s is in\n%s", form, got)
				}
			}
		})
	}
}

// ofArchives: what is no chart, or would leave the archive, is refused; a bomb meets the limits.
func ofArchives(t *testing.T, bin string) {
	metadata := tar.Header{Name: "shop/Chart.yaml", Mode: 0o644, Typeflag: tar.TypeReg, Uname: "apiVersion: v2\nname: shop\nversion: 1.0.0\n"}
	for name, tc := range map[string]struct {
		more tar.Header
		want string
	}{
		"a claim":     {tar.Header{Name: "shop/templates/a.yaml", Mode: 0o644, Typeflag: tar.TypeReg, Uname: claim}, "and with it PersistentVolumeClaim app-data"},
		"leaves it":   {tar.Header{Name: "shop/../../../a", Mode: 0o644, Typeflag: tar.TypeReg, Uname: "a"}, "its archive cannot be read: "},
		"a link":      {tar.Header{Name: "shop/templates/a.yaml", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, ""},
		"a bomb":      {tar.Header{Name: "shop/a", Mode: 0o644, Typeflag: tar.TypeReg, Size: 200 << 20}, "its archive cannot be read: "},
		"an absolute": {tar.Header{Name: "/etc/a", Mode: 0o644, Typeflag: tar.TypeReg, Uname: "a"}, ""}, // Helm takes the first part away
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{"shop.tgz": packed(t, metadata, tc.more)}
			expect(t, lint(t, bin, "./shop.tgz", files), tc.want)
		})
	}
}
