// Package terminal knows what a terminal can show, and shows progress on it.
package terminal

import (
	"cmp"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
)

// fileOf returns the file that w writes to, and reports whether it is one.
func fileOf(w io.Writer) (*os.File, bool) {
	if guarded, ok := w.(plain.Writer); ok {
		w = guarded.Writer
	}
	file, ok := w.(*os.File)
	return file, ok
}

// Is reports whether w is a terminal.
func Is(w io.Writer) bool {
	file, ok := fileOf(w)
	return ok && term.IsTerminal(int(file.Fd()))
}

// Size returns the columns and lines of the terminal that w is; zero if it is none.
func Size(w io.Writer) (width, height int) {
	file, ok := fileOf(w)
	if !ok {
		return 0, 0
	}
	width, height, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0, 0
	}
	return width, height
}

// Colored reports whether what is written to w should have colours: on a
// terminal that is not dumb, and wherever FORCE_COLOR is set, but nowhere if
// NO_COLOR is (https://no-color.org).
func Colored(w io.Writer, getenv func(string) string) bool {
	force := getenv("FORCE_COLOR")
	switch {
	case getenv("NO_COLOR") != "" || force == "0":
		return false
	case force != "":
		return true
	}
	return Is(w) && getenv("TERM") != "dumb"
}

// Unicode reports whether the locale says that text is UTF-8. C and POSIX do not.
func Unicode(getenv func(string) string) bool {
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	return strings.Contains(strings.ToUpper(strings.ReplaceAll(locale, "-", "")), "UTF8")
}
