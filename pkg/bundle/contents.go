package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing/fstest"
)

// Limits of a bundle. The built-in policies are some hundred files and some hundred KiB.
const (
	// MaxPacked is the size of a tar.gz in bytes up to which it is read.
	MaxPacked = 16 << 20
	maxSize   = 32 << 20 // of all files together
	maxFiles  = 5000
	maxName   = 512

	maxConfig = 1 << 20
)

var errTooLarge = fmt.Errorf("it is larger than a bundle may be (%d MiB packed, %d MiB, %d files)", MaxPacked>>20, maxSize>>20, maxFiles)

// contents are files by their names, relative and with slashes.
type contents map[string][]byte

func (c contents) names() []string { return slices.Sorted(maps.Keys(c)) }

// add adds the Rego files of a folder.
func (c contents) add(below string, folder fs.FS) error {
	return fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !isRego(name) {
			return err
		}
		data, err := fs.ReadFile(folder, name)
		c[path.Join(below, name)] = data
		return err
	})
}

// put adds a file that was read.
func (c contents) put(name string, data io.Reader) error {
	if _, twice := c[name]; twice {
		return fmt.Errorf("%q is in it twice", name)
	}
	if !fs.ValidPath(name) || len(name) > maxName || !known(name) {
		return fmt.Errorf("%q is no file of a bundle", name)
	}
	left := maxSize - c.size()
	read, err := io.ReadAll(io.LimitReader(data, int64(left)+1))
	if err != nil {
		return fmt.Errorf("%s is not whole: %w", name, shorter(err))
	}
	if len(read) > left || len(c) >= maxFiles {
		return errTooLarge
	}
	c[name] = read
	return nil
}

func (c contents) size() int {
	size := 0
	for name, data := range c {
		size += len(name) + len(data)
	}
	return size
}

// check refuses contents that are none of a bundle.
func (c contents) check() error {
	if c.size() > maxSize || len(c) > maxFiles {
		return errTooLarge
	}
	if len(c[configFile]) > maxConfig {
		return fmt.Errorf("%s is larger than %d MiB", configFile, maxConfig>>20)
	}
	for name := range c {
		if !fs.ValidPath(name) || !known(name) {
			return fmt.Errorf("%q is no file of a bundle", name)
		}
	}
	return nil
}

// known reports whether a bundle has files of that name. Anything else would be carried along
// and do nothing.
func known(name string) bool {
	if slices.Contains([]string{manifestFile, signaturesFile, dataFile, configFile}, name) {
		return true
	}
	return isRego(name) && (strings.HasPrefix(name, builtin+"/") || strings.HasPrefix(name, custom+"/"))
}

// below returns the Rego files of a folder, all if it is empty.
func (c contents) below(folder string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, data := range c {
		if rel, ok := strings.CutPrefix(name, folder+"/"); ok {
			out[rel] = &fstest.MapFile{Data: data}
		} else if folder == "" && isRego(name) {
			out[name] = &fstest.MapFile{Data: data}
		}
	}
	return out
}

// sameRego reports whether two folders hold the same Rego.
func sameRego(a, b fs.FS) bool {
	x, y := contents{}, contents{}
	if errors.Join(x.add("", a), y.add("", b)) != nil {
		return false
	}
	return maps.EqualFunc(x, y, bytes.Equal)
}

// Sum hashes what a bundle is on the disk, good or not: what has changed has another one.
func Sum(name string) (string, error) {
	info, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if info.IsDir() {
		err = sumFolder(sum, name)
	} else if info.Mode().IsRegular() {
		var f *os.File
		if f, err = os.Open(name); err == nil {
			_, err = io.Copy(sum, io.LimitReader(f, MaxPacked+1))
			f.Close()
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

func sumFolder(sum hash.Hash, name string) error {
	root, err := os.OpenRoot(mounted(name))
	if err != nil {
		return err
	}
	defer root.Close()
	files, size := 0, int64(0)
	return fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %s\n", name, entry.Type())
		if files++; files > maxFiles || size > maxSize {
			return fs.SkipAll
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		f, err := root.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		n, err := io.Copy(sum, io.LimitReader(f, maxSize))
		size += n
		return err
	})
}
