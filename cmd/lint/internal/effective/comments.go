package effective

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Comment is a comment for the linter: a waiver of what the line decides that it is beside.
type Comment struct {
	rules.Waiver     // with the place of the comment
	Beside       int // the line: its own, or the next one that is more than a comment
	Err          error
}

// marked matches a comment that is meant for the linter, from its text on.
var marked = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|\s)#[#\s]*(flux-remedy(?:\s*:|\s+waive\b).*)$`)
})

var errBesideNothing = errors.New("it is beside no line: write it at the end of the line that decides, or above")

// commentsIn returns the comments in the content of a file, in order. What looks like one in a string is none, also where
// YAML stands in a string (texts.go).
func commentsIn(file string, data []byte) []*Comment {
	var out []*Comment
	written := textsOf(data)
	lines := strings.Split(string(bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))), "\n")
	below := 0 // the next line that is more than a comment, from 1; 0 if a line without anything comes before
	for i, line := range slices.Backward(lines) {
		switch text := strings.TrimSpace(line); {
		case text == "":
			below = 0
		case text[0] != '#':
			below = i + 1
		}
		if one, text, alone := commentIn(line); one != nil && written.comment(text) {
			one.File, one.Line = file, i+1
			if one.Beside = below; !alone {
				one.Beside = i + 1
			}
			if one.Beside == 0 && one.Err == nil {
				one.Err = errBesideNothing
			}
			out = append(out, one)
		}
	}
	slices.Reverse(out)
	return out
}

// commentIn returns the comment in a line with its text, and whether nothing else is in it; nil if
// there is none for the linter.
func commentIn(line string) (one *Comment, text string, alone bool) {
	if !strings.Contains(line, "flux-remedy") {
		return nil, "", false
	}
	m := marked().FindStringSubmatchIndex(line)
	if m == nil {
		return nil, "", false
	}
	one, text = &Comment{}, line[m[2]:]
	one.Waiver, one.Err = rules.ParseComment(strings.TrimSpace(text))
	return one, strings.Trim(text, "# \t"), strings.TrimSpace(line[:m[0]]) == ""
}

// Comments are those of a tree, in the order of its files.
type Comments []*Comment

// Beside lists the comments beside a place.
func (c Comments) Beside(_ rules.Finding, at Location) []*Comment {
	var out []*Comment
	for _, one := range c {
		if one.Err == nil && one.File == at.File && one.Beside == at.Line {
			out = append(out, one)
		}
	}
	return out
}

// readComments reads those of all manifests.
func (t *Tree) readComments() {
	read := func(files *tree.Tree) {
		for _, name := range files.Paths() {
			if f := files.File(name); build.IsManifest(name) && t.opts.Builder.Look(f).Waives {
				t.Comments = append(t.Comments, commentsIn(f.Name(), f.Again())...)
			}
		}
	}
	var seen []*tree.Tree
	for _, in := range t.opts.Inputs {
		if !slices.Contains(seen, in.Files) { // several folders of one repository are read once
			seen = append(seen, in.Files)
			read(in.Files)
		}
	}
	for _, files := range t.opts.sources() {
		read(files)
	}
	for _, r := range t.Releases {
		if len(t.Comments) > 0 {
			r.Commented = t.Comments.Beside
		}
	}
}
