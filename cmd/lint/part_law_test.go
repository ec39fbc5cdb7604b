package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
)

var partsOf = flag.String("parts", "", "a repository whose files TestFileIsPartOfAll asks for one by one, beside the example fleets")

// A run for one file reports of it what a run for all reports of it: with --strict, all is looked at.
func TestFileIsPartOfAll(t *testing.T) {
	fleets, err := filepath.Glob("../../testdata/fleet/*")
	if err != nil {
		t.Fatal(err)
	}
	fleets = append(fleets, "../../testdata/demo")
	if *partsOf != "" {
		fleets = append(fleets, *partsOf)
	}
	for i := range fleets { // the working directory changes
		if fleets[i], err = filepath.Abs(fleets[i]); err != nil {
			t.Fatal(err)
		}
	}
	files, fewer, pick := 0, 0, rand.IntN(3)
	for _, fleet := range fleets {
		dir := filepath.Join(t.TempDir(), filepath.Base(fleet)) // outside of this repository
		if err := os.CopyFS(dir, os.DirFS(fleet)); err != nil {
			t.Fatal(err)
		}
		if clusters := lintJSON(t, dir).clusters(); len(clusters) < 2 && fleet != *partsOf {
			continue
		}
		for _, name := range manifestsIn(t, dir) {
			if files++; files%3 != pick {
				continue
			}
			whole, code := lintFile(t, dir, name, "--strict")
			part, got := lintFile(t, dir, name)
			if got != code && code != exitUndetermined {
				t.Errorf("%s %s: exit code %d, want %d", fleet, name, got, code)
			}
			for _, of := range []string{"findings", "undetermined", "unapplied", "problems", "waivers"} {
				if !reflect.DeepEqual(part[of], whole[of]) {
					t.Errorf("%s %s: %s\n%v\nwant\n%v", fleet, name, of, part[of], whole[of])
				}
			}
			if !reflect.DeepEqual(part["releases"], whole["releases"]) {
				fewer++
			}
		}
	}
	if t.Logf("%d files, of which a third is asked for, %d of them with fewer releases", files, fewer); files < 100 || fewer < 15 {
		t.Errorf("there are %d files, and of %d fewer releases are looked at", files, fewer)
	}
}

// manifestsIn lists the manifests of a tree, of one folder the first.
func manifestsIn(t *testing.T, dir string) (out []string) {
	t.Helper()
	count := map[string]int{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && build.IsManifest(name) && count[filepath.Dir(name)] < 1 {
			count[filepath.Dir(name)]++
			out = append(out, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(out, func(name string) bool { return filepath.Base(name)[0] == '.' })
}

// lintFile lints a file as an editor has it, and returns the JSON and the exit code.
func lintFile(t *testing.T, dir, name string, args ...string) (out map[string]any, code int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	var text, said bytes.Buffer
	code = run(t.Context(), append([]string{"lint", "--stdin-path", name, "-", "-o", "json"}, args...), streams{in: bytes.NewReader(data), out: &text, err: &said})
	if err := json.Unmarshal(text.Bytes(), &out); err != nil {
		t.Logf("%s %s: %s", dir, name, said.String())
		return nil, code
	}
	return out, code
}
