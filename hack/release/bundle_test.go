package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/flux-remedy/remedy/pkg/bundle"
)

// TestBundleRegistry takes a signed bundle through a registry with the commands of
// docs/bundles.md: what is pulled is what was pushed, and the image is valid for whoever
// mounts it.
func TestBundleRegistry(t *testing.T) {
	built, err := bundle.Build(t.Context(), bundle.Content{Revision: "v7", Version: "v1"})
	if err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := built.Sign(private, bundle.DefaultKeyID, time.Time{}); err != nil {
		t.Fatal(err)
	}
	pushed, pulled := filepath.Join(t.TempDir(), "pushed"), filepath.Join(t.TempDir(), "pulled")
	digest, err := built.WriteLayout(pushed)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	repository := strings.TrimPrefix(server.URL, "http://") + "/platform/remedy-policies"
	crane := func(args ...string) {
		t.Helper()
		if out, err := exec.CommandContext(t.Context(), "go", append([]string{"tool", "crane"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("crane %v: %v\n%s", args, err, out)
		}
	}
	crane("push", pushed, repository+":v7")
	reference, err := name.NewDigest(repository + "@" + digest)
	if err != nil {
		t.Fatal(err)
	}
	image, err := remote.Image(reference)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Image(image); err != nil {
		t.Error(err)
	}
	crane("pull", "--format=oci", repository+":v7", pulled)
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := bundle.ParseKeys(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	if err != nil {
		t.Fatal(err)
	}
	opened, err := bundle.Open(pulled, keys, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if opened.Revision != "v7" || opened.Digest != built.Digest || opened.Signature == nil {
		t.Errorf("pulled %+v", opened)
	}
}
