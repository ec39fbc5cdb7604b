package tree

import (
	"fmt"
	"io"
	"os"
	"path"
	"slices"
)

// limitOf returns the size above which a file of that name is not read.
func limitOf(name string) int64 {
	if isManifest(name) {
		return maxManifest
	}
	return maxOpaque
}

// tooLarge returns the error of a file that is larger than its limit.
func tooLarge(name string) error {
	return fmt.Errorf("larger than %d MiB: not read", limitOf(name)>>20)
}

// readAll reads a file of that name up to its limit.
func readAll(name string, file *os.File) ([]byte, error) {
	limit := limitOf(name)
	data, err := readUpTo(file, limit+1)
	if err == nil && int64(len(data)) > limit {
		return nil, tooLarge(name)
	}
	return data, err
}

// readUpTo reads a file up to a limit, into as much room as it says that it needs.
func readUpTo(file *os.File, limit int64) ([]byte, error) {
	size := int64(512)
	if info, err := file.Stat(); err == nil {
		size = info.Size() + 1 // to see its end
	}
	data := make([]byte, 0, min(size, limit))
	for from := io.LimitReader(file, limit); ; {
		if len(data) == cap(data) {
			data = slices.Grow(data, 512)
		}
		n, err := from.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case err == io.EOF:
			return data, nil
		case err != nil:
			return data, err
		}
	}
}

// isManifest reports whether a file may hold manifests by its name.
func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name))
}
