package tree

import (
	"fmt"
	"io"
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
func (l limits) readAll(name string, r io.Reader) ([]byte, error) {
	limit := l.of(name)
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, l.tooLarge(name)
	}
	return data, err
}

// isManifest reports whether a file may hold manifests by its name.
func isManifest(name string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(name))
}
