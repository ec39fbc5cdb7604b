package tree_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fluxcd/pkg/sourceignore"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// TestPack compares with what Flux's library says of a folder of the disk.
func TestPack(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".sourceignore": "# all\n/docs/\n*.txt\n!keep.txt\nshared\n", "a.yaml": "", "b.txt": "", "keep.txt": "", "docs/x.yaml": "", "in/docs/y.yaml": "",
		".a/.sourceignore": "!deep.txt\n*.yaml\n", ".a/deep.txt": "", ".a/z.yaml": "", "z/.sourceignore": "/only.yaml\n!b.txt\n", "z/only.yaml": "", "z/y/only.yaml": "",
		"z/b.txt": "", "x.jpg": "", ".github/w.yml": "", ".gitlab-ci.yml": "", ".sops.yaml": "", "in/.sops.yaml": "", ".gitattributes": "", "shared/a": "", "in/shared": "",
		"spec/a.yaml": "", "spec/b.yaml": "",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	tr := folder(t, dir, tree.Options{})
	var packing tree.Packing
	for _, ignore := range []string{"", "/spec\n!/spec/b.yaml", "/*\n!/spec/", "!/docs/\n!*.jpg"} {
		domain := strings.Split(dir, string(filepath.Separator))
		patterns, err := sourceignore.LoadIgnorePatterns(dir, domain)
		if err != nil {
			t.Fatal(err)
		}
		patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(ignore), domain)...)
		matcher := sourceignore.NewDefaultMatcher(patterns, domain)
		want := slices.DeleteFunc(slices.Clone(tr.Paths()), func(path string) bool {
			return matcher.Match(strings.Split(filepath.Join(dir, path), string(filepath.Separator)), false)
		})
		if got := packing.Pack(tr, ignore).Paths(); !slices.Equal(got, want) || len(got) == 0 || len(got) == len(tr.Paths()) {
			t.Errorf("%q\n got %q\nwant %q", ignore, got, want)
		}
	}
	if got, want := packing.Pack(tr.Sub("z"), "").Paths(), []string{".sourceignore", "b.txt", "y/only.yaml"}; !slices.Equal(got, want) {
		t.Errorf("a folder packs %q, want %q", got, want)
	}
	changed := tr.With(map[string][]byte{".sourceignore": []byte("*.yaml\n")})
	if got, want := packing.Pack(changed, "").Paths(), new(tree.Packing).Pack(changed, "").Paths(); !slices.Equal(got, want) || slices.Equal(got, packing.Pack(tr, "").Paths()) {
		t.Errorf("with other patterns it packs %q, want %q", got, want)
	}
}

// TestSparse takes what go-git checks out: paths that begin with an entry.
func TestSparse(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"apps/a.yaml", "apps2/b.yaml", "clusters/c.yaml", "d.yaml"} {
		write(t, filepath.Join(dir, name), "")
	}
	for _, tc := range []struct{ entries, want string }{
		{"apps", "apps/a.yaml apps2/b.yaml"},
		{"./apps/", "apps/a.yaml"},
		{"apps/ clusters", "apps/a.yaml clusters/c.yaml"},
		{".", ""},
		{"./", "apps/a.yaml apps2/b.yaml clusters/c.yaml d.yaml"},
		{"d.yaml", "d.yaml"},
		{"app", "error"},
		{"/apps", "error"},
		{"apps none", "error"},
	} {
		got, err := folder(t, dir, tree.Options{}).Sparse(strings.Fields(tc.entries))
		switch {
		case tc.want == "error" && err == nil, tc.want != "error" && err != nil:
			t.Errorf("%q: %v", tc.entries, err)
		case err == nil && strings.Join(got.Paths(), " ") != tc.want:
			t.Errorf("%q: %q, want %q", tc.entries, got.Paths(), tc.want)
		}
	}
}
