package git_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree/git/gittest"
)

func TestPackedReferencesThatAreDamaged(t *testing.T) {
	dir := gittest.New(t)
	head := gittest.Run(t, dir, "rev-parse", "HEAD")
	write(t, filepath.Join(dir, ".git/packed-refs"),
		"# pack-refs with: peeled\n refs/heads/odd\n^"+head+"\n"+strings.Repeat("0", 1<<17)+"\n"+head+" refs/heads/late\n")
	if _, err := open(t, dir).Revision("late"); err != nil {
		t.Errorf("after a long line: %v", err)
	}
	if _, err := open(t, dir).Revision("odd"); err == nil || err.Error() != "the repository has no revision odd" {
		t.Errorf("a line without a hash: %v", err)
	}
}
