package git

import (
	"bytes"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// places are the full names that a short one may stand for, in git's order.
var places = []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/", "refs/remotes/*/HEAD"}

// reference returns the full name of a reference and the object that it names;
// false if there is none.
func (d gitDir) reference(short string) (full string, h Hash, ok bool) {
	for _, place := range places {
		name := place + short
		if prefix, rest, ok := strings.Cut(place, "*"); ok {
			name = prefix + short + rest
		}
		if full, h, ok := d.follow(name); ok {
			return full, h, true
		}
	}
	return "", Hash{}, false
}

// single returns an error if a short name stands for more than one object. Git takes the
// tag then; but whoever may push one must not choose what a change is compared with.
func (d gitDir) single(short string, h Hash) error {
	if d.written(short) != "" {
		return nil // in full
	}
	for _, place := range places[1:5] {
		if _, other, ok := d.follow(place + short); ok && other != h {
			full, _, _ := d.reference(short)
			return fmt.Errorf("%s is ambiguous: %s and %s differ; write one of them in full", short, full, place+short)
		}
	}
	return nil
}

// follow returns the object that a reference names, and the name of the last
// reference on the way to it.
func (d gitDir) follow(name string) (full string, h Hash, ok bool) {
	for range 5 { // as many as git follows
		text := d.written(name)
		if target, symbolic := strings.CutPrefix(text, "ref:"); symbolic {
			name = strings.TrimSpace(target)
			continue
		}
		h, ok := parseHash(text)
		return name, h, ok
	}
	return name, Hash{}, false
}

// written returns the text of a reference by its full name: a hash, or "ref:"
// and another name. It returns "" if there is none.
func (d gitDir) written(name string) string {
	if !isReference(name) {
		return ""
	}
	dir := d.common
	if !strings.HasPrefix(name, "refs/") || strings.HasPrefix(name, "refs/worktree/") || strings.HasPrefix(name, "refs/bisect/") {
		dir = d.own
	}
	if data, err := readIn(dir, filepath.FromSlash(name), maxGitFile); err == nil {
		text, _, _ := strings.Cut(string(data), "\n")
		return strings.TrimSpace(text)
	}
	return d.packed(name)
}

// packed returns the hash of a reference in the file that holds many.
func (d gitDir) packed(name string) string {
	data, err := readIn(d.common, "packed-refs", maxPackedRefs)
	if err != nil {
		return ""
	}
	for line := range bytes.Lines(data) {
		if h, ref, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), " "); ok && ref == name {
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
