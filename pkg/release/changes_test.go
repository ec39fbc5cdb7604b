package release_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestChanges: the table is in order, names nothing twice, and says what a behaviour is.
func TestChanges(t *testing.T) {
	if !slices.IsSortedFunc(release.Changes, func(a, b release.Change) int { return semver.Compare("v"+a.Since, "v"+b.Since) }) {
		t.Error("not sorted by version")
	}
	seen := map[string]bool{}
	for _, c := range release.Changes {
		key := string(c.Kind) + c.Name
		named := slices.ContainsFunc(release.Minors, func(m release.Minor) bool { return m.Has(c.Since) })
		if seen[key] || !named || c.Effect == "" && (c.Kind == release.NewBehaviour || c.Kind == release.NewDefault) {
			t.Errorf("%+v: named twice, of no minor version, or without effect", c)
		}
		seen[key] = true
	}
}

// TestDoes: a fault is there from the version that brought it to the one that mended it.
func TestDoes(t *testing.T) {
	for version, want := range map[string]bool{"1.3.0": true, "1.4.0": false, "1.4.2": false, "1.4.3": true, "1.6.3": true, "": true} {
		if got := (release.Controller{Version: version}).Does(release.RetryShowsProgress); got != want {
			t.Errorf("%s: %v", version, got)
		}
	}
}

// TestVersionsInPolicies: what policies say of versions is in the table.
func TestVersionsInPolicies(t *testing.T) {
	literal := regexp.MustCompile(`"(1\.[0-9]+\.[0-9]+)"`)
	err := filepath.WalkDir("../../policies", func(name string, d os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".rego") || strings.HasSuffix(name, "_test.rego") {
			return err
		}
		text, err := os.ReadFile(name)
		for _, m := range literal.FindAllSubmatch(text, -1) {
			if !slices.ContainsFunc(release.Changes, func(c release.Change) bool { return c.Since == string(m[1]) }) {
				t.Errorf("%s: nothing changed in %s", name, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
