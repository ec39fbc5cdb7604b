package fix

import (
	"bytes"
	"regexp"
)

var commentText = regexp.MustCompile(`(?m)(?:^|[ \t])#[ \t]*(\S.*?)\r?$`)

// Lost gives a comment that other files, made of these by edits, no longer have;
// "" if there is none.
func (f *Files) Lost(next *Files) string {
	for abs, file := range next.files {
		was := file.old
		if before := f.files[abs]; before != nil {
			was = before.new
		}
		if bytes.Equal(was, file.new) {
			continue
		}
		for _, m := range commentText.FindAllSubmatch(was, -1) {
			if !bytes.Contains(file.new, m[1]) {
				return string(m[1])
			}
		}
	}
	return ""
}
