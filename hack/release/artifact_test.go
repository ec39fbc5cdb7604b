package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// TestArtifact unpacks the layout as a user does, reads it with a reader of others, and
// compares its content with the manifests.
func TestArtifact(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(published(t), "flux-remedy_0.1.0_manifests")
	if out, err := exec.CommandContext(t.Context(), "tar", "-xf", name+".oci.tar", "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatal(manifest, err)
	}
	digest, err := os.ReadFile(name + ".digest")
	if err != nil || strings.TrimSpace(string(digest)) != manifest.Manifests[0].Digest.String() {
		t.Errorf("%v: digest %q, want %s", err, digest, manifest.Manifests[0].Digest)
	}
	image, err := index.Image(manifest.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatal(layers, err)
	}
	if kind, err := layers[0].MediaType(); err != nil || kind != contentType {
		t.Error(kind, err)
	}
	zipped, err := layers[0].Compressed()
	if err != nil {
		t.Fatal(err)
	}
	want, err := readTree("../../manifests")
	if err != nil {
		t.Fatal(err)
	}
	if got := unzip(t, zipped); !reflect.DeepEqual(got, want) || len(got) < 20 {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
}

func unzip(t *testing.T, from io.Reader) (files []file) {
	t.Helper()
	zipped, err := gzip.NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	r := tar.NewReader(zipped)
	for {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		var data bytes.Buffer
		if _, err := io.Copy(&data, r); err != nil {
			t.Fatal(err)
		}
		files = append(files, file{header.Name, 0o644, append([]byte{}, data.Bytes()...)})
	}
}
