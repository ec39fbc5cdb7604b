package tree_test

import (
	"crypto/sha1"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

// TestKindsOfRepositories reads one history from repositories that keep it in
// different ways.
func TestKindsOfRepositories(t *testing.T) {
	for name, make := range map[string]func(t *testing.T, dir string) string{
		"loose": func(_ *testing.T, dir string) string { return dir },
		"packed": func(t *testing.T, dir string) string {
			gittest.Run(t, dir, "gc", "-q", "--aggressive", "--prune=now")
			return dir
		},
		"packed without offsets": func(t *testing.T, dir string) string {
			gittest.Run(t, dir, "-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-adf")
			gittest.Run(t, dir, "pack-refs", "--all")
			return dir
		},
		"several packs": func(t *testing.T, dir string) string {
			gittest.Run(t, dir, "repack", "-q", "-d")
			gittest.Run(t, dir, "commit", "-q", "--allow-empty", "-m", "more")
			gittest.Run(t, dir, "repack", "-q", "-d")
			gittest.Run(t, dir, "multi-pack-index", "write")
			gittest.Run(t, dir, "reset", "-q", "--hard", "HEAD~1")
			return dir
		},
		"worktree": func(t *testing.T, dir string) string {
			there := filepath.Join(resolved(t, t.TempDir()), "there")
			gittest.Run(t, dir, "worktree", "add", "-q", "-b", "other", there)
			gittest.Run(t, dir, "checkout", "-q", "--orphan", "unborn")
			return there
		},
		"borrowed": func(t *testing.T, dir string) string {
			there := filepath.Join(resolved(t, t.TempDir()), "there")
			gittest.Run(t, dir, "clone", "-q", "--shared", dir, there)
			return there
		},
		"borrowed twice, once by a relative path": func(t *testing.T, dir string) string {
			base := resolved(t, t.TempDir())
			one, two := filepath.Join(base, "one"), filepath.Join(base, "two")
			gittest.Run(t, dir, "clone", "-q", "--shared", dir, one)
			gittest.Run(t, dir, "clone", "-q", "--shared", one, two)
			write(t, filepath.Join(two, ".git/objects/info/alternates"), "# a comment\n../../../one/.git/objects\n")
			return two
		},
		"own folder for git": func(t *testing.T, dir string) string {
			there := filepath.Join(resolved(t, t.TempDir()), "there")
			gittest.Run(t, dir, "clone", "-q", "--separate-git-dir", filepath.Join(t.TempDir(), "git"), dir, there)
			return there
		},
		"shallow": func(t *testing.T, dir string) string {
			there := filepath.Join(resolved(t, t.TempDir()), "there")
			gittest.Run(t, dir, "clone", "-q", "--depth", "1", "file://"+dir, there)
			return there
		},
		"submodule": func(t *testing.T, dir string) string {
			outer := resolved(t, t.TempDir())
			gittest.Run(t, outer, "init", "-q")
			gittest.Run(t, outer, "submodule", "--quiet", "add", dir, "deep/inner")
			gittest.Commit(t, outer)
			tr := at(t, "HEAD", outer)
			if got := tr.Submodules(); len(got) > 0 || tr.File("deep/inner/apps/shop.yaml") == nil {
				t.Errorf("submodules without files are %q", got)
			}
			if got, want := tr.Paths(), folder(t, outer, tree.Options{}).Paths(); !slices.Equal(got, want) {
				t.Errorf("the revision has %q, want %q", got, want)
			}
			away := filepath.Join(resolved(t, t.TempDir()), "away")
			gittest.Run(t, outer, "clone", "-q", "--no-recurse-submodules", outer, away)
			for _, tr := range []*tree.Tree{at(t, "HEAD", away), folder(t, away, tree.Options{})} {
				if got := tr.Submodules(); !slices.Equal(got, []string{"deep/inner"}) || tr.File("deep/inner") != nil {
					t.Errorf("submodules without files are %q", got)
				}
			}
			return filepath.Join(outer, "deep/inner")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := gittest.New(t)
			write(t, filepath.Join(dir, "apps/shop.yaml"), strings.Repeat("kind: HelmRelease\n", 200)+"end: 1\n")
			gittest.Commit(t, dir)
			write(t, filepath.Join(dir, "apps/shop.yaml"), strings.Repeat("kind: HelmRelease\n", 200)+"end: 2\n")
			gittest.Commit(t, dir)
			dir = make(t, dir)
			t.Setenv("PATH", "") // no process is needed
			want := map[string]string{}
			for name, text := range gittest.Files() {
				want[name] = text
			}
			want["apps/shop.yaml"] = strings.Repeat("kind: HelmRelease\n", 200) + "end: 2\n"
			same(t, "HEAD", content(t, at(t, "HEAD", dir)), want)
			if name == "shallow" {
				_, err := tree.Revision(t.Context(), open(t, dir), "HEAD~1", dir, tree.Options{})
				if err == nil || err.Error() != "the repository has no revision HEAD~1 (a shallow clone has not all of them)" {
					t.Errorf("beyond the border: %v", err)
				}
				return
			}
			want["apps/shop.yaml"] = strings.Repeat("kind: HelmRelease\n", 200) + "end: 1\n"
			same(t, "HEAD~1", content(t, at(t, "HEAD~1", dir)), want)
		})
	}
}

func TestPartialClone(t *testing.T) {
	dir := gittest.New(t)
	gittest.Run(t, dir, "config", "uploadpack.allowFilter", "true")
	there := filepath.Join(resolved(t, t.TempDir()), "there")
	gittest.Run(t, dir, "clone", "-q", "--no-checkout", "--filter=blob:none", "file://"+dir, there)
	_, err := at(t, "HEAD", there).File("apps/shop.yaml").Data()
	if err == nil || !strings.Contains(err.Error(), "partial clone: run git fetch --refetch") {
		t.Errorf("a file that is not here: %v", err)
	}
	there += "2"
	gittest.Run(t, dir, "clone", "-q", "--no-checkout", "--filter=tree:0", "file://"+dir, there)
	_, err = tree.Revision(t.Context(), open(t, there), "HEAD", there, tree.Options{})
	if err == nil || !strings.Contains(err.Error(), "partial clone: run git fetch --refetch") {
		t.Errorf("a folder that is not here: %v", err)
	}
	gittest.Run(t, there, "fetch", "-q", "--refetch", "--no-filter") // what the error says
	same(t, "after fetch", content(t, at(t, "HEAD", there)), gittest.Files())
}

// TestEmbeddedBareRepository holds the reader to a tree that git itself would
// be misled by: a folder of it is a bare repository whose configuration runs
// commands.
func TestEmbeddedBareRepository(t *testing.T) {
	dir := gittest.New(t)
	done := filepath.Join(t.TempDir(), "done")
	run := "touch " + done
	hostile := filepath.Join(dir, "clusters")
	write(t, filepath.Join(hostile, "HEAD"), "ref: refs/heads/main\n")
	write(t, filepath.Join(hostile, "config"), "[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "+run+"\n\thooksPath = hooks\n\tsshCommand = "+run+
		"\n[filter \"x\"]\n\tsmudge = "+run+"\n\tprocess = "+run+"\n[remote \"x\"]\n\turl = https://bad.example.com\n")
	write(t, filepath.Join(hostile, "objects/info/keep"), "")
	write(t, filepath.Join(hostile, "refs/heads/keep"), "")
	write(t, filepath.Join(hostile, "info/attributes"), "* filter=x\n")
	write(t, filepath.Join(dir, ".gitattributes"), "* filter=x\n")
	gittest.Run(t, dir, "config", "filter.x.smudge", run)
	gittest.Commit(t, dir)
	if err := os.RemoveAll(done); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{hostile, filepath.Join(hostile, "objects"), filepath.Join(hostile, "one.yaml")} {
		r := open(t, path)
		if r.Abs(".") != dir {
			t.Errorf("%s is in the repository %s", path, r.Abs("."))
		}
		if _, _, err := r.Base(t.Context()); err != nil {
			t.Error(err)
		}
		tr := at(t, "HEAD", path)
		content(t, tr)
		if outer, _, err := tr.Around(t.Context()); path == hostile && (outer == nil || err != nil) {
			t.Errorf("nothing is around %s: %v", path, err)
		}
		if got := tr.Remotes(); len(got) != 0 {
			t.Errorf("%s has the remotes %q", path, got)
		}
	}
	content(t, folder(t, hostile, tree.Options{}))
	if _, err := os.Stat(done); err == nil {
		t.Error("a command of the tree was run")
	}
}

// TestTreeIsWhatGitHas compares random repositories with git's own listing.
func TestTreeIsWhatGitHas(t *testing.T) {
	for seed := range uint64(2) {
		random := rand.New(rand.NewPCG(seed, 0))
		dir := gittest.New(t)
		names := []string{"a", "b.yaml", "c d", "é.json", "-x", "a.b", "Z", "a+b", "x.yml", ".h"}
		for range 3 {
			for range 60 {
				parts := []string{dir}
				for range 1 + random.IntN(4) {
					parts = append(parts, names[random.IntN(len(names))])
				}
				name := filepath.Join(parts...)
				if os.MkdirAll(filepath.Dir(name), 0o755) == nil {
					text := strings.Repeat("line\n", random.IntN(3000)) + strconv.Itoa(random.IntN(1000))
					_ = os.WriteFile(name, []byte(text), 0o644)
				}
			}
			gittest.Commit(t, dir)
		}
		if seed%2 == 1 {
			gittest.Run(t, dir, "gc", "-q")
		}
		for _, rev := range []string{"HEAD", "HEAD~2"} {
			tr := at(t, rev, dir)
			want := map[string]string{}
			for line := range strings.SplitSeq(strings.TrimSuffix(gittest.Run(t, dir, "ls-tree", "-r", "-z", rev), "\x00"), "\x00") {
				meta, name, _ := strings.Cut(line, "\t")
				fields := strings.Fields(meta)
				if fields[0] == "120000" {
					continue
				}
				want[name] = fields[2]
			}
			if len(want) != len(tr.Paths()) {
				t.Errorf("seed %d: %s has %d files, want %d", seed, rev, len(tr.Paths()), len(want))
			}
			for name, hash := range want {
				data, err := tr.File(name).Data()
				if err != nil {
					t.Fatal(err)
				}
				if got := blobHash(data); got != hash {
					t.Errorf("seed %d: %s of %s is %s, want %s", seed, name, rev, got, hash)
				}
			}
			if rev == "HEAD" {
				if got, want := tr.Paths(), folder(t, dir, tree.Options{}).Paths(); !slices.Equal(got, want) {
					t.Errorf("seed %d: the order is %q, want %q", seed, got, want)
				}
			}
		}
	}
}

func TestBaseBeforeTheFirstCommit(t *testing.T) {
	dir := t.TempDir()
	gittest.Run(t, dir, "init", "-q")
	base, name, err := open(t, dir).Base(t.Context())
	if err != nil || name != "nothing, as there is no commit yet" {
		t.Fatal(name, err)
	}
	if got := content(t, at(t, base, dir)); len(got) != 0 {
		t.Errorf("before the first commit there is %v", got)
	}
}

// blobHash returns the hash of a content as a Git blob.
func blobHash(data []byte) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(data), data)))
}
