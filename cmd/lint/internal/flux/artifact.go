package flux

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// artifact is what a source gives to Flux: a folder of its own with the files
// that source-controller would pack. It is a temporary copy, so that building
// can write to it and cannot leave it.
type artifact struct {
	name  string
	own   bool                 // it is the tree itself
	dir   string               // where the copy is
	kusts map[string]*kustFile // by path in the artifact
	from  map[string]string    // path in the artifact -> path in the tree, of manifests
	set   map[string][]remote  // what was left out of a kustomization.yaml, by its path
	raw   map[string][]byte    // files that carry a trace, as they are written
	inner map[string][]string  // folder -> what it holds, as paths
}

// maxOpaque is the size up to which files that are no manifests are copied;
// what a generator puts in a ConfigMap does not matter here.
const maxOpaque = 1 << 20

// copyTree makes the artifact of the tree itself: its files without those
// that source-controller leaves out, with traces in the manifests.
func (r *repo) copyTree(tmp string, tags *tags, ignore string) (*artifact, error) {
	dir, err := os.MkdirTemp(tmp, "source-")
	if err != nil {
		return nil, err
	}
	a := newArtifact("the repository", dir)
	a.own = true
	domain := strings.Split(r.abs, string(filepath.Separator))
	patterns, err := sourceignore.LoadIgnorePatterns(r.abs, domain)
	if err != nil {
		return nil, err
	}
	patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(ignore), domain)...)
	matcher := sourceignore.NewDefaultMatcher(patterns, domain)
	used := r.kustText()
	for _, name := range r.files {
		full := filepath.Join(r.abs, name)
		if matcher.Match(strings.Split(full, string(filepath.Separator)), false) ||
			!isManifest(name) && !isKustFile(name) && !bytes.Contains(used, []byte(path.Base(name))) {
			continue
		}
		if err := a.copyFile(r, full, name, name); err != nil {
			return nil, err
		}
	}
	a.instrument(r, tags)
	return a, nil
}

func newArtifact(name, dir string) *artifact {
	return &artifact{
		name: name, dir: dir, kusts: map[string]*kustFile{}, from: map[string]string{},
		set: map[string][]remote{}, raw: map[string][]byte{}, inner: map[string][]string{".": nil},
	}
}

// kustText is all that stands in kustomization.yaml files: no build can read a
// file that is no manifest unless its name is in there.
func (r *repo) kustText() []byte {
	var out []byte
	for _, name := range r.files {
		if file := r.parse(name); isKustFile(name) && file != nil {
			out = append(out, file.Data...)
		}
	}
	return out
}

// copyFile puts a file of the tree in the artifact.
func (a *artifact) copyFile(r *repo, full, rel, name string) error {
	info, err := os.Stat(full)
	if err != nil {
		return nil // reported by the walk
	}
	limit := int64(maxOpaque)
	if isManifest(name) {
		a.from[name], limit = rel, yamledit.MaxFileSize
	}
	var data []byte
	if info.Size() <= limit {
		if data, err = r.read(full); err != nil {
			return nil // reported by the walk
		}
	}
	if isManifest(name) && explodes(data) {
		data = []byte("more aliases than can be meant: {") // a build that wants it fails
	}
	return a.write(name, data)
}

// explodes tells whether a file has more aliases of aliases than can be
// meant: kustomize would write them all out.
func explodes(data []byte) bool {
	if !bytes.Contains(data, []byte("&")) || !bytes.Contains(data, []byte("*")) {
		return false
	}
	file, err := yamledit.Parse("", data)
	if _, ok := nodesOf(data); err != nil || !ok {
		return false // kustomize says what is wrong
	}
	return slices.ContainsFunc(file.Documents, func(d *yamledit.Document) bool { return d.Err != nil })
}

func (a *artifact) write(name string, data []byte) error {
	a.know(name)
	file := filepath.Join(a.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

// know notes that a file is there, and the folders above it.
func (a *artifact) know(name string) {
	for name != "." {
		dir := path.Dir(name)
		if slices.Contains(a.inner[dir], name) {
			return
		}
		a.inner[dir] = append(a.inner[dir], name)
		name = dir
	}
}

// instrument reads the kustomization.yaml files, takes out of them what must
// be fetched, and puts traces in the manifests.
func (a *artifact) instrument(r *repo, tags *tags) {
	for name, rel := range a.from {
		if file := r.parse(rel); file != nil && isKustFile(name) {
			if k := readKustFile(name, file); k != nil && !isFlux(k.object) {
				a.kusts[name] = k
			}
		}
	}
	patched := a.patchFiles()
	for name, rel := range a.from {
		file := r.parse(rel)
		if file == nil {
			continue
		}
		w, target := &writer{doc: first(file)}, ""
		if use, ok := patched[name]; ok {
			w.what, target = use.what, use.target
		}
		var data []byte
		if k := a.kusts[name]; k != nil {
			data = a.instrumentKust(k, tags)
		} else if mayTrace(file.Data) || target != "" {
			data = tags.instrument(file, w, target)
		}
		if data != nil {
			a.raw[name] = file.Data
			_ = a.write(name, data)
		}
	}
}

func first(file *yamledit.File) *yamledit.Document {
	if len(file.Documents) == 0 {
		return nil
	}
	return file.Documents[0]
}

// patchUse says how a kustomization.yaml uses a file.
type patchUse struct{ what, target string }

// patchFiles finds the files that are patches.
func (a *artifact) patchFiles() map[string]patchUse {
	out := map[string]patchUse{}
	for _, k := range a.kusts {
		for i, p := range k.patches() {
			if p.file == "" {
				continue
			}
			kind, file := p.kind(), k.resolve(p.file)
			if other, ok := out[file]; ok && other.target != kind {
				kind = ""
			}
			out[file] = patchUse{what: fmt.Sprintf("patch %d of %s", i+1, k.doc.File.Name), target: kind}
		}
	}
	return out
}

// instrumentKust takes what must be fetched out of a kustomization.yaml, and
// puts traces in its inline patches.
func (a *artifact) instrumentKust(k *kustFile, tags *tags) []byte {
	nodes, ok := nodesOf(k.doc.File.Data)
	if !ok || len(nodes) == 0 {
		return nil
	}
	changed := a.cutRemotes(k, nodes[0], k.doc.File.Name)
	for i, p := range k.patches() {
		if p.inline != "" && mayTrace([]byte(p.inline)) || traceable(p.kind()) {
			tags.text(nodes[0], k.doc, p, fmt.Sprintf("patch %d of %s", i+1, k.doc.File.Name))
			changed = true
		}
	}
	if !changed {
		return nil
	}
	return encode(nodes[:1])
}

// sub gives the artifact that begins at a folder of this one.
func (a *artifact) sub(dir string) *artifact {
	if dir == "." || dir == "" {
		return a
	}
	out := newArtifact(a.name, filepath.Join(a.dir, dir))
	out.own = a.own
	for _, held := range a.inner {
		for _, name := range held {
			if inner, ok := strings.CutPrefix(name, dir+"/"); ok && !a.isDir(name) {
				out.know(inner)
				out.adopt(a, name, inner)
			}
		}
	}
	return out
}

// clean gives a path in an artifact of a path as written in a spec.
func clean(p string) string {
	return strings.TrimPrefix(path.Clean("/"+p), "/")
}
