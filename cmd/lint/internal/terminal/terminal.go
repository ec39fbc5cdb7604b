// Package terminal knows what a terminal can show, and shows progress on it.
package terminal

import (
	"cmp"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/term"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

func fileOf(w io.Writer) (*os.File, bool) {
	if guarded, ok := w.(plain.Writer); ok {
		w = guarded.Writer
	}
	file, ok := w.(*os.File)
	return file, ok
}

func isTerminal(w io.Writer) bool {
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

// FileURL returns the address of a file for links; empty if it has none.
func FileURL(file string) string {
	at, err := filepath.Abs(file)
	if err != nil || file == "-" {
		return ""
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(at)}).String()
}

// Colored reports whether what is written to w should have colours: on a terminal that is
// not dumb, and wherever FORCE_COLOR or CLICOLOR_FORCE is set, but nowhere if NO_COLOR is
// (https://no-color.org, https://bixense.com/clicolors).
func Colored(w io.Writer, getenv func(string) string) bool {
	force := cmp.Or(getenv("FORCE_COLOR"), getenv("CLICOLOR_FORCE"))
	switch {
	case getenv("NO_COLOR") != "" || getenv("FORCE_COLOR") == "0":
		return false
	case force != "" && force != "0":
		return true
	}
	return isTerminal(w) && getenv("TERM") != "dumb" && getenv("CLICOLOR") != "0"
}

// Links reports whether w is a terminal that is known to show links (OSC 8). Inside of a
// multiplexer that is not known.
func Links(w io.Writer, getenv func(string) string) bool {
	if getenv("TMUX") != "" || getenv("STY") != "" || getenv("TERM") == "dumb" || !isTerminal(w) {
		return false
	}
	known := []string{"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper"}
	vte, _ := strconv.Atoi(getenv("VTE_VERSION"))
	return slices.Contains(known, getenv("TERM_PROGRAM")) || vte >= 5000 ||
		cmp.Or(getenv("WT_SESSION"), getenv("KITTY_WINDOW_ID"), getenv("KONSOLE_VERSION")) != ""
}

// Unicode reports whether the locale says that text is UTF-8. C and POSIX do not.
func Unicode(getenv func(string) string) bool {
	locale := cmp.Or(getenv("LC_ALL"), getenv("LC_CTYPE"), getenv("LANG"))
	return strings.Contains(strings.ToUpper(strings.ReplaceAll(locale, "-", "")), "UTF8")
}
