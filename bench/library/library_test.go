package main

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"testing"

	"github.com/flux-remedy/remedy/bench/trees"
)

// Every Kustomization of a fleet is built, and its tree left as it was.
func TestLibrary(t *testing.T) {
	want, dir := trees.Fleet(1, 1), t.TempDir()
	if err := want.Write(dir); err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	if err := run(dir, &out, &said); err != nil {
		t.Fatal(err)
	}
	if said.String() != "21 of 21 built, 50 HelmReleases\n" {
		t.Error(said.String())
	}
	if bytes.Contains(out.Bytes(), []byte("${")) {
		t.Error("variables are left")
	}
	got := trees.Tree{}
	if err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(os.DirFS(dir), name)
		got[name] = string(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(got, want) {
		t.Error("the tree was changed")
	}
}

// Of a tree without Kustomizations, each folder is built that no other one lists.
func TestLibraryOfBases(t *testing.T) {
	dir := t.TempDir()
	release := "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: app\n"
	tree := trees.Tree{
		"bases/app/kustomization.yaml": "resources: [app.yaml]\n", "bases/app/app.yaml": release,
		"over/kustomization.yaml":  "resources: [../bases/app]\ncomponents: [../part]\n",
		"part/kustomization.yaml":  "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\nnamespace: a\n",
		"broken/kustomization.yml": "resources: [missing.yaml]\n",
	}
	if err := tree.Write(dir); err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	if err := run(dir, &out, &said); err != nil {
		t.Fatal(err)
	}
	if said.String() != "0 of 0 built, 0 HelmReleases\n1 of 2 built, 1 HelmReleases\n" {
		t.Error(said.String())
	}
}
