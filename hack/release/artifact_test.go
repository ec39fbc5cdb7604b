package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// unpackedLayout unpacks the layout as a user does, and returns its folder and the digest that
// is written beside it.
func unpackedLayout(t *testing.T) (dir, digest string) {
	t.Helper()
	dir = t.TempDir()
	name := filepath.Join(published(t), "flux-remedy_0.1.0_manifests")
	if out, err := exec.CommandContext(t.Context(), "tar", "-xf", name+".oci.tar", "-C", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(name + ".digest")
	if err != nil {
		t.Fatal(err)
	}
	return dir, strings.TrimSpace(string(data))
}

// TestArtifactPush pushes the layout to a registry with the command of docs/webhook.md, and
// asks the registry for the digest that an OCIRepository names.
func TestArtifactPush(t *testing.T) {
	dir, digest := unpackedLayout(t)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	repository := strings.TrimPrefix(server.URL, "http://") + "/platform/remedy-webhook-manifests"
	push := exec.CommandContext(t.Context(), "go", "tool", "crane", "push", dir, repository+":v0.1.0")
	if out, err := push.CombinedOutput(); err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), repository+"@"+digest) {
		t.Fatalf("%v\n%s", err, out)
	}
	reference, err := name.NewDigest(repository + "@" + digest)
	if err != nil {
		t.Fatal(err)
	}
	image, err := remote.Image(reference)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatal(layers, err)
	}
	zipped, err := layers[0].Compressed()
	if err != nil {
		t.Fatal(err)
	}
	if files := unzip(t, zipped); len(files) < 20 {
		t.Errorf("%d files", len(files))
	}
}

// TestArtifact reads the layout with a reader of others, and compares its content with the
// manifests.
func TestArtifact(t *testing.T) {
	dir, digest := unpackedLayout(t)
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 1 {
		t.Fatal(manifest, err)
	}
	if want := manifest.Manifests[0].Digest.String(); digest != want {
		t.Errorf("digest %q, want %s", digest, want)
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
