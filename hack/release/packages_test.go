package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

func publishedFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(published(t), name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestImages pulls the image of this machine from the index in a registry, as a node does, and runs
// its programs. Who runs it has no rights in it.
func TestImages(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("images are made of programs for Linux")
	}
	for what, programs := range map[string][]string{"flux-remedy": {"flux-remedy", "flux-remedy-charts"}, "remedy-webhook": {"remedy-webhook"}} {
		index, err := remote.Index(pushed(t, "image_"+what))
		if err != nil {
			t.Fatal(err)
		}
		manifest, err := index.IndexManifest()
		if err != nil || len(manifest.Manifests) != 1 || !manifest.Manifests[0].Platform.Equals(v1.Platform{OS: here.OS, Architecture: here.Arch}) {
			t.Fatalf("%+v %v", manifest, err)
		}
		image, err := index.Image(manifest.Manifests[0].Digest)
		if err != nil {
			t.Fatal(err)
		}
		config, err := image.ConfigFile()
		if err != nil || config.Config.User != "65532:65532" || !slices.Equal(config.Config.Entrypoint, []string{"/" + what}) || config.Architecture != here.Arch {
			t.Errorf("%+v %v", config, err)
		}
		dir := t.TempDir()
		untar(t, mutate.Extract(image), dir)
		for _, program := range programs {
			out, err := exec.CommandContext(t.Context(), filepath.Join(dir, program), "--help").CombinedOutput()
			if failed := new(exec.ExitError); err != nil && !errors.As(err, &failed) || !strings.Contains(string(out), "flux-remedy") && !strings.Contains(string(out), "remedy-webhook") {
				t.Errorf("%s: %v\n%s", program, err, out)
			}
		}
	}
}

// TestIndex: an index has the image of each platform of Linux, with its own program.
func TestIndex(t *testing.T) {
	temp := t.TempDir()
	r := release{base: "scratch", platforms: platforms}
	for _, arch := range []string{"amd64", "arm64"} { // nothing is built that is there
		dir := filepath.Join(temp, "linux_"+arch)
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, "remedy-webhook"), []byte(arch), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	index, _, err := r.index(temp, imageSources["remedy-webhook"])
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 2 {
		t.Fatal(manifest, err)
	}
	for i, arch := range []string{"amd64", "arm64"} {
		of := manifest.Manifests[i]
		image, err := index.Image(of.Digest)
		if err != nil || of.Platform.Architecture != arch {
			t.Fatal(of, err)
		}
		unpacked := t.TempDir()
		untar(t, mutate.Extract(image), unpacked)
		if got, err := os.ReadFile(filepath.Join(unpacked, "remedy-webhook")); err != nil || string(got) != arch {
			t.Errorf("%s: another program, %v", arch, err)
		}
	}
}

func untar(t *testing.T, from io.ReadCloser, dir string) {
	t.Helper()
	defer from.Close()
	for r := tar.NewReader(from); ; {
		header, err := r.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err := errors.Join(err, os.WriteFile(filepath.Join(dir, header.Name), data, header.FileInfo().Mode())); err != nil {
			t.Fatal(err)
		}
	}
}

// TestChartArchive: the archive is that of the chart, with the version that is released.
func TestChartArchive(t *testing.T) {
	found := modes(t, publishedFile(t, "flux-remedy-0.1.0.tgz"))
	want, err := readTree("../../manifests/chart")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range want {
		if found["flux-remedy/"+f.name] != 0o644 {
			t.Errorf("%s is not in it", f.name)
		}
	}
	if len(found) != len(want) {
		t.Errorf("%d files, want %d", len(found), len(want))
	}
	for _, f := range want {
		if f.name == "Chart.yaml" {
			got, err := releaseTo("", "../..").versioned(f.data)
			if err != nil || !bytes.Contains(got, []byte("\nversion: 0.1.0\nappVersion: v0.1.0\n")) {
				t.Errorf("%v\n%s", err, got)
			}
		}
	}
	if _, err := releaseTo("", "../..").versioned([]byte("name: a\n")); err == nil {
		t.Error("a chart without a version is taken")
	}
}

// TestKrew: what krew is told to install is in the archive that it is told to get.
func TestKrew(t *testing.T) {
	var k krew
	decode(t, filepath.Join(published(t), "krew.yaml"), &k)
	if k.Metadata.Name != "flux-remedy" || k.Spec.Version != "v0.1.0" || len(k.Spec.ShortDescription) > 80 || len(k.Spec.Platforms) != 1 {
		t.Fatalf("%+v", k)
	}
	p := k.Spec.Platforms[0]
	if p.Selector.MatchLabels["os"] != here.OS || p.SHA256 != sums(t, published(t))[archiveName()] || !strings.HasSuffix(p.URI, "/releases/download/v0.1.0/"+archiveName()) {
		t.Errorf("%+v", p)
	}
	if modes(t, publishedFile(t, archiveName()))[p.Bin] != 0o755 {
		t.Errorf("%s is no program of the archive", p.Bin)
	}
}

// TestFormula: what the formula installs is in the archives, which it names with their sums.
func TestFormula(t *testing.T) {
	text := string(publishedFile(t, "flux-remedy.rb"))
	in := modes(t, publishedFile(t, archiveName()))
	for _, name := range regexp.MustCompile(`install (.*)`).FindAllStringSubmatch(text, -1) {
		for _, quoted := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(name[1], -1) {
			matches := func(file string) bool { ok, _ := filepath.Match(quoted[1], file); return ok }
			if !slices.ContainsFunc(slices.Collect(maps.Keys(in)), matches) {
				t.Errorf("%s is not in the archive", quoted[1])
			}
		}
	}
	if here.OS != "windows" && !strings.Contains(text, `sha256 "`+sums(t, published(t))[archiveName()]+`"`) {
		t.Errorf("the archive is not named:\n%s", text)
	}
	if ruby, err := exec.LookPath("ruby"); err == nil {
		if out, err := exec.CommandContext(t.Context(), ruby, "-c", filepath.Join(published(t), "flux-remedy.rb")).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}
