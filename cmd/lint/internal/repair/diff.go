package repair

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff writes what the edits change as a unified diff that git apply and
// patch -p1 take, for files below the working directory.
func (f *Files) Diff() []byte {
	var out bytes.Buffer
	for _, file := range f.changed() {
		name := strings.TrimPrefix(filepath.ToSlash(fromHere(file.name)), "/")
		text := diff.Diff("a/"+name, file.old, "b/"+name, file.new)
		_, text, _ = bytes.Cut(text, []byte("\n")) // "diff a b" would make git look for more
		out.Write(text)
	}
	return out.Bytes()
}

// fromHere names a file as seen from the working directory, if it is below that.
func fromHere(name string) string {
	here, err1 := filepath.Abs(".")
	abs, err2 := filepath.Abs(name)
	rel, err := filepath.Rel(here, abs)
	if errors.Join(err, err1, err2) != nil || !filepath.IsLocal(rel) {
		return name
	}
	return rel
}
