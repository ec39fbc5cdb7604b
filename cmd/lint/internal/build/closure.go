package build

import (
	"path"
	"slices"

	"sigs.k8s.io/kustomize/api/konfig"
)

// KustFileIn returns the kustomization.yaml of a folder; nil if it has none.
func (s *Source) KustFileIn(dir string) *KustFile {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if k, ok := s.kusts[path.Join(dir, name)]; ok {
			return k
		}
	}
	return nil
}

// Closure lists the files and the kustomization.yaml files that a build of a folder
// reads, by path. Entries that do not exist are left out.
func (s *Source) Closure(dir string) (files []string, kusts []*KustFile) {
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		if !s.IsDir(name) {
			files = append(files, name)
			return
		}
		k := s.KustFileIn(name)
		if k != nil {
			kusts, files = append(kusts, k), append(files, k.Path)
		}
		for _, inner := range s.inner(name, k) {
			visit(inner)
		}
	}
	visit(path.Clean(dir))
	return files, kusts
}

// inner lists the files and folders that a build takes from a folder: the entries of
// its kustomization.yaml or, if it has none, what Flux finds in it.
func (s *Source) inner(dir string, k *KustFile) []string {
	if k == nil {
		return s.scan(dir)
	}
	return slices.DeleteFunc(k.Entries(), func(name string) bool { return !s.plain.Exists(name) })
}

// scan lists what Flux takes from a folder without kustomization.yaml: YAML
// files, and folders that have one.
func (s *Source) scan(dir string) []string {
	var out []string
	for _, name := range s.plain.Entries(path.Clean(dir)) {
		switch {
		case !s.IsDir(name):
			if path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" {
				out = append(out, name)
			}
		case s.KustFileIn(name) != nil:
			out = append(out, name)
		default:
			out = append(out, s.scan(name)...)
		}
	}
	return out
}

// Above lists the kustomization.yaml files through which a build of a folder
// takes a file that is asks for, the outermost first. Those of components are
// left out: they patch more than they take.
func (s *Source) Above(dir string, is func(path string) bool) []*KustFile {
	if files, _ := s.Closure(dir); !slices.ContainsFunc(files, is) {
		return nil
	}
	var out []*KustFile
	k := s.KustFileIn(dir)
	if k != nil && !k.Component {
		out = append(out, k)
	}
	for _, inner := range s.inner(dir, k) {
		if !s.IsDir(inner) || inner == path.Clean(dir) {
			continue
		}
		for _, above := range s.Above(inner, is) {
			if !slices.Contains(out, above) {
				out = append(out, above)
			}
		}
	}
	return out
}
