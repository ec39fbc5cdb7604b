package tree

import (
	"cmp"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

// The files of a folder that say what Git does with others.
const (
	gitignoreFile     = ".gitignore"
	gitattributesFile = ".gitattributes"
)

// startOf returns the start of a file of a folder of the disk; nil if there is none.
func startOf(disk fs.FS, dir, name string) []byte {
	file, err := disk.Open(path.Join(dir, name))
	if err != nil {
		return nil
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := io.ReadAll(io.LimitReader(file, maxOpaque))
	if err != nil {
		return nil
	}
	return data
}

// gitignores adds the patterns of a folder's .gitignore file to those of the
// folders above it.
func gitignores(data []byte, dir string, patterns []gitignore.Pattern) []gitignore.Pattern {
	if len(data) == 0 {
		return patterns
	}
	patterns = slices.Clone(patterns)
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, gitignore.ParsePattern(line, domain(dir)))
		}
	}
	return patterns
}

// Untracked returns which of the named files of a folder on disk Git leaves out of a commit, because a .gitignore in the
// repository ignores them. It reports whether that is because of a folder: then no pattern can take them in again.
func Untracked(folder string, names ...string) (left []string, byFolder bool) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return nil, false
	}
	inner, dirs := ".", []string{abs}
	for ; !exists(filepath.Join(dirs[0], ".git")); dirs = slices.Insert(dirs, 0, filepath.Dir(dirs[0])) {
		if inner = path.Join(filepath.Base(dirs[0]), inner); filepath.Dir(dirs[0]) == dirs[0] {
			return nil, false // in no repository
		}
	}
	in := repositoryAt(abs, inner)
	for i, dir := range dirs {
		at := strings.Join(strings.Split(inner, "/")[:i], "/")
		byFolder = byFolder || at != "" && in.matches(at, true)
		in.patterns = gitignores(startOf(os.DirFS(dir), ".", gitignoreFile), cmp.Or(at, "."), in.patterns)
	}
	left = slices.DeleteFunc(names, func(name string) bool {
		file := path.Join(inner, name)
		return !exists(filepath.Join(abs, name)) || !byFolder && !in.matches(file, false) || in.tracked().Has(relative(in.dir, file))
	})
	return left, byFolder
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// domain returns a folder as patterns want it.
func domain(dir string) []string {
	if dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}
