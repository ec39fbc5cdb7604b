package repair

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

var commentText = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)(?:^|[ \t])#[ \t]*(\S.*?)\r?$`) })

// Lost returns a comment that other files, made of these by edits, no longer have;
// empty if there is none.
func (f *Files) Lost(next *Files) string {
	for abs, file := range next.files {
		was := file.old
		if before := f.files[abs]; before != nil {
			was = before.new
		}
		if bytes.Equal(was, file.new) {
			continue
		}
		left := comments(file.new)
		for _, comment := range comments(was) {
			at := slices.Index(left, comment)
			if at < 0 {
				return comment
			}
			left = slices.Delete(left, at, at+1)
		}
	}
	return ""
}

// comments lists the texts of comments, equal ones as often as they are there.
func comments(text []byte) []string {
	var out []string
	for _, m := range commentText().FindAllSubmatch(text, -1) {
		out = append(out, string(m[1]))
	}
	return out
}
