package tree_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// ofTexts returns a tree of files with these contents.
func ofTexts(texts map[string]string) *tree.Tree {
	files := map[string]*tree.File{}
	for name, text := range texts {
		files[name] = file(text)
	}
	return tree.Of(files)
}

func build(fsys filesys.FileSystem, dir string) (string, error) {
	kustomizer := krusty.MakeKustomizer(&krusty.Options{LoadRestrictions: kustypes.LoadRestrictionsNone, PluginConfig: kustypes.DisabledPluginConfig()})
	result, err := kustomizer.Run(fsys, dir)
	if err != nil {
		return "", err
	}
	text, err := result.AsYaml()
	return string(text), err
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n"

// fleet is a tree that uses what kustomize looks up in a file system.
var fleet = map[string]string{
	"base/kustomization.yaml":                "resources:\n- cm.yaml\nconfigMapGenerator:\n- name: gen\n  files:\n  - conf/app.properties\n  envs: [conf/x.env]\n",
	"base/cm.yaml":                           configMap,
	"base/conf/app.properties":               "a=b\n",
	"base/conf/x.env":                        "X=1\n",
	"components/extra/Kustomization":         "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: extra-\n",
	"overlays/a+b c/kustomization.yml":       "resources:\n- ../../base\n- ./more.yaml\ncomponents: [../../components/extra]\npatches:\n- path: p.yaml\n",
	"overlays/a+b c/more.yaml":               strings.ReplaceAll(configMap, "name: a", "name: more"),
	"overlays/a+b c/p.yaml":                  strings.ReplaceAll(configMap, "k: v", "k: patched"),
	"overlays/out/kustomization.yaml":        "resources:\n- ../../../elsewhere\n",
	"overlays/abs/kustomization.yaml":        "resources:\n- /etc/passwd\n",
	"overlays/missing/kustomization.yaml":    "resources:\n- none.yaml\n",
	"overlays/nobase/kustomization.yaml":     "resources:\n- ../none/at/all\n",
	"overlays/circle/kustomization.yaml":     "resources:\n- ../circle\n",
	"overlays/filebelow/kustomization.yaml":  "resources:\n- ../../base/cm.yaml/x\n",
	"overlays/two/kustomization.yaml":        "resources: []\n",
	"overlays/two/kustomization.yml":         "resources: []\n",
	"overlays/configfiles/kustomization.yml": "resources: [../../base]\nconfigurations: [none.yaml]\n",
}

// TestFileSystemBuildsLikeTheDisk compares builds, errors included.
func TestFileSystemBuildsLikeTheDisk(t *testing.T) {
	dir := filepath.Join(resolved(t, t.TempDir()), "tree")
	for name, text := range fleet {
		write(t, filepath.Join(dir, name), text)
	}
	fsys := ofTexts(fleet).FileSystem("/tree")
	built := 0
	for _, name := range []string{"base", "overlays/a+b c", "overlays/out", "overlays/abs", "overlays/missing", "overlays/nobase", "overlays/circle", "overlays/filebelow", "overlays/two", "overlays/configfiles", "overlays"} {
		want, wantErr := build(filesys.MakeFsOnDisk(), filepath.Join(dir, name))
		got, err := build(fsys, "/tree/"+name)
		if name == "overlays/abs" {
			// The disk has that file.
			if err == nil || !strings.Contains(err.Error(), "/etc/passwd") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
		if text, wantText := textOf(err), strings.ReplaceAll(textOf(wantErr), filepath.Dir(dir), ""); text != wantText {
			t.Errorf("%s\n got %s\nwant %s", name, text, wantText)
		}
		if err == nil {
			built++
		}
	}
	if built != 2 {
		t.Errorf("%d are built, want 2", built)
	}
	if _, err := build(fsys, "/tree/overlays/out"); err == nil || !strings.Contains(err.Error(), "no such file or directory") {
		t.Errorf("a base outside: %v", err)
	}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestFileSystemIsLikeTheDisk compares every look with the one of the disk.
func TestFileSystemIsLikeTheDisk(t *testing.T) {
	dir := filepath.Join(resolved(t, t.TempDir()), "tree")
	for name, text := range fleet {
		write(t, filepath.Join(dir, name), text)
	}
	disk, fsys := filesys.MakeFsOnDisk(), ofTexts(fleet).FileSystem("/tree")
	place := filepath.Dir(dir)
	for _, name := range []string{
		"/tree", "/tree/", "/tree/base", "/tree/base/", "/tree/./base/../base", "/tree/base/cm.yaml", "/tree/none", "/tree/none/deep", "/tree/base/cm.yaml/x",
		"/tree/overlays/a+b c/p.yaml", "/other", "/tree/../other", "/treeless", "/tree/components/extra/Kustomization",
	} {
		there := place + name
		plain := func(err error) string { return strings.ReplaceAll(textOf(err), place, "") }
		if got, want := fsys.Exists(name), disk.Exists(there); got != want {
			t.Errorf("%s exists: %v", name, got)
		}
		if got, want := fsys.IsDir(name), disk.IsDir(there); got != want {
			t.Errorf("%s is a folder: %v", name, got)
		}
		gotDir, gotFile, gotErr := fsys.CleanedAbs(name)
		wantDir, wantFile, wantErr := disk.CleanedAbs(there)
		if strings.TrimPrefix(string(wantDir), place) != string(gotDir) || gotFile != wantFile || plain(gotErr) != plain(wantErr) {
			t.Errorf("%s is cleaned to %s, %s, %v, want %s, %s, %v", name, gotDir, gotFile, gotErr, wantDir, wantFile, wantErr)
		}
		got, gotErr := fsys.ReadFile(name)
		want, wantErr := disk.ReadFile(there)
		if string(got) != string(want) || plain(gotErr) != plain(wantErr) {
			t.Errorf("%s holds %q, %v, want %q, %v", name, got, gotErr, want, wantErr)
		}
		gotNames, gotErr := fsys.ReadDir(name)
		wantNames, wantErr := disk.ReadDir(there)
		if !slices.Equal(gotNames, wantNames) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%s holds %q, %v, want %q, %v", name, gotNames, gotErr, wantNames, wantErr)
		}
		if got, want := walked(fsys, name, ""), walked(disk, there, place); !slices.Equal(got, want) {
			t.Errorf("%s is walked as\n%q, want\n%q", name, got, want)
		}
	}
	for _, pattern := range []string{"/tree/*", "/tree/base/*.yaml", "/tree/*/*/*", "/tree/overlays/a+b c/*", "/tree/base", "/tree/[", "/other/*", "/tree/b*/c?.yaml", "/tree/none/*", "/tree/base/../base/*"} {
		got, gotErr := fsys.Glob(pattern)
		want, wantErr := disk.Glob(place + pattern)
		for i := range want {
			want[i] = strings.TrimPrefix(filepath.Clean(want[i]), place)
		}
		if !slices.Equal(got, want) || (gotErr == nil) != (wantErr == nil) {
			t.Errorf("%s matches %q, %v, want %q, %v", pattern, got, gotErr, want, wantErr)
		}
	}
}

// walked lists a walk, with an early end of one folder.
func walked(fsys filesys.FileSystem, root, place string) []string {
	var out []string
	err := fsys.Walk(root, func(name string, info os.FileInfo, err error) error {
		line := strings.TrimPrefix(filepath.Clean(name), place)
		if err != nil {
			out = append(out, line+": "+strings.ReplaceAll(err.Error(), place, ""))
			return nil
		}
		out = append(out, line+" "+info.Name())
		if info.Name() == "conf" {
			return filepath.SkipDir
		}
		return nil
	})
	return append(out, textOf(err))
}

func TestFileSystemIsReadOnly(t *testing.T) {
	fsys := ofTexts(fleet).FileSystem("/tree")
	_, created := fsys.Create("/tree/new")
	for what, err := range map[string]error{
		"create": created, "mkdir": fsys.Mkdir("/tree/new"), "mkdir -p": fsys.MkdirAll("/tree/new"),
		"remove": fsys.RemoveAll("/tree/base"), "write": fsys.WriteFile("/tree/base/cm.yaml", nil),
	} {
		if err == nil {
			t.Errorf("%s works", what)
		}
	}
	file, err := fsys.Open("/tree/base/cm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte("x")); err == nil {
		t.Error("an open file can be written")
	}
	data, err := io.ReadAll(file)
	if info, _ := file.Stat(); string(data) != configMap || info.Size() != int64(len(configMap)) || errors.Join(err, file.Close()) != nil {
		t.Errorf("the open file holds %q, %v", data, err)
	}
	if _, err := fsys.Open("/base"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("outside: %v", err)
	}
	got, _ := fsys.ReadFile("/tree/base/cm.yaml")
	got[0] = 'X'
	if again, _ := fsys.ReadFile("/tree/base/cm.yaml"); string(again) != configMap {
		t.Error("who reads a file can change it")
	}
	if root := ofTexts(fleet).FileSystem("/"); !root.Exists("/base/cm.yaml") || !root.IsDir("/") {
		t.Error("a tree cannot be mounted at the root")
	}
}

// FuzzFileSystem holds Glob to kyaml's file system in memory, which lists files
// only, and paths to their laws.
func FuzzFileSystem(f *testing.F) {
	f.Add("a/b.yaml\na/c/d\n.h/x", "a/*", "a")
	f.Add("a\nb-c\nb/d", "*", "b/..")
	f.Add("x/.y\nx/z", "x/.*", "../x")
	f.Add("a:b/c.d", "?:*/[a-d]*", "a:b/c.d/..")
	f.Add("a/\x01\nb", "a", "a")
	f.Fuzz(func(t *testing.T, paths, pattern, look string) {
		memory := filesys.MakeFsInMemory()
		texts := map[string]string{}
		for name := range strings.Lines(paths) {
			name = strings.TrimSuffix(name, "\n")
			if legal(name) && !memory.Exists("/tree/"+name) && memory.WriteFile("/tree/"+name, []byte(name)) == nil {
				texts[name] = name
			}
		}
		tr := ofTexts(texts)
		if len(tr.Paths()) != len(texts) || len(tr.Problems()) != 0 {
			t.Fatalf("%q has the paths %q and the problems %q", texts, tr.Paths(), problems(tr))
		}
		fsys := tr.FileSystem("/tree")
		if len(texts) > 0 && !strings.ContainsAny(pattern, "/\\") && filepath.Clean("/"+pattern) == "/"+pattern {
			got, gotErr := fsys.Glob("/tree/" + pattern)
			got = slices.DeleteFunc(got, fsys.IsDir)
			want, wantErr := memory.Glob("/tree/" + pattern)
			if !slices.Equal(got, want) || gotErr == nil && wantErr != nil {
				t.Errorf("%q matches %q, %v, want %q, %v", pattern, got, gotErr, want, wantErr)
			}
		}
		name := filepath.Clean("/tree/" + look)
		inside := name == "/tree" || strings.HasPrefix(name, "/tree/")
		if fsys.Exists("/tree/"+look) && !inside {
			t.Errorf("%q leads out of the tree", look)
		}
		if inside && strings.Trim(look, "./") != "" && len(texts) > 0 && fsys.Exists(name) != memory.Exists(name) {
			t.Errorf("%q exists: %v", look, fsys.Exists(name))
		}
		for _, path := range tr.Paths() {
			if dir, _, _ := strings.Cut(path, "/"); dir != path {
				inner := strings.TrimPrefix(path, dir+"/")
				if tr.Sub(dir).File(inner) != tr.File(path) || tr.With(map[string][]byte{path: nil}).Name(path) != tr.Name(path) {
					t.Errorf("%q is another file below %q", path, dir)
				}
			}
		}
	})
}

// legal reports whether kyaml's file system in memory can hold a path. One that
// it refuses may leave a folder behind.
func legal(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/"
	return fs.ValidPath(name) && !strings.Contains(name, "..") && name != "." &&
		!strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune(letters, r) })
}
