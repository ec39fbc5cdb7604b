package rego

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// sourceFile is a Rego file and its hash.
type sourceFile struct{ name, sum string }

// filesOf returns the Rego files of a source.
func filesOf(source fs.FS) (files []sourceFile, err error) {
	sum, buffer := sha256.New(), make([]byte, 8<<10)
	err = fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !isPolicy(name) {
			return err
		}
		file, err := source.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		sum.Reset()
		_, err = io.CopyBuffer(sum, file, buffer)
		files = append(files, sourceFile{name, hex.EncodeToString(sum.Sum(nil))})
		return err
	})
	return files, err
}

// sumsOf returns the hashes of the Rego files of the first source and of others, sorted.
func sumsOf(first []sourceFile, others []fs.FS) ([]string, error) {
	for _, source := range others {
		files, err := filesOf(source)
		if err != nil {
			return nil, err
		}
		first = append(slices.Clip(first), files...)
	}
	sums := []string{}
	for _, file := range first {
		sums = append(sums, file.sum)
	}
	slices.Sort(sums)
	return slices.Compact(sums), nil
}

// isPolicy reports whether a file is Rego that is compiled.
func isPolicy(name string) bool {
	return path.Ext(name) == ".rego" && !strings.HasSuffix(name, "_test.rego")
}
