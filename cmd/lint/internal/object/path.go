package object

import (
	"path"
	"strings"
)

// Path returns spec.path of a Flux Kustomization as a path in its source; ""
// for the whole source.
func Path(ks map[string]any) string { return CleanPath(String(ks, "spec", "path")) }

// CleanPath returns a path of a spec as a path in the source, without leading ./ or /.
func CleanPath(p string) string { return strings.TrimPrefix(path.Clean("/"+p), "/") }
