package main

import (
	"encoding/base64"
	"os"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/flux-remedy/remedy/pkg/bundle"
)

// TestBundleConfigMap builds the artifact of docs/bundles.md as kustomize-controller does: the
// ConfigMap holds the bundle byte for byte, and fits.
func TestBundleConfigMap(t *testing.T) {
	page, err := os.ReadFile("../../docs/bundles.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(page), "# artifact/kustomization.yaml\n")
	kustomization, _, _ := strings.Cut(after, "```")
	b, err := bundle.Build(t.Context(), bundle.Content{})
	if err != nil {
		t.Fatal(err)
	}
	packed, err := b.Pack()
	if err != nil {
		t.Fatal(err)
	}
	files := filesys.MakeFsInMemory()
	for name, data := range map[string][]byte{"/artifact/kustomization.yaml": []byte(kustomization), "/artifact/policies.tar.gz": packed} {
		if err := files.WriteFile(name, data); err != nil {
			t.Fatal(err)
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, "/artifact")
	if err != nil {
		t.Fatal(err)
	}
	object, err := built.Resources()[0].Map()
	if err != nil {
		t.Fatal(err)
	}
	data, _ := object["binaryData"].(map[string]any)
	text, _ := data["policies.tar.gz"].(string)
	raw, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(text, "\n", ""))
	if err != nil || string(raw) != string(packed) || len(text) > 1<<20 {
		t.Errorf("%d of %d bytes: %v", len(raw), len(packed), err)
	}
}
