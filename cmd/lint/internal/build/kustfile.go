package build

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// KustFile is a kustomization.yaml as this package reads it, to find files and patches.
// Kustomize itself reads the file again when it builds.
type KustFile struct {
	Path      string // in its source
	Doc       *yamledit.Document
	Object    map[string]any // is shared
	Component bool

	text []byte // with the names of fields as kustomize writes them; nil if they are so
}

// data returns the text that is built.
func (k *KustFile) data() []byte {
	if k.text != nil {
		return k.text
	}
	return k.Doc.File.Data()
}

// entryFields are the fields of a kustomization.yaml that name files or folders
// to take resources from.
var entryFields = []string{"resources", "bases", "components"}

// configFields are the fields that name files or folders, or hold texts, with the
// configurations of generators, transformers and validators.
var configFields = []string{"generators", "transformers", "validators"}

// partFields are the fields that list other files, or texts.
var partFields = []string{"configurations", "crds", "patchesStrategicMerge"}

// partHolders are the fields whose items name files.
var partHolders = []string{
	"patches", "patchesJson6902", "replacements", "configMapGenerator", "secretGenerator", "helmCharts", "helmChartInflationGenerator",
}

// IsManifest reports whether a file has the name of a manifest.
func IsManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name))
}

// IsKustFile reports whether a file has one of the names that kustomize reads as a
// kustomization.yaml.
func IsKustFile(name string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), path.Base(name))
}

// kustFileOf returns the first object of a stream as a kustomization.yaml; nil
// if there is none.
func kustFileOf(name string, file *yamledit.File) *KustFile {
	for _, doc := range file.Documents {
		if object, err := doc.Shared(); err == nil && object != nil {
			return &KustFile{Path: name, Doc: doc, Object: object, Component: object["kind"] == "Component"}
		}
	}
	return nil
}

// IsEmpty reports whether a file holds nothing that could be read. Flux builds nothing of a
// folder with such a kustomization.yaml, and kustomize refuses one that another one lists.
// Source: github.com/fluxcd/pkg/kustomize, GenerateManifest, and kustomize's "kustomization.yaml is empty".
func IsEmpty(file *yamledit.File) bool {
	return !slices.ContainsFunc(file.Documents, func(doc *yamledit.Document) bool {
		object, err := doc.Shared()
		return err != nil || doc.Err != nil || object != nil
	})
}

func emptyKustFile(name string, file *yamledit.File) *KustFile {
	return &KustFile{Path: name, Doc: &yamledit.Document{File: file, Line: 1}, Object: map[string]any{}}
}

// list returns the items of a field; one that is not a string is "".
func (k *KustFile) list(field string) []string {
	items, _ := k.Object[field].([]any)
	out := make([]string, len(items))
	for i, item := range items {
		out[i], _ = item.(string)
	}
	return out
}

// Patches returns the patches that are written in the file itself.
func (k *KustFile) Patches() []*yamledit.File {
	var out []*yamledit.File
	for _, field := range []string{"patches", "patchesJson6902", "patchesStrategicMerge"} {
		list, _ := k.Object[field].([]any)
		for i, item := range list {
			path := []any{field, i}
			if _, is := item.(map[string]any); is {
				path = append(path, "patch")
			}
			if file, ok := k.Doc.Embedded(path...); ok {
				out = append(out, file)
			}
		}
	}
	return out
}

// Resolve returns a path that is written in the file, relative to the source.
func (k *KustFile) Resolve(ref string) string { return path.Join(path.Dir(k.Path), ref) }

// Entries returns the paths, relative to the source, of all entries of resources, bases
// and components, whether they exist or not.
func (k *KustFile) Entries() []string {
	var out []string
	for _, field := range entryFields {
		for _, entry := range k.list(field) {
			if entry != "" && !kustomize.IsRemote(entry) {
				out = append(out, k.Resolve(entry))
			}
		}
	}
	return out
}

// HostsComponents reports whether a Flux Kustomization builds the folder only for the components that it adds itself:
// nothing of the folder is listed, and none of it is left out, either.
func (k *KustFile) HostsComponents(ks map[string]any) bool {
	return len(addedComponents(ks)) > 0 && !slices.ContainsFunc(k.Entries(), func(entry string) bool { return tree.Within(path.Dir(k.Path), entry) })
}

// addedComponents returns the components that a Flux Kustomization adds to its folder.
func addedComponents(ks map[string]any) []string {
	var out []string
	list, _ := object.At(ks, "spec", "components").([]any)
	for _, item := range list {
		if name, ok := item.(string); ok {
			out = append(out, name)
		}
	}
	return out
}

// Folders returns the paths, relative to the source, of all entries that may be folders: those
// of Entries, and of generators, transformers and validators.
func (k *KustFile) Folders() []string {
	out := k.Entries()
	for _, field := range configFields {
		for _, entry := range k.list(field) {
			if entry != "" && !kustomize.IsRemote(entry) && documentsIn(entry) == nil {
				out = append(out, k.Resolve(entry))
			}
		}
	}
	return out
}

// patches lists the patches of the file in the order of its fields.
func (k *KustFile) patches() []trace.Patch {
	var out []trace.Patch
	for i, entry := range k.list("patchesStrategicMerge") {
		p := trace.Patch{At: []any{"patchesStrategicMerge", i}, File: entry}
		if strings.Contains(entry, "\n") || strings.HasPrefix(strings.TrimSpace(entry), "{") {
			p.Inline, p.File = entry, ""
		}
		out = append(out, p)
	}
	for _, field := range []string{"patches", "patchesJson6902"} {
		out = append(out, trace.Patches(k.Object[field], field)...)
	}
	return out
}

// PatchFiles returns the paths in the source of the files that are patches.
func (k *KustFile) PatchFiles() []string {
	var out []string
	for _, p := range k.patches() {
		if p.File != "" {
			out = append(out, k.Resolve(p.File))
		}
	}
	return out
}

// documentsIn returns the documents of an entry that is a text with objects; nil if it is a path.
func documentsIn(entry string) []*yamledit.Document {
	if !strings.ContainsAny(entry, "\n{:") {
		return nil
	}
	file, err := yamledit.Parse("", []byte(entry))
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(file.Documents, func(doc *yamledit.Document) bool {
		obj, err := doc.Object()
		return err != nil || obj == nil
	})
}
