package policy

import (
	"bytes"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// line is a line of a manifest that the other side does not have in the same file.
type line struct {
	file   string
	number int
	text   string
}

// lines are those that a change adds to manifests, and those that it removes. They are found when they are
// first asked for.
type lines struct{ added, removed func() []line }

func newLines(base, now []effective.Input) *lines {
	return &lines{added: onlyIn(now, base), removed: onlyIn(base, now)}
}

// onlyIn returns the lines of manifests of one side that the other lacks.
func onlyIn(side, other []effective.Input) func() []line {
	return sync.OnceValue(func() []line {
		var out []line
		for name, file := range filesOf(side) {
			if isManifest(name) {
				out = append(out, linesBeside(file, fileOf(other, name))...)
			}
		}
		return out
	})
}

func isManifest(name string) bool {
	return slices.ContainsFunc([]string{".yaml", ".yml", ".json"}, func(ext string) bool { return strings.HasSuffix(name, ext) })
}

// filesOf yields the files of inputs with their names.
func filesOf(inputs []effective.Input) iter.Seq2[string, *tree.File] {
	return func(yield func(string, *tree.File) bool) {
		for _, in := range inputs {
			for _, at := range in.Files.Paths() {
				if !yield(in.Files.Name(at), in.Files.File(at)) {
					return
				}
			}
		}
	}
}

// fileOf returns the file of a name; nil if there is none.
func fileOf(inputs []effective.Input, name string) *tree.File {
	for _, in := range inputs {
		if at, ok := in.Files.Path(name); ok && in.Files.File(at) != nil {
			return in.Files.File(at)
		}
	}
	return nil
}

// Unreadable marks the problems that the base has as well, in files that are as they were.
func Unreadable(was, is []effective.Problem, base, now []effective.Input) {
	for i, p := range is {
		old, file := fileOf(base, p.File), fileOf(now, p.File)
		is[i].Stood = old != nil && file != nil && old.Hash() == file.Hash() &&
			slices.ContainsFunc(was, func(o effective.Problem) bool { return o.File == p.File && o.Err.Error() == p.Err.Error() })
	}
}

// linesBeside returns the lines of a file that another one, which may be nil, lacks.
func linesBeside(file, other *tree.File) []line {
	data, err := file.Data()
	var beside []byte
	if other != nil {
		beside, _ = other.Data()
	}
	if err != nil || bytes.Equal(data, beside) {
		return nil
	}
	known := map[string]bool{}
	for text := range bytes.Lines(beside) {
		known[string(bytes.TrimSpace(text))] = true
	}
	var out []line
	number := 0
	for text := range bytes.Lines(data) {
		number++
		if text := string(bytes.TrimSpace(text)); !known[text] {
			out = append(out, line{file.Name(), number, text})
		}
	}
	return out
}

// findLine returns the first of some lines that has all words, but not in a comment: one of the
// folder dir if there is any.
func findLine(among []line, dir string, words ...string) (line, bool) {
	all := slices.DeleteFunc(slices.Clone(among), func(candidate line) bool {
		text, _, _ := strings.Cut(" "+candidate.text, " #")
		return slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
	})
	if len(all) == 0 {
		return line{}, false
	}
	near := slices.IndexFunc(all, func(candidate line) bool { return filepath.Dir(candidate.file) == dir })
	return all[max(near, 0)], true
}

// entryDir returns the folder of the file that the entry of a release's cluster is in.
func entryDir(r *effective.Release) string {
	if n := len(r.AppliedBy); n > 0 {
		return filepath.Dir(r.AppliedBy[n-1].File)
	}
	return ""
}
