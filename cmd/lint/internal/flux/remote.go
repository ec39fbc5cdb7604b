package flux

import (
	"path"
	"regexp"
	"slices"
	"strings"

	fluxkustomize "github.com/fluxcd/pkg/kustomize"
	"go.yaml.in/yaml/v3"
)

// remote is an entry of a kustomization.yaml that must be fetched.
type remote struct {
	entry   string
	file    string // in the tree
	line    int
	cluster string // that needs it; "" until it is known
}

// listsOf are the fields of a kustomization.yaml that are lists of files.
var listsOf = slices.Concat(entriesOf, []string{"crds", "configurations", "transformers", "generators", "validators"})

// cutRemotes takes out of a kustomization.yaml all that would be fetched. What
// a generator would fetch is not reported: no HelmRelease comes of it.
func (a *artifact) cutRemotes(k *kustFile, node *yaml.Node, file string) bool {
	changed := false
	cut := func(list *yaml.Node, reported bool, at ...any) {
		if list != nil && list.Kind == yaml.AliasNode {
			list = list.Alias
		}
		if list == nil || list.Kind != yaml.SequenceNode {
			return
		}
		kept := list.Content[:0:0]
		for i, item := range list.Content {
			entry := entryOf(item)
			if !isRemote(entry) || strings.Contains(entry, "\n") {
				kept = append(kept, item)
				continue
			}
			changed = true
			if reported {
				pos, _ := k.doc.Find(append(slices.Clone(at), i)...)
				a.set[k.name] = append(a.set[k.name], remote{entry: entry, file: file, line: pos.Line})
			}
		}
		list.Content = kept
	}
	for _, field := range slices.Concat(listsOf, []string{"patches", "patchesStrategicMerge", "patchesJson6902"}) {
		cut(child(root(node), field), true, field)
	}
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		list := child(root(node), field)
		if list == nil {
			continue
		}
		for _, generator := range list.Content {
			cut(child(generator, "files"), false)
			cut(child(generator, "envs"), false)
		}
	}
	if changed && child(root(node), "buildMetadata") == nil {
		// Without a field kustomize takes the file for empty.
		appendKey(node, "buildMetadata", []string{"managedByLabel"})
	}
	return changed
}

// entryOf gives what an item of a list of files names: itself, the path of a
// patch, or the file that a generator takes under a key.
func entryOf(item *yaml.Node) string {
	if item.Kind == yaml.MappingNode {
		if p := child(item, "path"); p != nil {
			return p.Value
		}
		return ""
	}
	if key, file, ok := strings.Cut(item.Value, "="); ok && !strings.ContainsAny(key, ":/?") {
		return file
	}
	return item.Value
}

// isRemote tells whether an entry of a kustomization.yaml names something to be
// fetched from the network. It takes for remote all that kustomize would.
func isRemote(entry string) bool {
	return entry != "" && !path.IsAbs(entry) && (!fluxkustomize.IsLocalRelativePath(entry) ||
		strings.Contains(entry, "://") || strings.Contains(entry, "?ref=") ||
		strings.Contains(entry, ".git//") || strings.HasSuffix(entry, ".git") || userAt.MatchString(entry))
}

var userAt = regexp.MustCompile(`^[\w.-]+@[\w.-]+[:/]`)
