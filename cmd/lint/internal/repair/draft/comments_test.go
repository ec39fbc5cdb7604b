package draft

import (
	"path/filepath"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
)

func TestLost(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"a comment of it":            {"x:\n  gone: 1 # why\nkept: 2\n", "why"},
		"a word that stands by":      {"x:\n  gone: 1 # kept\nkept: 2\n", "kept"},
		"one of two that are equal":  {"x:\n  gone: 1 # why\nkept: 2 # why\n", "why"},
		"a part of another":          {"x:\n  gone: 1 # why\nkept: 2 # why not\n", "why"},
		"comments above it":          {"# of the file\n\n# why\nx:\n  gone: 1\nkept: 2 # why\r\n", "why"},
		"comments of something else": {"# of the file\n\nx:\n  gone: 1\nkept: 2 # why\r\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folderWith(t, map[string]string{"a.yaml": tc.text})
			files := open(t, dir)
			next, err := files.With([]effective.Edit{edit(filepath.Join(dir, "a.yaml"), nil, "x")})
			if err != nil {
				t.Fatal(err)
			}
			var got string
			for _, lost := range files.Lost(next) {
				got += lost.Text
			}
			if got != tc.want {
				t.Errorf("lost is %q, want %q", got, tc.want)
			}
		})
	}
}
