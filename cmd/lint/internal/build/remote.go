package build

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Remote is an entry of a kustomization.yaml that would have to be fetched.
type Remote struct {
	Entry string
	File  string // the kustomization.yaml, by its name for people
	Line  int
}

// fileFields are the fields of a kustomization.yaml that are lists of files;
// patches have theirs in a field of each item.
var fileFields = slices.Concat(entryFields, configFields, partFields, []string{"patches", "patchesJson6902", "replacements"})

// mayFetch reports whether a text in a value names something that would have to be fetched.
func mayFetch(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(value)), mayFetch)
	case []any:
		return slices.ContainsFunc(value, mayFetch)
	case string:
		return kustomize.IsRemote(value) || kustomize.IsAddress(value)
	}
	return false
}

// cutRemotes takes out of a kustomization.yaml what would have to be fetched
// and reports whether there was any. What only a generator wants is not
// returned: no HelmRelease comes of it, and the variables are unknown.
func cutRemotes(k *KustFile, node *yaml.Node) (remotes []Remote, changed bool) {
	for _, field := range fileFields {
		cut := cutList(trace.Child(trace.Root(node), field), kustomize.IsRemote)
		for _, c := range cut {
			pos, _ := k.Doc.Find(field, c.index)
			remotes = append(remotes, Remote{Entry: c.entry, File: k.Doc.File.Name, Line: pos.Line})
		}
		changed = changed || len(cut) > 0
	}
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		list := trace.Child(trace.Root(node), field)
		if list == nil {
			continue
		}
		for _, generator := range list.Content {
			changed = cutGenerator(generator) || changed
		}
	}
	return remotes, changed
}

// cutGenerator takes out of a generator the files that would have to be
// fetched, and puts in that their content is unknown. It reports whether there
// was any.
func cutGenerator(generator *yaml.Node) bool {
	literals := trace.Child(generator, "literals")
	if literals != nil && literals.Kind != yaml.SequenceNode {
		return false // kustomize refuses it, or it stands elsewhere: nothing is fetched either
	}
	var unknown []string
	for _, c := range cutList(trace.Child(generator, "files"), kustomize.IsAddress) {
		key := path.Base(c.entry)
		if name, _, ok := strings.Cut(c.entry, "="); ok && !kustomize.IsAddress(name) {
			key = name
		}
		unknown = append(unknown, key+"="+variables.Marker(noWord().ReplaceAllString(key, "_")))
	}
	if len(cutList(trace.Child(generator, "envs"), kustomize.IsAddress)) > 0 {
		unknown = append(unknown, variables.OpenKey+"=true")
	}
	if len(unknown) == 0 {
		return false
	}
	if literals == nil {
		trace.AppendKey(generator, "literals", unknown)
		return true
	}
	for _, text := range unknown {
		item := &yaml.Node{}
		item.SetString(text)
		literals.Content = append(literals.Content, item)
	}
	return true
}

var noWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\W+`) })

// cutEntry is an item that was taken out of a list.
type cutEntry struct {
	index int
	entry string
}

// cutList takes out of a list of files what would have to be fetched.
func cutList(list *yaml.Node, is func(entry string) bool) []cutEntry {
	if list != nil && list.Kind == yaml.AliasNode {
		list = list.Alias
	}
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	var cut []cutEntry
	kept := list.Content[:0:0]
	for i, item := range list.Content {
		if entry := entryOf(item); is(entry) && !strings.Contains(entry, "\n") {
			cut = append(cut, cutEntry{i, entry})
			continue
		}
		kept = append(kept, item)
	}
	list.Content = kept
	return cut
}

// entryOf returns what an item of a list of files names: itself, with the key
// of a generator, or the path of a patch.
func entryOf(item *yaml.Node) string {
	if item.Kind == yaml.MappingNode {
		if p := trace.Child(item, "path"); p != nil {
			return p.Value
		}
		return ""
	}
	return item.Value
}
