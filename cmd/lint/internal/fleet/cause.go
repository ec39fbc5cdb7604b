package fleet

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// cause returns the file, by its name for people, and the line in it that make a build fail: the longest path in what is
// told of the failure or, if that path is missing, what lists it. It is "" if that is not known.
func (r *results) cause(k *entries.Kustomization, told string) (name string, line int) {
	walk, files := k.Walk(), k.Source.Files()
	if len(walk.Unread) > 0 {
		named := slices.IndexFunc(walk.Unread, func(file string) bool { return slices.Contains(wordsOf(told), file) })
		f := files.File(walk.Unread[max(named, 0)])
		return f.Name(), r.unreadableLine(f)
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
	return cause.Name(), r.unreadableLine(cause)
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
func (r *results) unreadableLine(f *tree.File) int {
	file, err := r.index.Builder.Parse(f)
	if err != nil {
		return 1
	}
	line, _ := faultIn(file)
	return max(line, 1)
}

// faultIn returns where a file cannot be read, and why, but for what a Secret holds; "" if it can.
func faultIn(file *yamledit.File) (line int, why string) {
	for _, doc := range file.Documents {
		var syntax *yamledit.SyntaxError
		switch {
		case errors.As(doc.Err, &syntax) && !secret().Match(doc.Source()) && (kinds().Match(doc.Source()) || !names().MatchString(syntax.Message)):
			return syntax.Line, syntax.Message
		case errors.As(doc.Err, &syntax):
			return syntax.Line, "cannot be read"
		case doc.Err != nil:
			return doc.Line, "cannot be read"
		}
	}
	return 0, ""
}

// secret matches what a document that may hold a Secret has in it, in whatever style it is written; one without a kind, as a patch
// may be, may be meant for one. names matches what is said of a document with names that are in it.
var (
	secret = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)secret|stringData`) })
	kinds  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bkind["']?\s*:`) })
	names  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`key |anchor`) })
)

// failUnread is [results.fail] with what is told of a failure: of a file or a patch that cannot be read which one that is and what
// is wrong, in place of the words of a library, which do not say it. The line is no part of the reason, which stays as it is when
// lines move.
func (r *results) failUnread(k *entries.Kustomization, what, told string) {
	var at fault
	if len(k.Walk().Unread) > 0 || strings.HasSuffix(told, entries.Twice) || strings.HasSuffix(told, entries.Unpatched) {
		at = r.unread(k)
	} else if field, _, is := strings.Cut(told, " is of type "); is && len(k.Walk().Kusts) > 0 {
		kust := k.Walk().Kusts[0] // others are named
		if pos, written := kust.Doc.Find(strings.Split(field, ".")[0]); written {
			at = fault{kust.Path, kust.Doc.File.Name, pos.Line, told}
		}
	}
	if at.why != "" {
		told = at.path + ": " + at.why
	}
	r.fail(k, what+told)
	last := &r.failed[len(r.failed)-1]
	last.Cause, last.CauseLine = at.name, at.line
	if at.name != "" {
		last.Advice = fmt.Sprintf("see %s:%d", at.name, at.line)
	}
}

// fault is a place that cannot be read, with the path of its file in the source and its name for people.
type fault struct {
	path, name string
	line       int
	why        string
}

// unread returns the first file or patch that a build cannot read.
func (r *results) unread(k *entries.Kustomization) fault {
	walk, files := k.Walk(), k.Source.Files()
	for _, path := range slices.Concat(walk.Unread, walk.Files, walk.Parts) {
		if f := files.File(path); f != nil {
			if file, err := r.index.Builder.Parse(f); err == nil {
				if line, why := faultIn(file); why != "" {
					return fault{path, f.Name(), line, why}
				}
			}
		}
	}
	for _, kust := range walk.Kusts {
		for _, patch := range kust.Patches() {
			if line, why := faultIn(patch); why != "" {
				return fault{kust.Path, kust.Doc.File.Name, line, why}
			}
		}
	}
	patches, _ := object.At(k.Object, "spec", "patches").([]any)
	for i, patch := range patches {
		if file, err := yamledit.Parse("", []byte(object.String(patch, "patch"))); err == nil {
			if _, why := faultIn(file); why != "" {
				return fault{fmt.Sprintf("patch %d of spec.patches", i+1), "", 0, why}
			}
		}
	}
	return fault{}
}
