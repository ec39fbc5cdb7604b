package git_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

// TestRevisions compares what names of revisions mean with git's own answer.
func TestRevisions(t *testing.T) {
	dir := gittest.New(t)
	number := func(text string) {
		write(t, filepath.Join(dir, "number"), text)
		gittest.Commit(t, dir)
	}
	number("1")
	gittest.Run(t, dir, "tag", "light")
	gittest.Run(t, dir, "tag", "-a", "-m", "x", "v1")
	gittest.Run(t, dir, "tag", "-a", "-m", "x", "v1-again", "v1")
	gittest.Run(t, dir, "checkout", "-q", "-b", "topic/one")
	number("2")
	gittest.Run(t, dir, "checkout", "-q", "main")
	write(t, filepath.Join(dir, "other"), "x")
	gittest.Commit(t, dir)
	gittest.Run(t, dir, "merge", "-q", "-m", "merge", "topic/one")
	gittest.Run(t, dir, "update-ref", "refs/remotes/origin/trunk", "topic/one")
	gittest.Run(t, dir, "update-ref", "refs/remotes/up/main", "v1^{commit}")
	gittest.Run(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	gittest.Run(t, dir, "tag", "both", "topic/one")
	gittest.Run(t, dir, "branch", "both", "main")
	head := gittest.Run(t, dir, "rev-parse", "HEAD")
	folder := gittest.Run(t, dir, "rev-parse", "HEAD^{tree}")
	for _, packed := range []bool{false, true} {
		if packed {
			gittest.Run(t, dir, "gc", "-q")
		}
		for _, rev := range []string{
			"HEAD", "@", "main", "heads/main", "refs/heads/main", "topic/one", "origin", "origin/HEAD", "origin/trunk", "up/main", "remotes/up/main",
			"heads/both", "tags/both", "light", "v1", "v1-again", "v1^{commit}", "v1^{}", "v1~1", "v1^0", "HEAD~", "HEAD~2", "HEAD^2", "HEAD^^", "HEAD^2~1",
			"HEAD~0", "@^2^", head, head[:7], head[:8], strings.ToUpper(head[:12]), head[:9] + "~1", "HEAD^{tree}", folder, folder[:10], "v1-again^{tree}", "HEAD~1^{tree}",
		} {
			want := gittest.Run(t, dir, "-c", "core.warnAmbiguousRefs=false", "rev-parse", rev+"^{tree}")
			revision, err := open(t, dir).Revision(rev)
			if err != nil {
				t.Errorf("%s: %v", rev, err)
				continue
			}
			if top, ok, err := revision.Lookup("."); top.Hash.String() != want || !ok || err != nil {
				t.Errorf("%s is the folder %s, %v, want %s", rev, top.Hash, err, want)
			}
		}
	}
}

func TestRevisionsRefused(t *testing.T) {
	dir := gittest.New(t)
	blob := gittest.Run(t, dir, "rev-parse", "HEAD:run.sh")
	for rev, want := range map[string]string{
		"nope": "the repository has no revision nope", "": "no revision", "--help": "is no revision", "HEAD:run.sh": "no revision",
		":/commit": "is no revision", "HEAD@{1}": "is no revision", "@{u}": "is no revision", "HEAD..main": "is no revision", "HEAD^{/x}": "is no revision",
		"HEAD~9": "no revision HEAD~9", "HEAD^2": "no revision HEAD^2", "HEAD~99999999999999999999": "is no revision", "HEAD~x": "is no revision", "HEAD^{": "is no revision",
		"../config": "no revision", "config": "no revision config", "refs/heads": "no revision", "HEAD.lock": "no revision", "abc": "no revision abc",
		blob: "no revision", blob[:10]: "no revision", strings.Repeat("0", 40): "is not here", "main\nmain": "no revision",
	} {
		if _, err := open(t, dir).Revision(rev); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", rev, err, want)
		}
	}
	if _, err := open(t, dir).Path(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is not in the repository") {
		t.Errorf("a path outside: %v", err)
	}
	gittest.Run(t, dir, "symbolic-ref", "refs/heads/a", "refs/heads/b")
	gittest.Run(t, dir, "symbolic-ref", "refs/heads/b", "refs/heads/a")
	if _, err := open(t, dir).Revision("a"); err == nil || !strings.Contains(err.Error(), "no revision a") {
		t.Errorf("references in a circle: %v", err)
	}
}

// Whoever may push a tag could otherwise name the base of their own change.
func TestAmbiguousName(t *testing.T) {
	dir := gittest.New(t)
	gittest.Run(t, dir, "update-ref", "refs/remotes/origin/main", "HEAD")
	gittest.Run(t, dir, "tag", "origin/main", "HEAD")
	if _, err := open(t, dir).Revision("origin/main"); err != nil {
		t.Errorf("two names of one commit: %v", err)
	}
	write(t, filepath.Join(dir, "number"), "1")
	gittest.Commit(t, dir)
	base, _, err := open(t, dir).Base(t.Context())
	if want := gittest.Run(t, dir, "rev-parse", "refs/remotes/origin/main"); base != want || err != nil {
		t.Errorf("base is %s, %v, want %s", base, err, want)
	}
	gittest.Run(t, dir, "tag", "-f", "origin/main", "HEAD")
	_, err = open(t, dir).Revision("origin/main~0")
	if want := "origin/main is ambiguous: refs/tags/origin/main and refs/remotes/origin/main differ"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	if again, _, err := open(t, dir).Base(t.Context()); again != base || err != nil {
		t.Errorf("base is %s, %v, want %s", again, err, base)
	}
	if _, err := open(t, dir).Revision("refs/remotes/origin/main"); err != nil {
		t.Errorf("a name in full: %v", err)
	}
}

func TestAmbiguousHash(t *testing.T) {
	dir := gittest.New(t)
	seen := map[string]bool{}
	prefix := ""
	tree4 := gittest.Run(t, dir, "rev-parse", "HEAD^{tree}")
	for i := 0; prefix == ""; i++ {
		h := gittest.Run(t, dir, "commit-tree", "-m", fmt.Sprint(i), tree4)
		if seen[h[:4]] {
			prefix = h[:4]
		}
		seen[h[:4]] = true
	}
	if _, err := open(t, dir).Revision(prefix); err == nil || !strings.Contains(err.Error(), "is ambiguous") {
		t.Errorf("%s: %v", prefix, err)
	}
}
