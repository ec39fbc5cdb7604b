package sources

import (
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Of what a ref names, the commit goes ahead of all, then name, tag and branch.
func TestRevisionOf(t *testing.T) {
	for _, c := range []struct {
		ref         map[string]any
		name, label string
	}{
		{map[string]any{"branch": "main"}, "main", "main"},
		{map[string]any{"branch": "main", "tag": "v1"}, "refs/tags/v1", "v1"},
		{map[string]any{"name": "refs/heads/x", "tag": "v1"}, "refs/heads/x", "refs/heads/x"},
		{map[string]any{"commit": "0f", "name": "refs/heads/x"}, "0f", "0f"},
	} {
		if name, label, err := revisionOf(c.ref, tree.Of(nil)); err != nil || name != c.name || label != c.label {
			t.Errorf("%v: %q, %q, %v", c.ref, name, label, err)
		}
	}
	if _, _, err := revisionOf(map[string]any{}, tree.Of(nil)); err == nil {
		t.Error("a ref that names nothing is a revision")
	}
}

// An ArtifactGenerator copies a folder under its own name, dir/** without it, and leaves out what it excludes.
func TestGenerate(t *testing.T) {
	files := tree.Of(nil).With(map[string][]byte{"apps/web.yaml": nil, "apps/notes.md": nil})
	x := manifests.NewIndex(files, build.NewBuilder())
	for from, want := range map[string]string{"@repo/apps": "to/apps/web.yaml", "@repo/apps/**": "to/web.yaml", "@repo/apps/web.yaml": "to/web.yaml"} {
		generator := map[string]any{"spec": map[string]any{"artifacts": []any{map[string]any{
			"name": "made", "copy": []any{map[string]any{"from": from, "to": "@artifact/to/", "exclude": []any{"*.md"}}},
		}}}}
		made, err := Generate(x.Builder, generator, "made", func(string) (*build.Source, error) { return x.Packed(""), nil })
		if err != nil || made == nil {
			t.Fatal(from, err)
		}
		if paths := made.Files().Paths(); len(paths) != 1 || paths[0] != want {
			t.Errorf("%s: %v, want %s", from, paths, want)
		}
	}
}
