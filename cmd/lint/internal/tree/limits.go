package tree

import (
	"fmt"
	"io"
	"os"
	"path"
	"slices"
)

// limits are the sizes above which files are not read.
type limits struct{ manifest, opaque int64 }

// of returns the limit for a file by its name.
func (l limits) of(name string) int64 {
	if isManifest(name) {
		return l.manifest
	}
	return l.opaque
}

// tooLarge returns the error of a file that is larger than its limit.
func (l limits) tooLarge(name string) error {
	return fmt.Errorf("larger than %s: not read", size(l.of(name)))
}

func size(n int64) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// readAll reads a file of that name up to its limit.
func (l limits) readAll(name string, file *os.File) ([]byte, error) {
	limit := l.of(name)
	data, err := readUpTo(file, limit+1)
	if err == nil && int64(len(data)) > limit {
		return nil, l.tooLarge(name)
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
