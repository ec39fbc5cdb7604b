package git

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxTags is the number of tags up to which they are listed.
const maxTags = 100_000

// Tags returns the names of the tags, without refs/tags/, in order. It returns
// the first 100,000 at most.
func (r *Repository) Tags() []string {
	var out []string
	add := func(full string) {
		if name, ok := strings.CutPrefix(full, "refs/tags/"); ok && isReference(full) && len(out) < maxTags {
			out = append(out, name)
		}
	}
	if packed, err := readIn(r.dir.common, "packed-refs", maxPackedRefs); err == nil {
		for line := range bytes.Lines(packed) {
			_, full, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), " ")
			add(full)
		}
	}
	_ = fs.WalkDir(os.DirFS(r.dir.common), "refs/tags", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			add(filepath.ToSlash(name))
		}
		return nil // what cannot be listed is no tag
	})
	slices.Sort(out)
	return slices.Compact(out)
}
