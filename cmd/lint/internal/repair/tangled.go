package repair

import (
	"bytes"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair/draft"
)

// tangled says why edits of a release cannot be made in files that share what is edited by anchors; empty if they
// can be. They are tried only where the text of a file looks like that, for it takes long.
func tangled(in judge.Release, edits []effective.Edit) string {
	contents := map[string][]byte{}
	for _, d := range in.DecidedIn() {
		contents[d.File.Name] = d.File.Data()
	}
	shared := false
	for _, e := range edits {
		text, known := contents[e.File]
		if !known || len(e.At) != 1 {
			return ""
		}
		shared = shared || sharesAbove(text, e)
	}
	if !shared {
		return ""
	}
	if err := draft.Try(contents, edits); err != nil {
		return err.Error()
	}
	return ""
}

// sharesAbove reports whether a text may have an anchor, an alias or a merge key at the path of an edit.
func sharesAbove(text []byte, e effective.Edit) bool {
	return bytes.Contains(text, []byte("<<: *")) || slices.ContainsFunc(e.At[0].Path, func(step any) bool {
		key, _ := step.(string)
		return key != "" && (bytes.Contains(text, []byte(key+": &")) || bytes.Contains(text, []byte(key+": *")))
	})
}
