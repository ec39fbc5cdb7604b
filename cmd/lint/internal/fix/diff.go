package fix

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff writes what the edits change as a unified diff that git apply and
// patch -p1 take.
func (f *Files) Diff() []byte {
	var out bytes.Buffer
	for _, file := range f.changed() {
		name := strings.TrimPrefix(filepath.ToSlash(file.name), "/")
		text := diff.Diff("a/"+name, file.old, "b/"+name, file.new)
		_, text, _ = bytes.Cut(text, []byte("\n")) // "diff a b" would make git look for more
		out.Write(text)
	}
	return out.Bytes()
}
