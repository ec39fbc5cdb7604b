package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"
)

// The tests of this package install flux-remedy in every way that the project
// offers. They share one package so that the program is built once.

var here = platform{runtime.GOOS, runtime.GOARCH}

// publish creates a release for this machine, once for all tests and only if one
// of them needs it.
var (
	publishedDir string
	publish      = sync.OnceValue(func() error {
		var err error
		if publishedDir, err = os.MkdirTemp("", "flux-remedy-published-"); err != nil {
			return err
		}
		return releaseTo(publishedDir, "../..").write()
	})
)

func TestMain(m *testing.M) {
	code := m.Run()
	_ = os.RemoveAll(publishedDir)
	os.Exit(code)
}

func releaseTo(dir, root string) release {
	return release{root: root, version: "v0.1.0", repository: "https://example.com/remedy", output: dir, base: "scratch", platforms: []platform{here}}
}

// published returns the folder of a release for this machine.
func published(t *testing.T) string {
	t.Helper()
	if err := publish(); err != nil {
		t.Fatal(err)
	}
	return publishedDir
}

func archiveName() string { return "flux-remedy_0.1.0_" + here.OS + "_" + here.Arch + ".tar.gz" }

// unpacked returns a folder with the program of the release.
func unpacked(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "tar", "-xzf", filepath.Join(published(t), archiveName()), "-C", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

func TestArchive(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(published(t), archiveName()))
	if err != nil {
		t.Fatal(err)
	}
	names := modes(t, data)
	for name, mode := range map[string]int64{
		"flux-remedy": 0o755, "flux-remedy-charts": 0o755, "LICENSE": 0o644, "README.md": 0o644, "man/man1/flux-remedy.1": 0o644, "man/man1/flux-remedy-lint.1": 0o644,
		"completions/bash/flux-remedy": 0o644, "completions/zsh/_flux-remedy": 0o644,
		"completions/fish/flux-remedy.fish": 0o644, "completions/powershell/flux-remedy.ps1": 0o644,
	} {
		if names[name] != mode {
			t.Errorf("%s has mode %o, want %o", name, names[name], mode)
		}
	}
	dir := unpacked(t)
	for command, want := range map[string]string{
		"./flux-remedy version": "flux-remedy v0.1.0 (", "cat man/man1/flux-remedy-diff.1": "flux-remedy-diff - ",
		"bash -n completions/bash/flux-remedy": "", "cat completions/zsh/_flux-remedy": "#compdef flux-remedy",
	} {
		words := strings.Fields(command)
		cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, want %q in\n%.300s", command, err, want, out)
		}
	}
}

// TestReadmeOfAnArchive runs the commands of the README in a repository, and looks for the files that it names.
func TestReadmeOfAnArchive(t *testing.T) {
	t.Parallel()
	dir, r := unpacked(t), newRunner(t)
	r.write("app.yaml", bad)
	data, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^    flux-remedy (.*?) +#`).FindAllStringSubmatch(string(data), -1)
	if len(commands) != 3 || !strings.Contains(string(data), "\nDocumentation: https://example.com/remedy/blob/v0.1.0/docs/README.md\n") {
		t.Fatalf("%d commands, want 3 and where the documentation is in\n%s", len(commands), data)
	}
	for _, c := range append(commands, []string{"", "lint --strict"}) {
		cmd := r.command(filepath.Join(dir, "flux-remedy"), strings.Fields(c[1])...)
		cmd.Dir = r.dir
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); len(out) == 0 || code != map[string]int{"lint": 1}[c[1]] {
			t.Errorf("%s: %v\n%s", c[1], err, out)
		}
	}
	for _, name := range regexp.MustCompile("(?m)^- `([^`]+)`").FindAllStringSubmatch(string(data), -1) {
		if _, err := os.Stat(filepath.Join(dir, name[1])); err != nil {
			t.Error(err)
		}
	}
}

// TestChartsOfAnArchive: both programs of an archive work together.
func TestChartsOfAnArchive(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.write("app.yaml", strings.ReplaceAll(bad, "chartRef: {kind: OCIRepository, name: shop}", "chart: {spec: {chart: app, version: 1.0.0, sourceRef: {kind: HelmRepository, name: x}}}"))
	r.write("Chart.yaml", "apiVersion: v2\nname: app\nversion: 1.0.0\n")
	if err := os.Mkdir(filepath.Join(r.dir, "templates"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.write("templates/claim.yaml", "kind: PersistentVolumeClaim\napiVersion: v1\nmetadata: {name: data}\n")
	out, err := r.command(filepath.Join(unpacked(t), "flux-remedy"), "forecast", "--charts", r.dir, "--scenario", "deleted", "app.yaml").CombinedOutput()
	if want := "deletes PersistentVolumeClaim data"; err != nil || !strings.Contains(string(out), want) {
		t.Errorf("%v, want %q in\n%s", err, want, out)
	}
}

// modes returns the files of a tarball with their modes.
func modes(t *testing.T, data []byte) map[string]int64 {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int64{}
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		found[header.Name] = header.Mode
	}
}

// TestReproducible builds the same sources in another folder. Provenance names
// the commit of a repository, which the copy is not.
func TestReproducible(t *testing.T) {
	t.Parallel()
	root, output := t.TempDir(), filepath.Join(t.TempDir(), "release")
	for _, folder := range []string{"cmd", "internal", "pkg", "policies", "manifests"} {
		if err := os.CopyFS(filepath.Join(root, folder), os.DirFS("../../"+folder)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "go.sum", "LICENSE"} {
		data, err := os.ReadFile("../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := releaseTo(output, root).write(); err != nil {
		t.Fatal(err)
	}
	one, other := sums(t, published(t)), sums(t, output)
	for _, found := range []map[string]string{one, other} {
		delete(found, "flux-remedy_0.1.0_provenance.intoto.json")
	}
	want := map[bool]int{true: 16, false: 10}[here.OS == "linux"] // images are of Linux
	if len(one) != want || !reflect.DeepEqual(one, other) {
		t.Errorf("two builds differ, or hold not %d files beside provenance:\n%v\n%v", want, one, other)
	}
}

func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := readAll(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, f := range files {
		found[f.name] = fmt.Sprintf("%x", sha256.Sum256(f.data))
	}
	return found
}

func TestChecksums(t *testing.T) {
	dir := published(t)
	list, err := os.ReadFile(filepath.Join(dir, "flux-remedy_0.1.0_checksums.txt"))
	if want := sums(t, dir)[archiveName()] + "  " + archiveName() + "\n"; err != nil || string(list) != want {
		t.Errorf("%v: %q, want %q", err, list, want)
	}
}

// TestPlugin checks the manifest against the schema of the catalog.
func TestPlugin(t *testing.T) {
	dir := t.TempDir()
	r := release{version: "v1.2.3-rc.1", repository: "https://example.com/remedy", output: dir}
	var archives []sum
	for _, p := range platforms {
		archives = append(archives, sum{p, "archive-" + p.OS + "-" + p.Arch, strings.Repeat("0a", 32)})
	}
	if err := r.describe(archives); err != nil {
		t.Fatal(err)
	}
	var p plugin
	decode(t, filepath.Join(dir, "remedy.yaml"), &p)
	version := p.Versions[0]
	first := version.Platforms[0]
	for text, pattern := range map[string]string{
		p.APIVersion + " " + p.Kind: `^cli\.fluxcd\.io/v1beta1 Plugin$`,
		p.Name:                      `^remedy$`, // flux remedy
		p.Bin:                       `^flux-remedy$`,
		p.Description:               `.`,
		p.Homepage:                  `^https://`,
		p.Source:                    `^https://`,
		version.Version:             `^[0-9]+\.[0-9]+\.[0-9]+(-.+)?$`,
		first.URL:                   `^https://example\.com/remedy/releases/download/v1\.2\.3-rc\.1/archive-darwin-amd64$`,
		first.Checksum:              `^sha256:[a-f0-9]{64}$`,
	} {
		if !regexp.MustCompile(pattern).MatchString(text) {
			t.Errorf("%q is not of the form %s", text, pattern)
		}
	}
	if len(p.Versions) != 1 || len(version.Platforms) != len(platforms) {
		t.Errorf("%d versions, the first with %d platforms", len(p.Versions), len(version.Platforms))
	}
	var c catalog
	decode(t, filepath.Join(dir, "catalog.yaml"), &c)
	want := []catalogEntry{{p.Name, p.Description, p.Homepage, p.Source, "Apache-2.0"}}
	if c.Kind != "PluginCatalog" || c.APIVersion != p.APIVersion || !slices.Equal(c.Plugins, want) {
		t.Errorf("the catalog is %+v", c)
	}
}

func decode(t *testing.T, name string, to any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(to); err != nil {
		t.Fatal(err)
	}
}

func TestZip(t *testing.T) {
	data, err := zipfile([]file{{"flux-remedy.exe", 0o755, []byte("program")}, {"LICENSE", 0o644, []byte("license")}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil || len(r.File) != 2 || r.File[0].Name != "flux-remedy.exe" || r.File[0].Mode() != 0o755 {
		t.Fatalf("%v: %+v", err, r)
	}
	in, err := r.File[1].Open()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(in); err != nil || string(text) != "license" {
		t.Errorf("%v: %q", err, text)
	}
}

func TestRefused(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "old"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for want, r := range map[string]release{
		`version "4820044-dirty": want a tag`: {version: "4820044-dirty", repository: "https://a"},
		`version "v1.2": want a tag`:          {version: "v1.2", repository: "https://a"},
		`version "1.2.3": want a tag`:         {version: "1.2.3", repository: "https://a"},
		`repository "git@a": want the https`:  {version: "v1.2.3", repository: "git@a"},
		"is not empty":                        {version: "v1.2.3", repository: "https://a", output: full},
	} {
		if err := r.write(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
