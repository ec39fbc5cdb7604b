package build

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

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
var fileFields = slices.Concat(entryFields, []string{
	"crds", "configurations", "transformers", "generators", "validators", "patches", "patchesStrategicMerge", "patchesJson6902",
})

// cutRemotes removes the entries of a kustomization.yaml that would have to be fetched,
// and reports whether there were any. Those of generators are removed but not returned,
// because no HelmRelease comes from them.
func cutRemotes(k *KustFile, node *yaml.Node) (remotes []Remote, changed bool) {
	for _, field := range fileFields {
		cut := cutList(trace.Child(trace.Root(node), field))
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
			files, envs := cutList(trace.Child(generator, "files")), cutList(trace.Child(generator, "envs"))
			changed = changed || len(files)+len(envs) > 0
		}
	}
	if changed && trace.Child(trace.Root(node), "buildMetadata") == nil {
		// Kustomize refuses a file without fields.
		trace.AppendKey(node, "buildMetadata", []string{"managedByLabel"})
	}
	return remotes, changed
}

// cutEntry is an item that was removed from a list.
type cutEntry struct {
	index int
	entry string
}

// cutList removes the items of a list of files that would have to be fetched.
func cutList(list *yaml.Node) []cutEntry {
	if list != nil && list.Kind == yaml.AliasNode {
		list = list.Alias
	}
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	var cut []cutEntry
	kept := list.Content[:0:0]
	for i, item := range list.Content {
		if entry := entryOf(item); isRemote(entry) && !strings.Contains(entry, "\n") {
			cut = append(cut, cutEntry{i, entry})
			continue
		}
		kept = append(kept, item)
	}
	list.Content = kept
	return cut
}

// entryOf returns what an item of a list of files names: itself, the path of a
// patch, or the file that a generator takes under a key.
func entryOf(item *yaml.Node) string {
	if item.Kind == yaml.MappingNode {
		if p := trace.Child(item, "path"); p != nil {
			return p.Value
		}
		return ""
	}
	if key, file, ok := strings.Cut(item.Value, "="); ok && !strings.ContainsAny(key, ":/?") {
		return file
	}
	return item.Value
}

// isRemote reports whether an entry of a kustomization.yaml names something to
// be fetched from the network. Everything that kustomize would fetch is remote.
func isRemote(entry string) bool {
	return entry != "" && !path.IsAbs(entry) && (!isLocalPath(entry) ||
		strings.Contains(entry, "://") || strings.Contains(entry, "?ref=") ||
		strings.Contains(entry, ".git//") || strings.HasSuffix(entry, ".git") || userAt.MatchString(entry))
}

var userAt = regexp.MustCompile(`^[\w.-]+@[\w.-]+[:/]`)

// remotePrefixes are what kustomize takes for the beginning of an address.
// Source: sigs.k8s.io/kustomize/api, internal/git/repospec.go.
var remotePrefixes = []string{"git::", "gh:", "ssh://", "https://", "http://", "git@", "github.com:", "github.com/"}

// isLocalPath reports whether Flux takes a path for local and relative.
// Source: github.com/fluxcd/pkg/kustomize, IsLocalRelativePath.
func isLocalPath(name string) bool {
	lower := strings.ToLower(name)
	remote := slices.ContainsFunc(remotePrefixes, func(prefix string) bool {
		return len(prefix) < len(name) && strings.HasPrefix(lower, prefix)
	})
	return !remote && !filepath.IsAbs(name) && !filepath.IsAbs(strings.TrimPrefix(lower, "file://"))
}
