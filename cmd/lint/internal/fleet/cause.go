package fleet

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// cause returns the file, by its name for people, and the line in it that make a build fail: the longest path in what is
// told of the failure or, if that path is missing, what lists it. It is "" if that is not known.
func (p *pass) cause(k *entries.Kustomization, told string) (name string, line int) {
	walk, files := k.Walk(), k.Source.Files()
	if len(walk.Unread) > 0 {
		f := files.File(walk.Unread[0])
		return f.Name(), p.unreadableLine(f)
	}
	if missing, ok := strings.CutSuffix(told, " is missing"); ok {
		missing = missing[strings.LastIndex(missing, " ")+1:]
		for _, kust := range walk.Kusts {
			listed, err := filepath.Rel(filepath.Dir(kust.Path), missing)
			if f := files.File(kust.Path); err == nil && f != nil {
				if line := lineOf(f.Again(), filepath.ToSlash(listed)); line > 0 {
					return f.Name(), line
				}
			}
		}
		return "", 0
	}
	words := wordsOf(told)
	var cause *tree.File
	longest := 0
	for _, file := range slices.Concat(walk.Files, walk.Parts) {
		if f := files.File(file); f != nil && slices.Contains(words, file) && len(file) > longest {
			cause, longest = f, len(file)
		}
	}
	if cause == nil {
		return "", 0
	}
	return cause.Name(), p.unreadableLine(cause)
}

// lineOf returns the first line that has a path as a word of its own, but not in a comment; zero if there is none.
func lineOf(data []byte, path string) int {
	line := 0
	for text := range strings.Lines(string(data)) {
		line++
		text, _, _ = strings.Cut(" "+text, " #")
		if slices.ContainsFunc(wordsOf(text), func(word string) bool { return strings.TrimPrefix(word, "./") == path }) {
			return line
		}
	}
	return 0
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n:;,'\"[]{}#", r) })
}

// unreadableLine returns the line at which a file cannot be read, the first if it can.
func (p *pass) unreadableLine(f *tree.File) int {
	file, err := p.index.Builder.Parse(f)
	if err != nil {
		return 1
	}
	for _, doc := range file.Documents {
		var syntax *yamledit.SyntaxError
		if errors.As(doc.Err, &syntax) {
			return syntax.Line
		}
		if doc.Err != nil {
			return doc.Line
		}
	}
	return 1
}
