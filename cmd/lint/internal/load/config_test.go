package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

const mild = "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\n"

// lay writes files below a folder, whose repository is repo, and returns the folder. A text that begins
// with -> is a link.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files["repo/.git/HEAD"] = "ref: refs/heads/main\n"
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, isLink := strings.CutPrefix(text, "-> "); isLink {
			err = os.Symlink(to, file)
		} else {
			err = os.WriteFile(file, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The nearest configuration counts, up to the root of the repository and no further.
func TestFind(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		want  string // the file that is read, empty for none; or a part of the error
	}{
		"none":                        {map[string]string{}, ""},
		"at the root":                 {map[string]string{"repo/.flux-remedy.yaml": mild}, "repo/.flux-remedy.yaml"},
		"the nearest":                 {map[string]string{"repo/.flux-remedy.yaml": mild, "repo/apps/.flux-remedy.yaml": mild}, "repo/apps/.flux-remedy.yaml"},
		"beside":                      {map[string]string{"repo/apps/web/.flux-remedy.yaml": mild, "repo/infra/.flux-remedy.yaml": mild}, ""},
		"outside":                     {map[string]string{".flux-remedy.yaml": mild}, ""},
		"a link":                      {map[string]string{"repo/.flux-remedy.yaml": "-> shared.yaml", "repo/shared.yaml": mild}, "repo/.flux-remedy.yaml"},
		"a link that leads out":       {map[string]string{"repo/.flux-remedy.yaml": "-> ../shared.yaml", "shared.yaml": mild}, "error: escapes from parent"},
		"a folder":                    {map[string]string{"repo/.flux-remedy.yaml/x": mild}, "error: not a regular file"},
		"too large":                   {map[string]string{"repo/.flux-remedy.yaml": mild + strings.Repeat("#", maxSize)}, "error: larger than 1 MiB"},
		"as large as it may be":       {map[string]string{"repo/.flux-remedy.yaml": mild + strings.Repeat("#", maxSize-len(mild))}, "repo/.flux-remedy.yaml"},
		"no configuration":            {map[string]string{"repo/.flux-remedy.yaml": "kind: Other\n"}, "error: .flux-remedy.yaml: "},
		"broken, but a nearer is not": {map[string]string{"repo/.flux-remedy.yaml": "kind: Other\n", "repo/apps/.flux-remedy.yaml": mild}, "repo/apps/.flux-remedy.yaml"},
	} {
		test.files["repo/apps/release.yaml"] = ""
		dir := lay(t, test.files)
		for _, path := range []string{"repo/apps", "repo/apps/release.yaml"} {
			got, err := FindConfig(filepath.Join(dir, path))
			file := strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(got.File, dir)), "/")
			why, refused := strings.CutPrefix(test.want, "error: ")
			if refused != (err != nil) || refused && !strings.Contains(err.Error(), why) || !refused && (file != test.want || got.Config == nil) {
				t.Errorf("%s: %s: read %q, %v; want %q", name, path, file, err, test.want)
			}
		}
	}
}

// What comes with a change reads nothing outside of its repository, whatever leads there.
func TestAllowed(t *testing.T) {
	dir := lay(t, map[string]string{
		"repo/inside/x": "", "repo/link": "-> inside", "repo/out": "-> ../elsewhere", "repo/inside/out": "-> ../../elsewhere", "elsewhere/below/x": "", "repository/x": "",
	})
	config := judge.Configuration{Config: &rules.Config{}, File: filepath.Join(dir, "repo/.flux-remedy.yaml")}
	for named, inside := range map[string]bool{
		"inside": true, "./inside": true, "link": true, "later": true, "inside/../inside": true, ".": true,
		"out": false, "inside/out": false, "out/below": false, "..": false, "../elsewhere": false, "../later": false, "../repository": false, filepath.Join(dir, "elsewhere"): false,
	} {
		for _, trusted := range []bool{false, true} {
			if _, err := beside(config, named, trusted); (err == nil) != (inside || trusted) {
				t.Errorf("%s, trusted %t: %v", named, trusted, err)
			}
			if filepath.IsAbs(named) {
				continue // it is always below the configuration
			}
			config.Spec.Sources = map[string]string{"GitRepository/flux-system/apps": named}
			if _, err := sourcesOf(config, nil, trusted); (err == nil) != (inside || trusted) {
				t.Errorf("source %s, trusted %t: %v", named, trusted, err)
			}
			of, err := sourcesOf(config, map[string]string{"GitRepository/flux-system/apps": "mine"}, trusted)
			if err != nil || of["GitRepository/flux-system/apps"] != "mine" {
				t.Errorf("source %s, which is named by who runs the program: %v, %v", named, of, err)
			}
		}
	}
}
