package draft

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// Diff writes what the edits change as a patch that git apply and git am take. Where a line that
// must not be shown is changed, or no other line follows a change, git gets the change as a
// binary delta, which holds nothing that the file has already, and people the lines with "***".
func (f *Files) Diff() []byte {
	var out bytes.Buffer
	root, inside := patchRoot()
	for _, file := range f.changed() {
		name := file.patchName(root)
		shown, whole := shownHunks(file.old, file.new)
		if inside || !whole {
			fmt.Fprintf(&out, "diff --git %s %s\n", gitName("a/"+name), gitName("b/"+name))
		}
		if whole {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n%s", quoted("a/"+name), quoted("b/"+name), shown)
			continue
		}
		fmt.Fprintf(&out, "index %s..%s\n%s%s", blobID(file.old), blobID(file.new), binaryPatch(file.old, file.new), masked(file.old, file.new))
	}
	return out.Bytes()
}

// patchRoot returns the folder that the names of a patch start from: the top of the Git
// repository, else the working directory. Inside is true below the top: there git takes the
// names of patches that are not its own from the working directory.
func patchRoot() (root string, inside bool) {
	here, err := resolve(".")
	if err != nil {
		return "", false
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir, dir != here
		}
		if dir == filepath.Dir(dir) {
			return here, false
		}
	}
}

// patchName names a file in a patch, by its path below a root if it is there.
func (f *file) patchName(root string) string {
	rel, err := filepath.Rel(root, f.real)
	if err != nil || !filepath.IsLocal(rel) {
		rel = f.name
	}
	return strings.TrimPrefix(filepath.ToSlash(rel), "/")
}

// gitName is quoted without the tab that only ends names of lines that begin a hunk.
func gitName(name string) string { return strings.TrimSuffix(quoted(name), "\t") }

// quoted returns a name for a patch. As git does, an odd one is quoted as in C, every
// odd byte in octal digits. One with spaces ends with a tab.
func quoted(name string) string {
	if plain.Is(name) && !strings.ContainsAny(name, `"\\`) {
		if strings.Contains(name, " ") {
			name += "\t"
		}
		return name
	}
	var b strings.Builder
	for _, c := range []byte(name) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' || c == '#' {
			fmt.Fprintf(&b, "\\%03o", c)
		} else {
			b.WriteByte(c)
		}
	}
	return `"` + b.String() + `"`
}
