package git_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

// Every way of giving a file an attribute that converts it is found, as Git itself finds it.
func TestAttributes(t *testing.T) {
	const file = "apps/shop/a.yaml"
	for name, c := range map[string]struct {
		at, text, want string
	}{
		"none":               {".gitattributes", "*.yaml text eol=lf diff=yaml linguist-generated\n", ""},
		"encoding":           {".gitattributes", "apps/shop/a.yaml text working-tree-encoding=UTF-16\n", "working-tree-encoding=UTF-16"},
		"filter":             {".gitattributes", "*.yaml\tfilter=lfs diff=lfs\n", "filter=lfs"},
		"ident":              {".gitattributes", "apps/** ident\n", "ident"},
		"comment":            {".gitattributes", "# *.yaml ident\n", ""},
		"another file":       {".gitattributes", "*.json ident\n", ""},
		"macro":              {".gitattributes", "[attr]odd filter=x\n*.yaml odd\n", "odd"},
		"macro of a macro":   {".gitattributes", "[attr]odd filter=x\n[attr]even odd\n*.yaml even\n", "even"},
		"between":            {"apps/.gitattributes", "shop/*.yaml ident\n", "ident"},
		"beside":             {"apps/shop/.gitattributes", "a.yaml ident\n", "ident"},
		"beside another":     {"apps/other/.gitattributes", "a.yaml ident\n", ""},
		"of the repository":  {".git/info/attributes", "a.yaml ident\n", "ident"},
		"quoted":             {".gitattributes", "\"apps/sh\\157p/a.yaml\" ident\n", "ident"},
		"blanks before":      {".gitattributes", "  a.yaml   ident\n", "ident"},
		"no end of line":     {".gitattributes", "a.yaml ident", "ident"},
		"ends with a return": {".gitattributes", "a.yaml ident\r\n", "ident"},
		"one of several":     {".gitattributes", "*.md ident\n*.y?ml -diff filter=x\n", "filter=x"},
		"a class":            {".gitattributes", "[a-b].yaml ident\n", "ident"},
		"taken back":         {".gitattributes", "*.yaml ident\na.yaml -ident\n", "ident"}, // what differs is asked for then
	} {
		dir := gittest.New(t)
		for _, folder := range []string{"apps/shop", "apps/other", ".git/info"} {
			if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, c.at), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := git.AttributesAround(filepath.Join(dir, "apps/shop")).Of("a.yaml"); got != c.want {
			t.Errorf("%s: from its folder %q, want %q", name, got, c.want)
		}
		around := git.AttributesAround(dir)
		for _, folder := range []string{"apps", "apps/other", "apps/shop"} {
			text, _ := os.ReadFile(filepath.Join(dir, folder, ".gitattributes"))
			around = around.With(text, folder)
		}
		if got := around.Of(file); got != c.want {
			t.Errorf("%s: from the top %q, want %q", name, got, c.want)
		}
	}
	if got := git.AttributesAround(t.TempDir()).With([]byte("* ident\n"), ".").Of("a.yaml"); got != "" {
		t.Errorf("outside of a repository: %q", got)
	}
}
