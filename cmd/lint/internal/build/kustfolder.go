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

// inner lists the files and folders that a build for a Flux Kustomization takes from a folder:
// the entries of its kustomization.yaml or, if it has none, what Flux finds in it, and the
// components that are added. ks is nil for any other folder than the one that is built.
func (s *Source) inner(dir string, k *KustFile, ks map[string]any) []string {
	var out []string
	if k == nil {
		out = s.scan(dir, anywhere)
	} else {
		out = k.Entries()
	}
	for _, name := range addedComponents(ks) {
		out = append(out, path.Join(dir, name))
	}
	return slices.DeleteFunc(out, func(name string) bool { return !s.plain.Exists(name) })
}

// scan lists what Flux takes from a folder without kustomization.yaml: YAML files, and
// folders that have one. searched is called with each folder in which it looks for one.
func (s *Source) scan(dir string, searched func(dir string)) []string {
	var out []string
	for _, name := range s.plain.Entries(path.Clean(dir)) {
		if !s.IsDir(name) {
			if path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" {
				out = append(out, name)
			}
			continue
		}
		searched(name)
		if s.KustFileIn(name) != nil {
			out = append(out, name)
		} else {
			out = append(out, s.scan(name, searched)...)
		}
	}
	return out
}

// anywhere is for a scan of which only the result counts.
func anywhere(string) {}

// Above lists the kustomization.yaml files through which a build of a folder for a Flux
// Kustomization takes a file that is asks for, the outermost first. Those of components are
// left out: they patch more than they take.
func (s *Source) Above(dir string, ks map[string]any, is func(path string) bool) []*KustFile {
	if !slices.ContainsFunc(s.Walk(dir, ks).Files, is) {
		return nil
	}
	var out []*KustFile
	k := s.KustFileIn(dir)
	if k != nil && !k.Component {
		out = append(out, k)
	}
	for _, inner := range s.inner(dir, k, ks) {
		if !s.IsDir(inner) || inner == path.Clean(dir) {
			continue
		}
		for _, above := range s.Above(inner, nil, is) {
			if !slices.Contains(out, above) {
				out = append(out, above)
			}
		}
	}
	return out
}
