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

// unpackedLayout unpacks a layout as a user does, and returns its folder and the digest that
// is written beside it.
func unpackedLayout(t *testing.T, what string) (dir, digest string) {
	t.Helper()
	dir = t.TempDir()
	name := filepath.Join(published(t), "flux-remedy_0.1.0_"+what)
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
	reference := pushed(t, "manifests")
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

// pushed pushes a layout to a registry in memory, as a user does, and returns what its digest is there.
func pushed(t *testing.T, what string) name.Digest {
	t.Helper()
	dir, digest := unpackedLayout(t, what)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	repository := strings.TrimPrefix(server.URL, "http://") + "/platform/" + what
	push := exec.CommandContext(t.Context(), "go", "tool", "crane", "push", dir, repository+":v0.1.0")
	if out, err := push.CombinedOutput(); err != nil || !strings.HasSuffix(strings.TrimSpace(string(out)), repository+"@"+digest) {
		t.Fatalf("%v\n%s", err, out)
	}
	reference, err := name.NewDigest(repository + "@" + digest)
	if err != nil {
		t.Fatal(err)
	}
	return reference
}

// TestArtifact reads the layout with a reader of others, and compares its content with the
// manifests.
func TestArtifact(t *testing.T) {
	dir, digest := unpackedLayout(t, "manifests")
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

// TestPushUnsigned: without cosign nothing is pushed, unless that is wanted.
func TestPushUnsigned(t *testing.T) {
	bash, err := exec.LookPath("bash")
	dirname, err2 := exec.LookPath("dirname")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir() // all that is installed
	if err := os.Symlink(dirname, filepath.Join(bin, "dirname")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bash, "./push.sh", t.TempDir())
	cmd.Env = []string{"REGISTRY=example.invalid", "TAG=v0.1.0", "PATH=" + bin}
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "cosign is not installed") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPush pushes a release as the workflow does, but for the chart, which Helm pushes: each artifact
// is in the registry under its name and version, as its digest says.
func TestPush(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://") + "/acme"
	bin := t.TempDir()
	for _, name := range []string{"helm", "cosign"} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\necho "+name+" \"$@\" >>"+filepath.Join(bin, "called")+"\necho Digest: sha256:0123\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "./push.sh", published(t))
	cmd.Env = append(os.Environ(), "REGISTRY="+host, "TAG=v0.1.0", "REGISTRY_PASSWORD=", "PATH="+bin+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	called, err := os.ReadFile(filepath.Join(bin, "called"))
	if err != nil || !strings.Contains(string(called), "helm push "+filepath.Join(published(t), "flux-remedy-0.1.0.tgz")+" oci://"+host+"/charts\n") {
		t.Errorf("%v\n%s", err, called)
	}
	if !strings.Contains(string(called), "cosign sign --yes "+host+"/charts/flux-remedy@sha256:0123\n") {
		t.Errorf("the chart is not signed:\n%s", called)
	}
	for file, repository := range map[string]string{"manifests": "remedy-webhook-manifests", "image_flux-remedy": "flux-remedy", "image_remedy-webhook": "remedy-webhook"} {
		digest, err := os.ReadFile(filepath.Join(published(t), "flux-remedy_0.1.0_"+file+".digest"))
		if here.OS != "linux" && err != nil {
			continue // images are of Linux
		}
		tag, err2 := name.NewTag(host + "/" + repository + ":v0.1.0")
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		found, err := remote.Head(tag)
		if err != nil || found.Digest.String() != strings.TrimSpace(string(digest)) || !strings.Contains(string(called), "cosign sign --yes "+host+"/"+repository+"@"+found.Digest.String()) {
			t.Errorf("%s: %v %v\n%s", repository, found, err, called)
		}
	}
}
