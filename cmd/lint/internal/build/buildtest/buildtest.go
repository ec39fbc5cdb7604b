// Package buildtest holds what tests of builds have in common.
package buildtest

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Files returns the tree of a txtar archive.
func Files(archive string) *tree.Tree {
	changes := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		changes[f.Name] = f.Data
	}
	return tree.Of(nil).With(changes)
}

// Kustomization returns a Flux Kustomization with a spec.
func Kustomization(spec map[string]any) map[string]any {
	return map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": "apps", "namespace": "flux-system"}, "spec": spec,
	}
}

// Folders lists the folders of a tree.
func Folders(files *tree.Tree) []string {
	out := []string{"."}
	for _, name := range files.Paths() {
		for dir := path.Dir(name); !slices.Contains(out, dir); dir = path.Dir(dir) {
			out = append(out, dir)
		}
	}
	return out
}

// Examples are the trees of the folder testdata of the repository.
func Examples(t *testing.T, testdata string) map[string]*tree.Tree {
	t.Helper()
	out := map[string]*tree.Tree{}
	folders, err := filepath.Glob(filepath.Join(testdata, "fleet/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range append(folders, filepath.Join(testdata, "demo")) {
		files, err := tree.Folder(context.Background(), dir, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out[dir] = files
	}
	archives, err := filepath.Glob(filepath.Join(testdata, "hostile/*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range archives {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = Files(string(txtar.Format(txtar.Parse(data))))
	}
	return out
}

// Seeds are objects whose values YAML could take for others.
var Seeds = []string{
	"a: 1\nb: -0\nc: 007\nd: 0x1f\ne: 1_000\nf: 1e3\ng: .5\nh: 123456789012345\ni: 9007199254740993\nj: +1\nk: 190:20:30\n",
	"a: yes\nb: 'yes'\nc: !!str yes\nd: !!bool yes\ne: True\nf: \"true\"\ny: n\non: off\n",
	"a:\nb: ~\nc: null\nd: Null\ne: 'null'\nf: [null, ~, ]\ng: {h: , i: null}\n",
	"a: 2001-01-01\nb: !!binary aGk=\nc: !x y\nd: !!str 1\ne: !!int '1'\nf: =\ng: <<\n",
	"<<: {a: 1}\nb: &x {c: 1}\nd: *x\ne: {<<: *x}\n",
	"a: |\n  x\n   y\n\nb: |-\n  x\nc: |+\n  x\n\n\nd: >\n  x\n  y\ne: |2\n   x\nf: |\n\n  x\ng: \"x\\ny\"\nh: 'x\n\n  y'\n",
	"a: \" x\"\nb: 'x '\nc: \"x \\n y\"\nd: \"\\t\"\ne: 'é'\nf: \"x\\n\"\ng: '# x'\nh: 'a: b'\ni: '- a'\nj: '- '\nk: ''\nl: |\n  x \n  y\n",
	"a: # x\n  b: 1 # y\n# z\nc: # w\n  - 1\n  # v\n  - 2\n\n# u\n\n# t\nd: |  # s\n  x\n# r\n",
	"a: {}\nb: []\nc: {d: []}\n? [x]\n: 1\n", "1: a\n", "true: a\n", "a: 1\na: 2\n", "'': 1\n", "? |\n  x\n: 1\n",
	"a: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb ccccccccccccccccccccc  ddddddddddddddd '# ee\n",
	"a: \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb  \\n cccc: cccccc ' \\\" d\"\n",
	"a: ${X}\n", "$b: 1\n", "a: $\n", "a: x$$y\n",
}

// Indent indents the lines of a text.
func Indent(text string) string {
	out, start := "", true
	for _, r := range text {
		if start && r != '\n' {
			out += "  "
		}
		out, start = out+string(r), r == '\n'
	}
	return out
}
