package yamledit

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
)

// generatedNames are files that flux bootstrap and flux install write anew.
var generatedNames = []string{"gotk-components.yaml", "gotk-sync.yaml"}

// saysGenerated matches a comment that says so of its file.
var saysGenerated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bdo not (edit|modify|change)\b|@generated\b|^#\W*(this (file|manifest) )?((is|was|has been) )?(auto(matically)?[- ]?)?generated\b|^#\W*code generated\b`)
})

// IsGenerated reports whether a tool writes a file anew, by its name or by the comments that it
// begins with: what is changed in it is lost.
func IsGenerated(name string, data []byte) bool {
	if slices.Contains(generatedNames, path.Base(filepath.ToSlash(name))) {
		return true
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(line, []byte("#")):
			if saysGenerated().Match(line) {
				return true
			}
		case len(line) > 0 && !bytes.Equal(line, []byte("---")):
			return false
		}
	}
	return false
}
