package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
)

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
