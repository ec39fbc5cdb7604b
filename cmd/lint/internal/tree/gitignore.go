package tree

import (
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

// gitignores adds the patterns of a folder to those of the folders above it.
func gitignores(disk fs.FS, dir string, patterns []gitignore.Pattern) []gitignore.Pattern {
	file, err := disk.Open(path.Join(dir, ".gitignore"))
	if err != nil {
		return patterns
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return patterns
	}
	data, err := io.ReadAll(io.LimitReader(file, maxOpaque))
	if err != nil {
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
