// Package revision reads a revision of a Git repository into a folder of its
// own, with the user's work tree untouched.
package revision

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Tree is the content of a revision.
type Tree struct {
	dir  string // where it is
	root string // of the repository
}

// Open reads the revision rev of the repository that holds path.
func Open(ctx context.Context, path, rev string) (*Tree, error) {
	if strings.HasPrefix(rev, "-") {
		return nil, fmt.Errorf("%q is no revision", rev)
	}
	dir := path
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		dir = filepath.Dir(path)
	}
	root, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	t := &Tree{root: strings.TrimSpace(string(root))}
	archive, err := git(ctx, t.root, "archive", "--format=tar", rev+"^{tree}")
	if err != nil {
		return nil, err
	}
	if t.dir, err = os.MkdirTemp("", "flux-remedy-"); err != nil {
		return nil, err
	}
	if err := extract(t.dir, archive); err != nil {
		return nil, errors.Join(fmt.Errorf("read revision %s: %w", rev, err), t.Close())
	}
	return t, nil
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

func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	var out, said bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(said.String()+" "+err.Error()))
	}
	return out.Bytes(), nil
}

// extract writes the files and links of an archive below dir, and nothing
// outside it.
func extract(dir string, archive []byte) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	files := tar.NewReader(bytes.NewReader(archive))
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = place(root, header, files)
		}
		if err != nil {
			return err
		}
	}
}

func place(root *os.Root, header *tar.Header, content io.Reader) error {
	name := filepath.Clean(filepath.FromSlash(header.Name))
	switch header.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(name, 0o700)
	case tar.TypeSymlink:
		return root.Symlink(header.Linkname, name)
	case tar.TypeReg:
		file, err := root.Create(name)
		if err != nil {
			return err
		}
		_, err = io.Copy(file, content)
		return errors.Join(err, file.Close())
	}
	return nil
}
