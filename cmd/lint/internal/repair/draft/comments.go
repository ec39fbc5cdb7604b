package draft

import (
	"regexp"
	"slices"
	"sync"
)

var commentText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(?:^|[ \t])#[ \t]*(\S.*?)\r?$`) })

// LostComment is a comment that edits take away: with what they remove, or because what they
// write would make it untrue.
type LostComment struct {
	File string
	Line int
	Text string // empty if it must not be shown
}

// Lost lists the comments that other files, made of these by edits, no longer have.
func (f *Files) Lost(next *Files) []LostComment {
	var out []LostComment
	for _, file := range next.all() {
		was := file.old
		if before := f.files[file.abs]; before != nil {
			was = before.new
		}
		out = append(out, lostIn(file.name, was, file.new)...)
	}
	return out
}

// lostIn lists the comments of the lines that differ, but for those that a new line has.
func lostIn(name string, was, is []byte) []LostComment {
	var kept []string
	var lines []patchLine
	for _, l := range changedLines(was, is) {
		if l.mark == '+' {
			kept = append(kept, comments([]byte(l.text))...)
		} else if l.mark == '-' {
			lines = append(lines, l)
		}
	}
	var out []LostComment
	for _, l := range lines {
		for _, comment := range comments([]byte(l.text)) {
			if at := slices.Index(kept, comment); at >= 0 {
				kept = slices.Delete(kept, at, at+1)
				continue
			}
			if l.hidden {
				comment = ""
			}
			out = append(out, LostComment{name, l.old, comment})
		}
	}
	return out
}

// comments lists the texts of comments, equal ones as often as they are there.
func comments(text []byte) []string {
	var out []string
	for _, m := range commentText().FindAllSubmatch(text, -1) {
		out = append(out, string(m[1]))
	}
	return out
}
