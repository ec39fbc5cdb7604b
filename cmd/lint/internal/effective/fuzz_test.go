package effective

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// maxFuzzed is the size in bytes of an archive above which it only takes longer.
const maxFuzzed = 64 << 10

// FuzzTree loads whole trees, written as archives. Whatever they hold, loading neither
// fails nor panics. Templates are left out: what they may do is ended with their process.
func FuzzTree(f *testing.F) {
	hostile, _ := filepath.Glob("../../../../testdata/hostile/*.txtar")
	for _, file := range hostile {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	known, _ := filepath.Glob("../../../../testdata/fleet/*")
	if len(hostile) == 0 || len(known) == 0 {
		f.Fatal("no trees to begin with")
	}
	for _, dir := range known {
		f.Add(archived(f, dir))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > maxFuzzed || bytes.Contains(data, []byte("-- --")) {
			t.Skip("too large, or a line at which txtar.Parse panics")
		}
		files := map[string][]byte{}
		for _, file := range txtar.Parse(data).Files {
			if fs.ValidPath(file.Name) {
				files[file.Name] = file.Data
			}
		}
		builder := build.NewBuilder()
		builder.Render = func(sandbox.Job) sandbox.Result { return sandbox.Result{} }
		_, err := Load(t.Context(), Options{
			Inputs: []Input{{Files: tree.Of(nil).With(files)}}, Config: &rules.Config{}, Builder: builder,
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// archived returns the files of a folder as an archive.
func archived(f *testing.F, dir string) []byte {
	f.Helper()
	out := &txtar.Archive{}
	disk := os.DirFS(dir)
	err := fs.WalkDir(disk, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(disk, name)
		out.Files = append(out.Files, txtar.File{Name: name, Data: data})
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	return txtar.Format(out)
}
