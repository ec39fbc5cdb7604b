package tree_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

// object writes an object of any content into a repository.
func object(t *testing.T, dir, kind string, data []byte) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "-C", dir, "hash-object", "-w", "--literally", "-t", kind, "--stdin")
	cmd.Stdin = bytes.NewReader(data)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func treeEntry(t *testing.T, mode, name, hash string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(hash)
	if err != nil {
		t.Fatal(err)
	}
	return append([]byte(mode+" "+name+"\x00"), raw...)
}

func TestHostileRevisions(t *testing.T) {
	dir := gittest.New(t)
	blob := object(t, dir, "blob", []byte("x"))
	empty := object(t, dir, "tree", nil)
	bomb := empty
	for range 9 {
		var data []byte
		for i := range 9 {
			data = append(data, treeEntry(t, "40000", fmt.Sprint(i), bomb)...)
		}
		bomb = object(t, dir, "tree", data)
	}
	long := blob
	for i := range 60 {
		mode := "40000"
		if i == 0 {
			mode = "100644"
		}
		long = object(t, dir, "tree", treeEntry(t, mode, strings.Repeat("n", 100), long))
	}
	for what, test := range map[string]struct{ tree, want string }{
		"a bomb of folders":   {bomb, "more folders than a tree can have"},
		"a path without end":  {long, "which no file can have"},
		"a way out":           {object(t, dir, "tree", treeEntry(t, "40000", "..", empty)), "which no file can have"},
		"a name with a slash": {object(t, dir, "tree", treeEntry(t, "100644", "../a.yaml", blob)), "which no file can have"},
		"a cut folder":        {object(t, dir, "tree", treeEntry(t, "100644", "a", blob)[:20]), "malformed"},
		"a file as a folder":  {object(t, dir, "tree", treeEntry(t, "40000", "a", blob)), "is no tree"},
		"what is missing":     {object(t, dir, "tree", treeEntry(t, "40000", "a", strings.Repeat("1", 40))), "git fsck says more"},
		"git's own folder":    {object(t, dir, "tree", treeEntry(t, "40000", ".git", strings.Repeat("1", 40))), ""},
		"a strange mode":      {object(t, dir, "tree", treeEntry(t, "170000", "a.yaml", blob)), ""},
	} {
		tr, err := tree.Revision(t.Context(), open(t, dir), test.tree, dir, tree.Options{})
		if test.want == "" && (err != nil || len(tr.Paths()) != 0) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %.300v, want %q", what, err, test.want)
		}
	}
}

// TestPipesOfTheRepository holds the reader to regular files: a pipe would
// never end.
func TestPipesOfTheRepository(t *testing.T) {
	dir := gittest.New(t)
	for _, name := range []string{".git/config", ".git/packed-refs", ".git/shallow", ".git/commondir", ".git/objects/info/alternates", ".git/refs/heads/pipe"} {
		_ = os.Remove(filepath.Join(dir, name))
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Skip(err)
		}
	}
	same(t, "HEAD", content(t, at(t, "HEAD", dir)), gittest.Files())
	if _, err := tree.Revision(t.Context(), open(t, dir), "pipe", dir, tree.Options{}); err == nil {
		t.Error("a pipe is a branch")
	}
	if got := folder(t, dir, tree.Options{}).Remotes(); got != nil {
		t.Errorf("a pipe names the remotes %q", got)
	}
}

func TestFilesAreReadConcurrently(t *testing.T) {
	dir := gittest.New(t)
	for i := range 50 {
		write(t, filepath.Join(dir, fmt.Sprintf("many/%d.yaml", i)), strings.Repeat("x", i*100))
	}
	gittest.Commit(t, dir)
	gittest.Run(t, dir, "gc", "-q")
	for _, tr := range []*tree.Tree{at(t, "HEAD", dir), folder(t, dir, tree.Options{})} {
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for i := range 50 {
					path := fmt.Sprintf("many/%d.yaml", i)
					data, err := tr.File(path).Data()
					if len(data) != i*100 || err != nil || tr.File(path).Hash() == (tree.Hash{}) {
						t.Errorf("%s has %d bytes, %v", path, len(data), err)
					}
				}
			})
		}
		group.Wait()
	}
}
