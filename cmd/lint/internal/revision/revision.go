// Package revision reads a revision of a Git repository into a folder of its
// own, with the user's work tree and index untouched.
package revision

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Tree is the content of a revision.
type Tree struct {
	dir  string // where it is
	root string // of the repository
}

// Open reads the revision rev of the repository that holds path, as git would
// check it out.
func Open(ctx context.Context, path, rev string) (*Tree, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%q is no revision", rev)
	}
	root, err := git(ctx, folder(path), "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	if _, err := git(ctx, root, "rev-parse", "--verify", "--quiet", rev+"^{tree}"); err != nil {
		return nil, fmt.Errorf("the repository has no revision %s (a shallow clone has not all of them)", rev)
	}
	t := &Tree{root: root}
	if t.dir, err = os.MkdirTemp("", "flux-remedy-"); err != nil {
		return nil, err
	}
	if err := t.checkOut(ctx, rev); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// checkOut writes the files by an index of its own. An empty .git marks where
// the repository begins, for whoever looks upward.
func (t *Tree) checkOut(ctx context.Context, rev string) error {
	mark := filepath.Join(t.dir, ".git")
	if err := os.Mkdir(mark, 0o700); err != nil {
		return err
	}
	index := filepath.Join(mark, "index")
	if _, err := gitWith(ctx, index, t.root, "read-tree", rev+"^{tree}"); err != nil {
		return err
	}
	if _, err := gitWith(ctx, index, t.root, "checkout-index", "--all", "--prefix="+t.dir+"/"); err != nil {
		return err
	}
	return os.Remove(index)
}

// Path gives where the revision has what the work tree has at path. That is an
// empty folder if the revision has nothing there.
func (t *Tree) Path(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", err
	}
	root, err := filepath.EvalSymlinks(t.root)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s is not in the repository %s", path, t.root)
	}
	there := filepath.Join(t.dir, rel)
	if _, err := os.Stat(there); errors.Is(err, os.ErrNotExist) {
		return there, os.MkdirAll(there, 0o700)
	}
	return there, nil
}

// Close removes the folder.
func (t *Tree) Close() error { return os.RemoveAll(t.dir) }

// folder gives the folder of a file, and a folder itself.
func folder(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return filepath.Dir(path)
	}
	return path
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	return gitWith(ctx, "", dir, args...)
}

// gitWith runs git with another index than the repository's, if one is given.
// What Git LFS keeps elsewhere is not fetched: no manifest is there.
func gitWith(ctx context.Context, index, dir string, args ...string) (string, error) {
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &said
	cmd.Env = append(environment(), "GIT_LFS_SKIP_SMUDGE=1")
	if index != "" {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+index)
	}
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("git is not installed: it is needed to read a revision")
	}
	if err != nil {
		return "", fmt.Errorf("git %s: %s", args[0], cmp.Or(strings.TrimSpace(said.String()), err.Error()))
	}
	return strings.TrimSpace(out.String()), nil
}

// environment leaves out what git tells its hooks of the repository: with it,
// git would take the folder for the root of the work tree.
func environment() []string {
	return slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_WORK_TREE"}, name)
	})
}
