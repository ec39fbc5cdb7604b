package bundle

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Open reads a bundle: a tar.gz, a folder that holds its files, or an OCI layout. If there
// are keys, one of them must have signed it.
func Open(name string, keys Keys, now time.Time) (*Bundle, error) {
	files, err := open(name)
	return verified(name, files, err, keys, now)
}

// Unpack reads a bundle that is a tar.gz in memory; name is for people.
func Unpack(name string, packed []byte, keys Keys, now time.Time) (*Bundle, error) {
	files, err := unpack(packed)
	return verified(name, files, err, keys, now)
}

// In reads a bundle whose files, or an OCI layout of it, are in a file system.
func In(name string, folder fs.FS, keys Keys, now time.Time) (*Bundle, error) {
	files, err := openFolder(folder)
	return verified(name, files, err, keys, now)
}

// verified returns the bundle of files, unless these could not be read.
func verified(name string, files contents, err error, keys Keys, now time.Time) (b *Bundle, _ error) {
	if err == nil {
		b, err = read(files)
	}
	if err == nil {
		b.Signature, err = keys.verify(files, now)
	}
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", name, err)
	}
	return b, nil
}

var errNoFile = errors.New("it is neither a file nor a folder")

var errAddress = errors.New("nothing is fetched: \"flux-remedy bundle pull\" writes it to a file")

func open(name string) (contents, error) {
	if strings.HasPrefix(name, "oci://") {
		return nil, errAddress
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, shorter(err)
	}
	if info.Mode().IsRegular() {
		return openFile(name)
	}
	if !info.IsDir() {
		return nil, errNoFile
	}
	root, err := os.OpenRoot(mounted(name))
	if err != nil {
		return nil, shorter(err)
	}
	defer root.Close()
	return openFolder(root.FS())
}

// mounted returns the folder that holds the files of dir. The kubelet mounts a
// ConfigMap as links into a folder that it replaces as a whole.
func mounted(dir string) string {
	if real, err := filepath.EvalSymlinks(filepath.Join(dir, "..data")); err == nil {
		return real
	}
	return dir
}

func openFile(name string) (contents, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, shorter(err)
	}
	defer f.Close()
	packed, err := io.ReadAll(io.LimitReader(f, MaxPacked+1))
	if err != nil {
		return nil, err
	}
	return unpack(packed)
}

func openFolder(folder fs.FS) (contents, error) {
	if _, err := fs.Stat(folder, layoutFile); err == nil {
		return openLayout(folder)
	}
	files := contents{}
	return files, fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return shorter(err)
		case entry.IsDir() && strings.Count(name, "/") > maxDepth:
			return fmt.Errorf("%q is deeper than a bundle is", name)
		case entry.IsDir():
			return nil
		case !entry.Type().IsRegular():
			return fmt.Errorf("%q is neither a file nor a folder", name)
		}
		f, err := folder.Open(name)
		if err != nil {
			return shorter(err)
		}
		defer f.Close()
		return files.put(name, f)
	})
}

const maxDepth = 32

// shorter returns an error about a file without its name.
func shorter(err error) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		return failed.Err
	}
	return err
}
