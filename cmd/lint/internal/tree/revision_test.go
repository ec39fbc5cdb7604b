package tree_test

import (
	"crypto/sha1" //nolint:gosec // git's
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// blobHash returns the name that git gives a content.
func blobHash(data []byte) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(data), data)))
}

// TestRevisions compares what names of revisions mean with git's own answer.
func TestRevisions(t *testing.T) {
	dir := repository(t)
	number := func(text string) {
		write(t, filepath.Join(dir, "number"), text)
		commit(t, dir)
	}
	number("1")
	git(t, dir, "tag", "light")
	git(t, dir, "tag", "-a", "-m", "x", "v1")
	git(t, dir, "tag", "-a", "-m", "x", "v1-again", "v1")
	git(t, dir, "checkout", "-q", "-b", "topic/one")
	number("2")
	git(t, dir, "checkout", "-q", "main")
	write(t, filepath.Join(dir, "other"), "x")
	commit(t, dir)
	git(t, dir, "merge", "-q", "-m", "merge", "topic/one")
	git(t, dir, "update-ref", "refs/remotes/origin/trunk", "topic/one")
	git(t, dir, "update-ref", "refs/remotes/up/main", "v1^{commit}")
	git(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	git(t, dir, "tag", "both", "topic/one")
	git(t, dir, "branch", "both", "main")
	head := git(t, dir, "rev-parse", "HEAD")
	folder := git(t, dir, "rev-parse", "HEAD^{tree}")
	for _, packed := range []bool{false, true} {
		if packed {
			git(t, dir, "gc", "-q")
		}
		for _, rev := range []string{
			"HEAD", "@", "main", "heads/main", "refs/heads/main", "topic/one", "origin", "origin/HEAD", "origin/trunk", "up/main", "remotes/up/main",
			"both", "heads/both", "tags/both", "light", "v1", "v1-again", "v1^{commit}", "v1^{}", "v1~1", "v1^0", "HEAD~", "HEAD~2", "HEAD^2", "HEAD^^", "HEAD^2~1",
			"HEAD~0", "@^2^", head, head[:7], head[:8], strings.ToUpper(head[:12]), head[:9] + "~1", "HEAD^{tree}", folder, folder[:10], "v1-again^{tree}", "HEAD~1^{tree}",
		} {
			want := git(t, dir, "-c", "core.warnAmbiguousRefs=false", "ls-tree", "-r", "--name-only", rev)
			number := ""
			if strings.Contains(want, "number") {
				number = git(t, dir, "cat-file", "blob", git(t, dir, "-c", "core.warnAmbiguousRefs=false", "rev-parse", rev+"^{tree}:number"))
			}
			tr, err := open(t, dir).Tree(t.Context(), rev, dir, tree.Options{})
			if err != nil {
				t.Errorf("%s: %v", rev, err)
				continue
			}
			names := 1 // the link
			for range tr.Paths() {
				names++
			}
			got := ""
			if f := tr.File("number"); f != nil {
				data, err := f.Data()
				if got = string(data); err != nil {
					t.Error(err)
				}
			}
			if names != strings.Count(want, "\n")+1 || got != number {
				t.Errorf("%s: %d files with number %q, want %d with %q", rev, names, got, strings.Count(want, "\n")+1, number)
			}
		}
	}
}

func TestRevisionsRefused(t *testing.T) {
	dir := repository(t)
	blob := git(t, dir, "rev-parse", "HEAD:run.sh")
	for rev, want := range map[string]string{
		"nope": "the repository has no revision nope", "": "no revision", "--help": "is no revision", "HEAD:run.sh": "no revision",
		":/commit": "is no revision", "HEAD@{1}": "is no revision", "@{u}": "is no revision", "HEAD..main": "is no revision", "HEAD^{/x}": "is no revision",
		"HEAD~9": "no revision HEAD~9", "HEAD^2": "no revision HEAD^2", "HEAD~99999999999999999999": "is no revision", "HEAD~x": "is no revision", "HEAD^{": "is no revision",
		"../config": "no revision", "config": "no revision config", "refs/heads": "no revision", "HEAD.lock": "no revision", "abc": "no revision abc",
		blob: "no revision", blob[:10]: "no revision", strings.Repeat("0", 40): "is not here", "main\nmain": "no revision",
	} {
		if _, err := open(t, dir).Tree(t.Context(), rev, dir, tree.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", rev, err, want)
		}
	}
	if _, err := open(t, dir).Tree(t.Context(), "main", t.TempDir(), tree.Options{}); err == nil || !strings.Contains(err.Error(), "is not in the repository") {
		t.Errorf("a path outside: %v", err)
	}
	git(t, dir, "symbolic-ref", "refs/heads/a", "refs/heads/b")
	git(t, dir, "symbolic-ref", "refs/heads/b", "refs/heads/a")
	if _, err := open(t, dir).Tree(t.Context(), "a", dir, tree.Options{}); err == nil || !strings.Contains(err.Error(), "no revision a") {
		t.Errorf("references in a circle: %v", err)
	}
}

func TestAmbiguousHash(t *testing.T) {
	dir := repository(t)
	seen := map[string]bool{}
	prefix := ""
	tree4 := git(t, dir, "rev-parse", "HEAD^{tree}")
	for i := 0; prefix == ""; i++ {
		h := git(t, dir, "commit-tree", "-m", fmt.Sprint(i), tree4)
		if seen[h[:4]] {
			prefix = h[:4]
		}
		seen[h[:4]] = true
	}
	if _, err := open(t, dir).Tree(t.Context(), prefix, dir, tree.Options{}); err == nil || !strings.Contains(err.Error(), "is ambiguous") {
		t.Errorf("%s: %v", prefix, err)
	}
}

func TestBaseBeforeTheFirstCommit(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	base, name, err := open(t, dir).Base(t.Context())
	if err != nil || name != "nothing, as there is no commit yet" {
		t.Fatal(name, err)
	}
	if got := content(t, at(t, base, dir)); len(got) != 0 {
		t.Errorf("before the first commit there is %v", got)
	}
}

func TestBase(t *testing.T) {
	dir := repository(t)
	start := git(t, dir, "rev-parse", "HEAD")
	git(t, dir, "checkout", "-q", "-b", "topic")
	write(t, filepath.Join(dir, "more.yaml"), "a: 1\n")
	commit(t, dir)
	base := func() (string, string, error) { return open(t, filepath.Join(dir, "apps")).Base(t.Context()) }
	if got, name, err := base(); got != start || name != start[:12]+", where HEAD departs from main" || err != nil {
		t.Errorf("against main: %s, %s, %v, want %s", got, name, err, start)
	}
	second := git(t, dir, "rev-parse", "HEAD")
	git(t, dir, "update-ref", "refs/remotes/origin/trunk", second)
	git(t, dir, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk")
	if got, name, err := base(); got != second || !strings.HasSuffix(name, " departs from origin/trunk") || err != nil {
		t.Errorf("against the remote's default branch: %s, %s, %v, want %s", got, name, err, second)
	}
	git(t, dir, "symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
	git(t, dir, "branch", "-m", "main", "other")
	if got, _, err := base(); !errors.Is(err, tree.ErrNoBase) {
		t.Errorf("without a branch to compare with: %s, %v", got, err)
	}
	git(t, dir, "checkout", "-q", "--orphan", "main")
	commit(t, dir)
	git(t, dir, "checkout", "-q", "topic")
	if _, _, err := base(); err == nil || err.Error() != "HEAD and main have no common commit" {
		t.Errorf("without a common commit: %v", err)
	}
}

// TestBaseIsGitsMergeBase compares histories with merges, and dates that lie.
func TestBaseIsGitsMergeBase(t *testing.T) {
	for seed := range 4 {
		dir := repository(t)
		tree4 := git(t, dir, "rev-parse", "HEAD^{tree}")
		commits := []string{git(t, dir, "rev-parse", "HEAD")}
		next := seed*7919 + 1
		pick := func() string {
			next = (next*1103515245 + 12345) & 0x7fffffff
			return commits[max(0, len(commits)-1-(next>>8)%4)]
		}
		for i := range 14 {
			t.Setenv("GIT_COMMITTER_DATE", fmt.Sprintf("@%d +0000", 1700000000+i*100-(seed%2)*(next>>8)%900))
			one, two := pick(), pick()
			args := []string{"commit-tree", "-m", fmt.Sprint(i), "-p", one}
			if two != one && i%3 != 0 {
				args = append(args, "-p", two)
			}
			commits = append(commits, git(t, dir, append(args, tree4)...))
		}
		git(t, dir, "update-ref", "refs/heads/topic", commits[len(commits)-1])
		git(t, dir, "update-ref", "refs/heads/main", commits[len(commits)-2])
		git(t, dir, "symbolic-ref", "HEAD", "refs/heads/topic")
		want := strings.Fields(git(t, dir, "merge-base", "--all", "HEAD", "main"))
		got, _, err := open(t, dir).Base(t.Context())
		if err != nil || !slices.Contains(want, got) {
			t.Errorf("seed %d: the base is %s, %v, want one of %v", seed, got, err, want)
		}
	}
}

func TestBaseOfAShallowClone(t *testing.T) {
	dir := repository(t)
	git(t, dir, "checkout", "-q", "-b", "topic")
	commit(t, dir)
	git(t, dir, "checkout", "-q", "main")
	write(t, filepath.Join(dir, "more.yaml"), "a: 1\n")
	commit(t, dir)
	there := filepath.Join(t.TempDir(), "there")
	git(t, dir, "clone", "-q", "--depth", "1", "--no-single-branch", "-b", "topic", "file://"+dir, there)
	_, _, err := open(t, there).Base(t.Context())
	if err == nil || !strings.Contains(err.Error(), "have no common commit here (a shallow clone has not all of them)") {
		t.Errorf("a shallow clone: %v", err)
	}
	git(t, there, "fetch", "-q", "--unshallow")
	if _, _, err := open(t, there).Base(t.Context()); err != nil {
		t.Error(err)
	}
}
