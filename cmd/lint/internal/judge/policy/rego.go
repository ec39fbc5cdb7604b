package policy

import (
	"bytes"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// Folder is a folder of rules of one's own.
type Folder struct {
	// Name is that of the folder, for people.
	Name string
	fs.FS
}

// Empty reports whether a folder holds no rule.
func (f Folder) Empty() bool { return len(regoOf([]Folder{f})) == 0 }

// SameRules reports whether folders hold the same rules.
func SameRules(a, b []Folder) bool {
	return maps.EqualFunc(regoOf(a), regoOf(b), bytes.Equal)
}

// regoOf returns the files of the rules by their names for people, without tests. What
// cannot be read has been reported when the rules were compiled.
func regoOf(folders []Folder) map[string][]byte {
	out := map[string][]byte{}
	for _, folder := range folders {
		_ = fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || path.Ext(name) != ".rego" || strings.HasSuffix(name, "_test.rego") {
				return err
			}
			data, err := fs.ReadFile(folder, name)
			out[filepath.Join(folder.Name, filepath.FromSlash(name))] = data
			return err
		})
	}
	return out
}

// ruleChanges lists the files of rules that have come, gone or changed.
func ruleChanges(was, are []Folder) []report.PolicyChange {
	before, after := regoOf(was), regoOf(are)
	var out []report.PolicyChange
	for _, name := range keysOf(before, after) {
		old, had := before[name]
		now, has := after[name]
		change := report.PolicyChange{What: "rule " + ruleIn(name), File: name}
		switch {
		case !has:
			change.Before = "defined"
		case !had:
			change.After, change.Line = "defined", 1
		case !bytes.Equal(old, now):
			change.Before, change.After, change.Line = "defined", "changed", firstDifference(old, now)
		default:
			continue
		}
		out = append(out, change)
	}
	return out
}

// ruleIn returns the rule of a file.
func ruleIn(file string) string { return strings.TrimSuffix(filepath.Base(file), ".rego") }

// firstDifference returns the first line of a text that another one does not have there.
func firstDifference(old, now []byte) int {
	was, is := bytes.Split(old, []byte("\n")), bytes.Split(now, []byte("\n"))
	for i := range is {
		if i >= len(was) || !bytes.Equal(was[i], is[i]) {
			return i + 1
		}
	}
	return len(is)
}

// ruleChange returns the change of a rule's file, and whether it has changed or is gone.
func ruleChange(all []report.PolicyChange, rule string) (report.PolicyChange, bool) {
	i := slices.IndexFunc(all, func(change report.PolicyChange) bool { return change.What == "rule "+rule })
	if i < 0 {
		return report.PolicyChange{}, false
	}
	return all[i], true
}
