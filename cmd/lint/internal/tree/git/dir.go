package git

import (
	"fmt"
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
