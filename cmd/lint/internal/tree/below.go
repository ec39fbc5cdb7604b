package tree

import (
	"path"
	"slices"
	"strings"
)

// Within reports whether a path is a folder or below it.
func Within(dir, name string) bool {
	return dir == "." || dir == "" || name == dir || strings.HasPrefix(name, dir+"/")
}

// Hidden reports whether a path has a folder that begins with a dot. Files in there are
// built if a Kustomization refers to them, but are not judged on their own.
func Hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(name), "/"), func(dir string) bool {
		return len(dir) > 1 && dir[0] == '.'
	})
}
