package repair

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
)

// Diff writes what the edits change as a unified diff that git apply and
// patch -p1 take, for files below the working directory. It leaves out lines that
// must not be shown, and names the files of which it leaves out a change.
func (f *Files) Diff() (patch []byte, withheld []string) {
	var out bytes.Buffer
	for _, file := range f.changed() {
		name := strings.TrimPrefix(filepath.ToSlash(fromHere(file.name)), "/")
		text := diff.Diff("", file.old, "", file.new)
		_, hunks, _ := bytes.Cut(text, []byte("\n+++ \n"))
		shown, whole := shownHunks(hunks, file.old, file.new)
		if !whole {
			withheld = append(withheld, file.name)
		}
		if shown != "" {
			fmt.Fprintf(&out, "--- %s\n+++ %s\n%s", quoted("a/"+name), quoted("b/"+name), shown)
		}
	}
	return out.Bytes(), withheld
}

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
