package tree

import (
	"bufio"
	"bytes"
	"io/fs"
	"path/filepath"
	"strings"
)

// maxPackedRefs is the size up to which the file of all references is read.
const maxPackedRefs = 64 << 20

// places are where a reference may be that is named in short, in git's order.
var places = []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/", "refs/remotes/*/HEAD"}

// reference returns the full name of a reference and the object that it names;
// false if there is none.
func (r *Repository) reference(short string) (full string, h hash, ok bool) {
	for _, place := range places {
		name := place + short
		if prefix, rest, ok := strings.Cut(place, "*"); ok {
			name = prefix + short + rest
		}
		if full, h, ok := r.follow(name); ok {
			return full, h, true
		}
	}
	return "", hash{}, false
}

// follow returns the object that a reference names, and the name of the last
// reference on the way to it.
func (r *Repository) follow(name string) (full string, h hash, ok bool) {
	for range 5 { // as many as git follows
		text := r.written(name)
		if target, symbolic := strings.CutPrefix(text, "ref:"); symbolic {
			name = strings.TrimSpace(target)
			continue
		}
		h, ok := parseHash(text)
		return name, h, ok
	}
	return name, hash{}, false
}

// written returns what is written for a reference of a full name, "" if there
// is none.
func (r *Repository) written(name string) string {
	if !isReference(name) {
		return ""
	}
	dir := r.dir.common
	if !strings.HasPrefix(name, "refs/") || strings.HasPrefix(name, "refs/worktree/") || strings.HasPrefix(name, "refs/bisect/") {
		dir = r.dir.own
	}
	if data, err := readIn(dir, filepath.FromSlash(name), maxGitFile); err == nil {
		text, _, _ := strings.Cut(string(data), "\n")
		return strings.TrimSpace(text)
	}
	return r.packed(name)
}

// packed returns the hash of a reference in the file that holds many.
func (r *Repository) packed(name string) string {
	data, err := readIn(r.dir.common, "packed-refs", maxPackedRefs)
	if err != nil {
		return ""
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		if h, ref, ok := strings.Cut(lines.Text(), " "); ok && ref == name && h[0] != '#' {
			return h
		}
	}
	return ""
}

// isReference reports whether a full name is one that git would follow: below
// refs, or in capitals such as HEAD.
func isReference(name string) bool {
	if !fs.ValidPath(name) || strings.ContainsAny(name, "\\ ~^:?*[\x7f") || strings.HasSuffix(name, ".lock") {
		return false
	}
	return strings.HasPrefix(name, "refs/") || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}
