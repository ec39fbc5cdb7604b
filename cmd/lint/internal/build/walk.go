package build

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Walk is all that a build of a Flux Kustomization reads from its source, found in the files
// as kustomize finds it. What a build asks for is held against it: see [Walk.unexpected].
// Source: sigs.k8s.io/kustomize/api/internal/target, kusttarget.go.
type Walk struct {
	// Files are the manifests and the kustomization.yaml files that exist, by path, each
	// kustomization.yaml before what it names.
	Files []string
	// Parts are the other files: patches, and what generators, transformers, validators,
	// replacements, configurations and schemas are read from.
	Parts []string
	// Kusts are the kustomization.yaml files, that of the built folder first.
	Kusts []*KustFile
	// Unread are the kustomization.yaml files that cannot be read, so that it is not known what they name.
	Unread []string
	// Remotes are what would have to be fetched.
	Remotes []Remote
	// LeftOut are manifests that Flux reads, and that the configuration leaves out of the tree, by path.
	LeftOut []string

	schemas []string        // what openapi fields name
	copies  bool            // replacements or vars copy from Secrets
	cuts    []string        // delimiters of replacements
	asked   map[string]bool // every path that kustomize may ask for, whether it exists or not
	scanned map[string]bool // folders of which Flux takes all manifests
}

// keptWalks is how many walks of a source are kept.
const keptWalks = 256

// Walk returns what a build of a folder for a Flux Kustomization reads; ks may be nil for the
// folder alone.
func (s *Source) Walk(dir string, ks map[string]any) *Walk {
	dir = path.Clean(dir)
	added := addedComponents(ks)
	key := strings.Join(append([]string{dir}, added...), "\x00")
	return s.walks.Of(key, func() *Walk {
		w := &walker{&Walk{asked: map[string]bool{}, scanned: map[string]bool{}}, s, map[visit]bool{}, map[string]bool{}}
		w.entry(dir, objects)
		for _, name := range added {
			w.entry(path.Join(dir, name), objects)
		}
		w.LeftOut = slices.DeleteFunc(slices.Clone(s.written.LeftOut()), func(name string) bool { return !w.wants(name) })
		return w.Walk
	})
}

// unexpected returns the first path that a build has asked for and that is not in the walk; "" if
// there is none.
func (w *Walk) unexpected(reads kustomize.Reads) string {
	first := ""
	for question := range reads {
		if !w.asked[question.Path] && (first == "" || question.Path < first) {
			first = question.Path
		}
	}
	return first
}

// objects is the base of what kustomize takes objects from. What it takes configurations
// of generators, transformers and validators from has the folder that lists it as its
// base: their paths are relative to that.
const objects = ""

// visit is a file or folder with its base.
type visit struct{ name, base string }

type walker struct {
	*Walk
	source *Source
	seen   map[visit]bool
	listed map[string]bool // in Kusts or Parts
}

// entry walks a file or a folder.
func (w *walker) entry(name, base string) {
	w.asked[name] = true
	if w.seen[visit{name, base}] {
		return
	}
	w.seen[visit{name, base}] = true
	switch {
	case w.source.IsDir(name):
		w.folder(name, base)
	case w.source.plain.File(name) == nil:
	case base == objects:
		w.Files = append(w.Files, name)
	default:
		w.part(name)
		w.configurations(name, base)
	}
}

// folder walks the entries of a folder's kustomization.yaml or, if it has none, what Flux
// finds in it.
func (w *walker) folder(dir, base string) {
	w.search(dir)
	k := w.source.KustFileIn(dir)
	if k == nil {
		for _, name := range konfig.RecognizedKustomizationFileNames() {
			if file := path.Join(dir, name); w.source.plain.File(file) != nil {
				w.Unread = append(w.Unread, file)
			}
		}
		w.scanned[dir] = true
		for _, name := range w.source.scan(dir, w.search) {
			w.entry(name, base)
		}
		return
	}
	if !w.listed[k.Path] {
		w.listed[k.Path] = true
		w.Kusts, w.Files = append(w.Kusts, k), append(w.Files, k.Path)
		w.Remotes = append(w.Remotes, w.source.remotes[k.Path]...)
	}
	w.kustomization(dir, k, base)
}

// wants reports whether Flux reads a manifest that is not in the source.
func (w *walker) wants(name string) bool {
	taken := path.Ext(name) == ".yaml" || path.Ext(name) == ".yml"
	for at := name; ; at = path.Dir(at) {
		switch {
		case w.asked[at] && !w.source.plain.Exists(at), w.scanned[at] && taken:
			return true
		case at == "." || w.source.KustFileIn(at) != nil:
			return false
		}
	}
}

// search notes that a folder is searched for a kustomization.yaml.
func (w *walker) search(dir string) {
	w.asked[dir] = true
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		w.asked[path.Join(dir, name)] = true
	}
}

// kustomization walks what a kustomization.yaml names.
func (w *walker) kustomization(dir string, k *KustFile, base string) {
	for _, name := range k.Entries() {
		w.entry(name, base)
	}
	for _, field := range configFields {
		for i, entry := range k.list(field) {
			if docs := documentsIn(entry); docs != nil {
				pos, _ := k.Doc.Find(field, i)
				w.configured(docs, dir, Remote{File: k.Doc.File.Name, Line: pos.Line})
			} else if entry != "" && !kustomize.IsRemote(entry) {
				w.entry(k.Resolve(entry), dir)
			}
		}
	}
	for _, field := range partFields {
		for _, name := range k.list(field) {
			w.part(path.Join(dir, name))
		}
	}
	if k.Object["openapi"] != nil {
		schema := path.Join(dir, object.String(k.Object, "openapi", "path"))
		w.schemas = append(w.schemas, schema)
		w.part(schema)
	}
	w.copying([]any{k.Object["replacements"], k.Object["vars"]})
	for _, field := range partHolders {
		items, _ := k.Object[field].([]any)
		for _, item := range items {
			for _, name := range partsOf(item) {
				w.part(path.Join(dir, name))
				if field == "replacements" {
					w.replacements(path.Join(dir, name))
				}
			}
		}
	}
}

// replacements notes what the replacements in a file copy.
func (w *walker) replacements(name string) {
	if w.source.plain.File(name) == nil {
		return
	}
	file, err := w.source.by.contents.parse(w.source.plain.File(name))
	if err != nil {
		return
	}
	for _, doc := range file.Documents {
		if list, err := doc.Decode(); err == nil {
			w.copying(list)
		}
	}
}

// configurations walks the files that the configurations of generators, transformers and
// validators in a file name.
func (w *walker) configurations(name, base string) {
	file, err := w.source.by.contents.parse(w.source.plain.File(name))
	if err != nil {
		return
	}
	for _, doc := range file.Documents {
		w.configured([]*yamledit.Document{doc}, base, Remote{File: file.Name, Line: doc.Line})
	}
}

// configured walks the files that configurations at a place name.
func (w *walker) configured(docs []*yamledit.Document, base string, at Remote) {
	for _, doc := range docs {
		config, err := doc.Object()
		if err != nil {
			continue
		}
		names := partsOf(config)
		list, _ := config["replacements"].([]any)
		w.copying(list)
		for _, item := range list {
			names = append(names, partsOf(item)...)
		}
		for _, name := range names {
			w.part(path.Join(base, name))
			if list != nil {
				w.replacements(path.Join(base, name))
			}
			if kustomize.IsAddress(name) {
				at.Entry = name
				w.Remotes = append(w.Remotes, at)
			}
		}
	}
}

// partsOf returns the files that a patch, a generator, a replacement or a configuration of a
// plugin names.
func partsOf(holder any) []string {
	var out []string
	fields, _ := holder.(map[string]any)
	for name, value := range fields {
		items, isList := value.([]any)
		if !isList {
			items = []any{value}
		}
		for _, item := range items {
			text, _ := item.(string)
			switch strings.ToLower(name) {
			case "files":
				if _, file, ok := strings.Cut(text, "="); ok {
					text = file
				}
				out = append(out, text)
			case "path", "paths", "env", "envs", "targetfilepath", "valuesfile", "additionalvaluesfiles":
				out = append(out, text)
			}
		}
	}
	slices.Sort(out) // fields of a map have no order
	return slices.DeleteFunc(out, func(name string) bool { return name == "" || strings.Contains(name, "\n") })
}

// part adds a file that is no manifest.
func (w *walker) part(name string) {
	w.asked[name] = true
	if !w.listed[name] && w.source.plain.File(name) != nil {
		w.listed[name] = true
		w.Parts = append(w.Parts, name)
	}
}
