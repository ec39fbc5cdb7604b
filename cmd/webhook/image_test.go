package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestImage builds the image on an empty base, which needs no network, and
// checks its content.
func TestImage(t *testing.T) {
	dependOn(t, "../../hack/image")
	program, err := delivered()
	if err != nil {
		t.Fatal(err)
	}
	named := filepath.Join(t.TempDir(), "remedy-webhook") // the image has it by its name
	if err := os.Symlink(program, named); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "image.tar")
	build := exec.Command("go", "run", "./image", "-base=scratch", "-program", named, "-tag=remedy-webhook:test", "-output", file)
	build.Dir = "../../hack"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files := untar(t, read(t, file))

	var manifest []struct {
		Config           string
		RepoTags, Layers []string
	}
	decodeJSON(t, files["manifest.json"], &manifest)
	if len(manifest) != 1 || len(manifest[0].Layers) != 1 || !slices.Equal(manifest[0].RepoTags, []string{"remedy-webhook:test"}) {
		t.Fatalf("manifest %+v, want one image of one layer", manifest)
	}
	var config struct {
		OS, Architecture string
		Config           struct {
			User       string
			Entrypoint []string
		}
	}
	decodeJSON(t, files[manifest[0].Config], &config)
	if config.OS != "linux" || config.Config.User != "65532:65532" || !slices.Equal(config.Config.Entrypoint, []string{"/remedy-webhook"}) {
		t.Errorf("config %+v", config)
	}
	layer, err := gzip.NewReader(bytes.NewReader(files[manifest[0].Layers[0]]))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(layer)
	if err != nil {
		t.Fatal(err)
	}
	inside := untar(t, data)
	if len(inside) != 1 || sha256.Sum256(inside["remedy-webhook"]) != sha256.Sum256(read(t, program)) {
		t.Errorf("the layer holds %d files, want the program alone", len(inside))
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decodeJSON(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// untar returns the files of an archive by name.
func untar(t *testing.T, data []byte) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for archive := tar.NewReader(bytes.NewReader(data)); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDockerfile checks that the Dockerfile copies everything that the program is
// built from.
func TestDockerfile(t *testing.T) {
	var copied []string
	for _, match := range regexp.MustCompile(`(?m)^COPY (\S+) \S+$`).FindAllStringSubmatch(string(read(t, "../../Dockerfile")), -1) {
		copied = append(copied, match[1])
	}
	const module = "github.com/flux-remedy/remedy/"
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	ours := 0
	for line := range strings.Lines(string(out)) {
		path, found := strings.CutPrefix(strings.TrimSpace(line), module)
		if !found {
			continue
		}
		ours++
		if top, _, _ := strings.Cut(path, "/"); !slices.Contains(copied, top) {
			t.Errorf("%s is not below what the Dockerfile copies: %v", path, copied)
		}
	}
	if ours < 3 {
		t.Errorf("only %d packages of our own", ours)
	}
}
