package git

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// gitDir is the two folders in which a repository keeps its own files.
type gitDir struct {
	own    string // of this work tree: its HEAD
	common string // of all work trees: objects, references, configuration
}

// Top returns the nearest folder upward that holds .git; "" if none does.
func Top(folder string) string {
	for {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			return ""
		}
		folder = parent
	}
}

// around returns the top of the work tree around a folder, and the path of the folder in it; false if
// there is none.
func around(folder string) (top, inner string, ok bool) {
	folder, err := resolved(folder)
	if err != nil {
		return "", "", false
	}
	top = Top(folder)
	inner, err = filepath.Rel(top, folder)
	return top, filepath.ToSlash(inner), top != "" && err == nil
}

// gitDirOf returns the folders of a repository by its top, which holds .git. That
// is a folder or, in a worktree or a submodule, a file that names one.
func gitDirOf(top string) (gitDir, error) {
	own := filepath.Join(top, ".git")
	info, err := os.Stat(own)
	if err != nil {
		return gitDir{}, err
	}
	if !info.IsDir() {
		text, err := readIn(top, ".git", maxGitFile)
		if err != nil {
			return gitDir{}, err
		}
		target, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if !ok {
			return gitDir{}, fmt.Errorf("%s does not say where the repository is", own)
		}
		own = relativeTo(top, target)
	}
	out := gitDir{own: own, common: own}
	if text, err := readIn(own, "commondir", maxGitFile); err == nil {
		out.common = relativeTo(own, strings.TrimSpace(string(text)))
	}
	return out, nil
}

// valid reports whether git would accept the folders as a repository.
func (d gitDir) valid() bool {
	_, err := os.Lstat(filepath.Join(d.own, "HEAD"))
	return err == nil && isFolder(filepath.Join(d.common, "objects")) && isFolder(filepath.Join(d.common, "refs"))
}

// shallow returns the commits at the border of a shallow clone.
func (d gitDir) shallow() map[Hash]bool {
	out := map[Hash]bool{}
	text, _ := readIn(d.common, "shallow", maxPackedRefs)
	for _, line := range strings.Fields(string(text)) {
		if h, ok := parseHash(line); ok {
			out[h] = true
		}
	}
	return out
}

// setting is one line of a repository's configuration.
type setting struct{ section, name, key, value string }

// config reads the repository's own configuration file. What that includes,
// and the user's, is not read.
func (d gitDir) config() []setting {
	data, err := readIn(d.common, "config", maxGitFile)
	if err != nil {
		return nil
	}
	return parseConfig(data)
}

// parseConfig reads the lines "[section "name"]" and "key = value". Sections
// and keys are in lower case.
func parseConfig(data []byte) []setting {
	var out []setting
	var at setting
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if header, rest, ok := strings.Cut(text, "]"); ok && strings.HasPrefix(header, "[") {
			section, name, _ := strings.Cut(header[1:], " ")
			at = setting{section: strings.ToLower(section), name: unquote(name)}
			text = strings.TrimSpace(rest)
		}
		key, value, _ := strings.Cut(text, "=")
		at.key, at.value = strings.ToLower(strings.TrimSpace(key)), unquote(value)
		if at.key != "" && !strings.ContainsAny(at.key[:1], "#;") {
			out = append(out, at)
		}
	}
	return out
}

// unquote returns a value without its quotes and without a comment after it.
func unquote(value string) string {
	var out strings.Builder
	quoted, escaped := false, false
	for _, r := range strings.TrimSpace(value) {
		switch {
		case escaped:
			out.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == '"':
			quoted = !quoted
		case !quoted && (r == '#' || r == ';'):
			return strings.TrimSpace(out.String())
		default:
			out.WriteRune(r)
		}
	}
	return strings.TrimSpace(out.String())
}

// Remotes returns the URLs of the remotes that the configuration of the
// repository around a folder lists; nil outside of one.
func Remotes(folder string) []string {
	top := Top(folder)
	if top == "" {
		return nil
	}
	dir, err := gitDirOf(top)
	if err != nil {
		return nil
	}
	var out []string
	for _, s := range dir.config() {
		if s.section == "remote" && s.key == "url" && s.value != "" {
			out = append(out, s.value)
		}
	}
	return out
}

// Sizes up to which a file of a repository's own is read.
const (
	maxGitFile    = 1 << 20
	maxPackedRefs = 64 << 20 // of a list of references or commits
)

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// resolved returns an absolute path without symbolic links.
func resolved(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// relativeTo joins a folder with a path that a file in it names, which may be
// absolute.
func relativeTo(dir, name string) string {
	name = filepath.FromSlash(name)
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

var errTooLarge = errors.New("too large")

// readIn reads a file below a folder. It follows no symbolic link out of it.
func readIn(dir, name string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", filepath.Join(dir, name))
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(dir, name), errTooLarge)
	}
	return data, err
}
