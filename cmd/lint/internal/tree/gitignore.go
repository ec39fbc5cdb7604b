package tree

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

const gitignoreFile = ".gitignore"

// gitignoreOf returns the start of the .gitignore file of a folder of the disk;
// nil if there is none.
func gitignoreOf(disk fs.FS, dir string) []byte {
	file, err := disk.Open(path.Join(dir, gitignoreFile))
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
