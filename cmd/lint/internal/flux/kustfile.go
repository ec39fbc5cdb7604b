package flux

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// kustFile is what is needed of a kustomization.yaml; the build itself leaves
// everything to kustomize.
type kustFile struct {
	name      string // path in its artifact
	doc       *yamledit.Document
	object    map[string]any
	component bool
}

// entriesOf are the fields of a kustomization.yaml that name files or folders
// to take resources from.
var entriesOf = []string{"resources", "bases", "components"}

func isKustFile(name string) bool {
	return slices.Contains(konfig.RecognizedKustomizationFileNames(), path.Base(name))
}

// readKustFile reads a kustomization.yaml; nil if it is none.
func readKustFile(name string, file *yamledit.File) *kustFile {
	for _, doc := range file.Documents {
		object, err := doc.Object()
		if err != nil || object == nil {
			continue
		}
		return &kustFile{name: name, doc: doc, object: object, component: object["kind"] == "Component"}
	}
	return nil
}

// list gives the strings of a field, with their indexes.
func (k *kustFile) list(field string) []string {
	items, _ := k.object[field].([]any)
	out := make([]string, len(items))
	for i, item := range items {
		out[i], _ = item.(string)
	}
	return out
}

// resolve gives the path in the artifact of a path written in the file.
func (k *kustFile) resolve(ref string) string { return path.Join(path.Dir(k.name), ref) }

// patch is one patch that a kustomization.yaml or a Flux Kustomization applies.
type patch struct {
	at     []any          // the field that holds the inline text
	inline string         // "" if it is a file
	file   string         // as written
	target map[string]any // nil if it names its target itself
}

// kind gives the kind that a patch is for, if its target allows only one.
func (p patch) kind() string {
	kind, _ := p.target["kind"].(string)
	switch group, _ := p.target["group"].(string); {
	case kind != "":
		return kind
	case group == "helm.toolkit.fluxcd.io":
		return "HelmRelease"
	case group == "kustomize.toolkit.fluxcd.io":
		return "Kustomization"
	}
	return ""
}

// patches lists the patches of the file in the order in which they are applied.
func (k *kustFile) patches() []patch {
	var out []patch
	for i, entry := range k.list("patchesStrategicMerge") {
		p := patch{at: []any{"patchesStrategicMerge", i}, file: entry}
		if strings.Contains(entry, "\n") || strings.HasPrefix(strings.TrimSpace(entry), "{") {
			p.inline, p.file = entry, ""
		}
		out = append(out, p)
	}
	for _, field := range []string{"patches", "patchesJson6902"} {
		out = append(out, patchesIn(k.object[field], field)...)
	}
	return out
}

// patchesIn reads a list of {patch, path, target}.
func patchesIn(v any, at ...any) []patch {
	items, _ := v.([]any)
	var out []patch
	for i, item := range items {
		entry, _ := item.(map[string]any)
		p := patch{at: append(slices.Clone(at), i, "patch")}
		p.inline, _ = entry["patch"].(string)
		p.file, _ = entry["path"].(string)
		p.target, _ = entry["target"].(map[string]any)
		out = append(out, p)
	}
	return out
}

// closure lists the files and the kustomization.yaml files that a build of a
// folder reads, as paths in the artifact; it follows what is there.
func (a *artifact) closure(dir string) (files []string, kusts []*kustFile) {
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		if !a.isDir(name) {
			files = append(files, name)
			return
		}
		k := a.kustFileIn(name)
		if k == nil {
			for _, file := range a.scan(name) {
				visit(file)
			}
			return
		}
		kusts = append(kusts, k)
		files = append(files, k.name)
		for _, field := range entriesOf {
			for _, entry := range k.list(field) {
				if entry != "" && !isRemote(entry) && a.exists(k.resolve(entry)) {
					visit(k.resolve(entry))
				}
			}
		}
	}
	visit(path.Clean(dir))
	return files, kusts
}

// kustFileIn gives the kustomization.yaml of a folder; nil if it has none.
func (a *artifact) kustFileIn(dir string) *kustFile {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		if k, ok := a.kusts[path.Join(dir, name)]; ok {
			return k
		}
	}
	return nil
}

// scan lists what Flux takes from a folder without kustomization.yaml: YAML
// files, and folders that have one.
func (a *artifact) scan(dir string) []string {
	var out []string
	for _, name := range a.inner[path.Clean(dir)] {
		switch {
		case !a.isDir(name):
			if path.Ext(name) == ".yaml" || path.Ext(name) == ".yml" {
				out = append(out, name)
			}
		case a.kustFileIn(name) != nil:
			out = append(out, name)
		default:
			out = append(out, a.scan(name)...)
		}
	}
	return out
}

func (a *artifact) exists(name string) bool {
	return a.isDir(name) || slices.Contains(a.inner[path.Dir(path.Clean(name))], path.Clean(name))
}

func (a *artifact) isDir(name string) bool {
	_, ok := a.inner[path.Clean(name)]
	return ok
}
