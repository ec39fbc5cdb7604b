package tree_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

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
	twice := object(t, dir, "tree", append(treeEntry(t, "100644", "a", blob), treeEntry(t, "40000", "a", empty)...))
	var data []byte
	for i := range 1000 {
		data = append(data, treeEntry(t, "160000", fmt.Sprintf("%04d", i), strings.Repeat("1", 40))...)
	}
	modules := object(t, dir, "tree", data)
	data = nil
	for i := range 300 {
		data = append(data, treeEntry(t, "40000", fmt.Sprintf("%04d", i), modules)...)
	}
	modules = object(t, dir, "tree", data)
	for what, test := range map[string]struct{ tree, want string }{
		"a file and a folder": {twice, "two files of the name \"a\""},
		"a bomb of modules":   {modules, "more folders and links than a tree can have"},
		"a bomb of folders":   {bomb, "more folders and links than a tree can have"},
		"a path without end":  {long, "which no file can have"},
		"a way out":           {object(t, dir, "tree", treeEntry(t, "40000", "..", empty)), "which no file can have"},
		"a name with a slash": {object(t, dir, "tree", treeEntry(t, "100644", "../a.yaml", blob)), "which no file can have"},
		"a cut folder":        {object(t, dir, "tree", treeEntry(t, "100644", "a", blob)[:20]), "malformed"},
		"a file as a folder":  {object(t, dir, "tree", treeEntry(t, "40000", "a", blob)), "is no tree"},
		"what is missing":     {object(t, dir, "tree", treeEntry(t, "40000", "a", strings.Repeat("1", 40))), "git fsck says more"},
		"git's own folder":    {object(t, dir, "tree", treeEntry(t, "40000", ".git", strings.Repeat("1", 40))), ""},
		"a mode of old":       {object(t, dir, "tree", treeEntry(t, "100600", "a.yaml", strings.Repeat("1", 40))), "a.yaml"},
		"a strange mode":      {object(t, dir, "tree", treeEntry(t, "170000", "a.yaml", blob)), ""},
	} {
		tr, err := tree.Revision(t.Context(), open(t, dir), test.tree, dir, tree.Options{})
		if test.want == "a.yaml" {
			if err != nil || len(tr.Paths()) != 1 {
				t.Errorf("%s: %v", what, err)
			}
			continue
		}
		if test.want == "" && (err != nil || len(tr.Paths()) != 0) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: %.300v, want %q", what, err, test.want)
		}
	}
}

// Links that lead back and forth take no time.
func TestLinksWithoutEnd(t *testing.T) {
	dir := gittest.New(t)
	target := object(t, dir, "blob", []byte(strings.Repeat("d/../", 800)+"nowhere.yaml"))
	data := treeEntry(t, "40000", "d", object(t, dir, "tree", nil))
	for i := range 2000 {
		data = append(data, treeEntry(t, "120000", fmt.Sprintf("l%04d.yaml", i), target)...)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	tr, err := tree.Revision(ctx, open(t, dir), object(t, dir, "tree", data), dir, tree.Options{})
	if err != nil || len(tr.Problems()) != 2000 {
		t.Errorf("%d problems, %v", len(tr.Problems()), err)
	}
}

// A damaged tag that names itself ends.
func TestTagOfItself(t *testing.T) {
	dir := gittest.New(t)
	hash := strings.Repeat("a", 40)
	body := "object " + hash + "\ntype tag\ntag x\ntagger a <a> 0 +0000\n\nx"
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	fmt.Fprintf(w, "tag %d\x00%s", len(body), body)
	w.Close()
	write(t, filepath.Join(dir, ".git/objects", hash[:2], hash[2:]), packed.String())
	if _, err := tree.Revision(t.Context(), open(t, dir), hash, dir, tree.Options{}); err == nil || !strings.Contains(err.Error(), "tags") {
		t.Error(err)
	}
}

// A link by which Flux would leave out files is not followed, and said.
func TestSourceignoreThatIsALink(t *testing.T) {
	dir := gittest.New(t)
	link(t, "elsewhere", filepath.Join(dir, "apps/.sourceignore"))
	gittest.Commit(t, dir)
	for _, tr := range []*tree.Tree{folder(t, dir, tree.Options{}), at(t, "HEAD", dir)} {
		if got := problems(tr); len(got) != 1 || !strings.Contains(got[0], "apps/.sourceignore: symbolic link, which is not followed") {
			t.Errorf("problems are %q", got)
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
