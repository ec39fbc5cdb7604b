package policy

import (
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
)

// rewire adds what a kustomization.yaml can set by what differs in it: anything, unless that is its list of
// resources alone. What is in a file or folder that is listed on one side is as good as there on this side alone.
// Lines are those of the old file if it could not be read: an entry that is one of them was listed.
func (r *reach) rewire(dir string, old, now map[string]any, lines []string) {
	for _, key := range keysOf(old, now) {
		r.all = r.all || key != listed && key != "resources" && key != "apiVersion" && key != "kind" && !reflect.DeepEqual(old[key], now[key])
	}
	before, after := entriesIn(old), entriesIn(now)
	for _, entry := range before {
		at := path.Join(dir, entry)
		r.all = r.all || (isFolder(r.base, at) || isKustomizeFile(at)) && !slices.Contains(after, entry)
		if file := fileOf(r.base, at); file != nil && !slices.Contains(after, entry) {
			r.compare(at, file, nil)
		}
	}
	for _, entry := range after {
		at := path.Join(dir, entry)
		r.all = r.all || isKustomizeFile(at)
		switch file := fileOf(r.now, at); {
		case slices.Contains(before, entry), slices.Contains(lines, "- "+entry): // it was listed
		case file != nil:
			r.compare(at, nil, file)
		default:
			r.addFolder(at)
		}
	}
}

// entriesIn returns what a kustomization.yaml lists to be built.
func entriesIn(kustomization map[string]any) []string {
	var out []string
	for _, key := range []string{"resources", "bases", "components"} {
		all, _ := kustomization[key].([]any)
		for _, entry := range all {
			if text, ok := entry.(string); ok {
				out = append(out, text)
			}
		}
	}
	return out
}

func isKustomizeFile(name string) bool {
	return slices.Contains([]string{"kustomization.yaml", "kustomization.yml", "Kustomization"}, path.Base(name))
}

func isFolder(base []effective.Input, name string) bool {
	for file := range filesOf(base) {
		if strings.HasPrefix(file, name+"/") {
			return true
		}
	}
	return name == "."
}

func first(all []map[string]any) map[string]any {
	if len(all) == 0 {
		return nil
	}
	return all[0]
}
