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
	if said.String() != "21 of 21 Kustomizations built, 50 HelmReleases\n" {
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
