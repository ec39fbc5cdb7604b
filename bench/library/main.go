// Command library builds every Flux Kustomization that is written in a tree once, with
// Flux's own library, as "flux build kustomization --dry-run" does: it generates the
// kustomization.yaml, builds, substitutes and prints. It judges nothing.
//
//	library DIR
//
// Where none of them can be built, as in a library of bases, it builds each
// folder with a kustomization.yaml that no other one lists. It writes to the tree meanwhile, as the library does: give it a copy.
package main

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: library DIR")
		os.Exit(2)
	}
	root, err := filepath.Abs(os.Args[1])
	if err == nil {
		err = run(root, os.Stdout, os.Stderr)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "library:", err)
		os.Exit(2)
	}
}

// run builds what is in a tree and says how much that was. What cannot be built, as
// in every real tree, is counted.
func run(root string, stdout, stderr io.Writer) error {
	out := bufio.NewWriter(stdout)
	built := 0
	for _, find := range []func(string) ([]unstructured.Unstructured, error){kustomizations, outermost} {
		all, err := find(root)
		if err != nil {
			return err
		}
		releases := 0
		for _, k := range all {
			text, err := build(root, k)
			if err != nil {
				continue
			}
			built++
			releases += strings.Count("\n"+string(text), "\nkind: HelmRelease\n")
			_, _ = out.Write(text) // Flush returns the error
		}
		fmt.Fprintf(stderr, "%d of %d built, %d HelmReleases\n", built, len(all), releases)
		if built > 0 {
			break
		}
	}
	return out.Flush()
}

// kustomizations returns the Flux Kustomizations that are written in a tree.
func kustomizations(root string) ([]unstructured.Unstructured, error) {
	var out []unstructured.Unstructured
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(name); entry.Type().IsRegular() && (ext == ".yaml" || ext == ".yml") {
			text, err := os.ReadFile(name)
			out = append(out, kustomizationsIn(text)...)
			return err
		}
		return nil
	})
	return out, err
}

// kustomizationsIn returns those of a file; what is no YAML holds none.
func kustomizationsIn(text []byte) []unstructured.Unstructured {
	if !strings.Contains(string(text), "kustomize.toolkit.fluxcd.io/") {
		return nil
	}
	var out []unstructured.Unstructured
	documents := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(string(text))))
	for {
		document, err := documents.Read()
		if err != nil {
			return out
		}
		var k unstructured.Unstructured
		if yaml.Unmarshal(document, &k.Object) == nil && k.GetKind() == "Kustomization" &&
			strings.HasPrefix(k.GetAPIVersion(), "kustomize.toolkit.fluxcd.io/") {
			out = append(out, k)
		}
	}
}
