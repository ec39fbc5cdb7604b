package tree

import (
	"io"
	"io/fs"
	"path"
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

// domain returns a folder as patterns want it.
func domain(dir string) []string {
	if dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}
