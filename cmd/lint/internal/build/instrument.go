package build

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// kustText is what is built instead of a kustomization.yaml. A text is nil if the file
// is built as it is written.
type kustText struct {
	plain   []byte
	traced  func() []byte
	remotes []Remote
}

// kustKey names a kustomization.yaml with the patches that it takes from files.
type kustKey struct {
	contentKey
	patches [sha256.Size]byte
}

func kustKeyOf(files *tree.Tree, k *KustFile) kustKey {
	sum := sha256.New()
	for _, name := range k.PatchFiles() {
		if f := files.File(name); f != nil {
			fmt.Fprintf(sum, "%s\x00%s\x00%x\x00", name, f.Name(), f.Hash())
		}
	}
	return kustKey{keyOf(files.File(k.Path)), [sha256.Size]byte(sum.Sum(nil))}
}

// instrumenter adds shadows to manifests and patches, to each content once.
type instrumenter struct {
	contents  contents
	table     *trace.Table
	manifests cores.Once[contentKey, []byte]
	kusts     cores.Once[kustKey, kustText]
	looks     cores.Once[tree.Hash, Look]
}

// shadowed returns a manifest with shadows; nil if it needs none or cannot be read.
func (i *instrumenter) shadowed(f *tree.File) []byte {
	return i.manifests.Of(keyOf(f), func() []byte {
		file, err := i.contents.parse(f)
		if err != nil {
			return nil
		}
		w := &trace.Writer{}
		if len(file.Documents) > 0 {
			w.Doc = file.Documents[0]
		}
		return i.table.Instrument(file, w, "")
	})
}

// instrumentKust removes remote resources from a kustomization.yaml and adds shadows to
// its patches. A patch in a file becomes an inline one, so that its origin names this
// kustomization.yaml even if others use the same file.
func (i *instrumenter) instrumentKust(files *tree.Tree, k *KustFile) kustText {
	return i.kusts.Of(kustKeyOf(files, k), func() kustText { return i.makeKustText(files, k) })
}

func (i *instrumenter) makeKustText(files *tree.Tree, k *KustFile) kustText {
	text := kustText{plain: k.text, traced: sync.OnceValue(func() []byte { return i.tracedKust(files, k) })}
	if !mayFetch(k.Object) {
		return text
	}
	node := k.node()
	if node == nil {
		return kustText{}
	}
	if remotes, cut := cutRemotes(k, node); cut {
		text.plain, text.remotes = trace.Encode([]*yaml.Node{node}), remotes
	}
	return text
}

// tracedKust returns a kustomization.yaml without remote resources, with shadows; nil if it has no use for any.
func (i *instrumenter) tracedKust(files *tree.Tree, k *KustFile) []byte {
	node := k.node()
	if node == nil {
		return nil
	}
	// Patches first: removing an item moves those behind it.
	changed := i.instrumentPatches(files, k, node)
	if _, cut := cutRemotes(k, node); !changed && !cut {
		return nil
	}
	return trace.Encode([]*yaml.Node{node})
}

// node returns the first document of what is built; nil if kustomize reads none.
func (k *KustFile) node() *yaml.Node {
	nodes, ok := trace.Nodes(k.data())
	if !ok || len(nodes) == 0 || !trace.Begins(k.data()) {
		return nil
	}
	return nodes[0]
}

// instrumentPatches adds shadows to the patches of a kustomization.yaml and
// reports whether there was one to add them to.
func (i *instrumenter) instrumentPatches(files *tree.Tree, k *KustFile, node *yaml.Node) bool {
	changed := false
	for n, p := range k.patches() {
		what := fmt.Sprintf("patch %d of %s", n+1, k.Doc.File.Name)
		switch {
		case p.Inline != "" && object.MayBeTraced([]byte(p.Inline)) || p.File == "" && object.Traced(p.Kind()):
			i.table.InstrumentPatch(node, k.Doc, p, what)
			changed = true
		case p.File != "":
			changed = i.inlinePatch(files, k, node, p, what) || changed
		}
	}
	return changed
}

// inlinePatch replaces the name of a patch file in a kustomization.yaml by the text of
// the patch with shadows, and reports whether it did.
func (i *instrumenter) inlinePatch(files *tree.Tree, k *KustFile, node *yaml.Node, p trace.Patch, what string) bool {
	f := files.File(k.Resolve(p.File))
	if f == nil {
		return false
	}
	look := i.look(f)
	if look.Err != nil || i.explodes(f) || !look.Traced && !object.Traced(p.Kind()) {
		return false
	}
	file, err := i.contents.parse(f)
	if err != nil || len(file.Documents) == 0 {
		return false
	}
	text := i.table.Instrument(file, &trace.Writer{What: what, Doc: file.Documents[0]}, p.Kind())
	return text != nil && setPatch(node, p, text)
}

// setPatch replaces the name of a patch file by a text, and reports whether it could.
func setPatch(node *yaml.Node, p trace.Patch, text []byte) bool {
	if p.At[0] == "patchesStrategicMerge" {
		item := trace.Lookup(node, p.At)
		if item == nil || item.Kind != yaml.ScalarNode || item.Value != p.File {
			return false
		}
		trace.SetText(item, text)
		return true
	}
	entry := trace.Lookup(node, p.At[:len(p.At)-1])
	if entry == nil || entry.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(entry.Content); i += 2 {
		if strings.EqualFold(entry.Content[i].Value, "patch") {
			return false // kustomize refuses both, in whatever case
		}
	}
	for i := 0; i+1 < len(entry.Content); i += 2 {
		if entry.Content[i].Value == "path" && entry.Content[i+1].Value == p.File {
			entry.Content[i].SetString("patch")
			entry.Content[i+1] = &yaml.Node{}
			trace.SetText(entry.Content[i+1], text)
			return true
		}
	}
	return false
}

// explodes reports whether a file has so many aliases of aliases that it must not be
// built: kustomize would expand them all.
func (i *instrumenter) explodes(f *tree.File) bool {
	if !i.look(f).aliases {
		return false
	}
	file, err := i.contents.parse(f)
	if err != nil || !slices.ContainsFunc(file.Documents, func(d *yamledit.Document) bool { return d.Err != nil }) {
		return false
	}
	_, ok := trace.Nodes(f.Again())
	return ok // otherwise kustomize reports the error
}
