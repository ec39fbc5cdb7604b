package kustomize

import (
	"testing"

	kustypes "sigs.k8s.io/kustomize/api/types"
)

// A digest of spec.images replaces a tag of the kustomization.yaml, and leaves the new name.
func TestAddImages(t *testing.T) {
	kust := kustypes.Kustomization{Images: []kustypes.Image{{Name: "app", NewName: "other", NewTag: "1"}}}
	ks := map[string]any{"spec": map[string]any{"images": []any{map[string]any{"name": "app", "digest": "sha256:1"}}}}
	if err := addImages(&kust, ks); err != nil {
		t.Fatal(err)
	}
	if want := (kustypes.Image{Name: "app", NewName: "other", Digest: "sha256:1"}); len(kust.Images) != 1 || kust.Images[0] != want {
		t.Errorf("%+v, want %+v", kust.Images, want)
	}
}
