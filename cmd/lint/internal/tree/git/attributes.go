package git

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore/gitignore"
)

// attributesFile is the name of the files that say how Git changes the bytes of others.
const attributesFile = ".gitattributes"

// Attributes are the lines of .gitattributes files by which Git writes other bytes to the disk
// than a commit holds: filters, identifiers and encodings. Ends of lines are not among them.
type Attributes struct {
	inGit  bool   // there is a repository
	prefix string // path of the folder that they were asked for in the repository
	lines  []attribute
	macros []string // names that stand for one that converts
}

// attribute is one that converts files, by the names of these.
type attribute struct {
	files gitignore.Pattern
	name  string // filter=lfs
}

// AttributesAround returns what holds in a folder of a work tree by its own file, by those above it,
// and by the repository itself. Those of the user and of the machine are not read.
func AttributesAround(folder string) Attributes {
	top, inner, ok := around(folder)
	if !ok {
		return Attributes{}
	}
	out := Attributes{inGit: true, prefix: inner}
	if dir, err := gitDirOf(top); err == nil {
		out = out.withFile(dir.common, filepath.Join("info", "attributes"), "")
	}
	dir := "."
	for _, step := range append([]string{"."}, strings.Split(out.prefix, "/")...) {
		if next := path.Join(dir, step); step == "." && dir == "." || next != dir {
			dir = next
			out = out.withFile(top, filepath.Join(filepath.FromSlash(dir), attributesFile), dir)
		}
	}
	return out
}

func (a Attributes) withFile(root, name, dir string) Attributes {
	data, err := readIn(root, name, maxGitFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		data = []byte("* filter=unreadable") // what it says is not known
	}
	return a.with(data, dir)
}

// With returns the same with the .gitattributes file of a folder, which is relative to the one
// that the attributes were asked for in.
func (a Attributes) With(data []byte, folder string) Attributes {
	return a.with(data, path.Join(a.prefix, folder))
}

func (a Attributes) with(data []byte, dir string) Attributes {
	if !a.inGit {
		return a
	}
	a.lines, a.macros = slices.Clip(a.lines), slices.Clip(a.macros)
	for line := range bytes.Lines(data) {
		words := strings.Fields(string(line))
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		name := a.converting(words[1:])
		macro, isMacro := strings.CutPrefix(words[0], "[attr]")
		switch {
		case name == "":
		case isMacro:
			a.macros = append(a.macros, macro)
		case strings.HasPrefix(words[0], `"`): // what it stands for is no matter: few have any
			a.lines = append(a.lines, attribute{gitignore.ParsePattern("*", nil), name})
		default:
			a.lines = append(a.lines, attribute{gitignore.ParsePattern(words[0], domainOf(dir)), name})
		}
	}
	return a
}

func domainOf(dir string) []string {
	if dir == "" || dir == "." {
		return nil
	}
	return strings.Split(dir, "/")
}

// converting returns the first of some attributes by which bytes change; "" if none does.
func (a Attributes) converting(attributes []string) string {
	for _, attribute := range attributes {
		name, _, _ := strings.Cut(attribute, "=")
		if name == "filter" || name == "ident" || name == "working-tree-encoding" || slices.Contains(a.macros, name) {
			return attribute
		}
	}
	return ""
}

// Of returns the attribute by which Git may convert a file, as seen from the folder that the
// attributes were asked for in; "" if it has none. One that a later line takes back counts, too.
func (a Attributes) Of(name string) string {
	steps := strings.Split(path.Join(a.prefix, name), "/")
	for _, line := range a.lines {
		if line.files.Match(steps, false) != gitignore.NoMatch {
			return line.name
		}
	}
	return ""
}
