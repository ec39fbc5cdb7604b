package effective

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A source that names another revision of the repository has what that revision
// holds, not what is at hand.
func TestOtherRevision(t *testing.T) {
	source := func(ref string) string {
		return "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: pinned, namespace: flux-system}\n" +
			"spec: {interval: 1h, url: https://example.com/fleet, ref: " + ref + "}\n"
	}
	own := "---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\n" +
		"spec: {interval: 1h, url: https://example.com/fleet, ref: {branch: main}}\n"
	pinned := strings.Replace(applying("clusters/prod/apps.yaml", "apps", "apps"), "name: flux-system}\n", "name: pinned}\n", 1)
	dir := write(t, clusterOf("prod")+own+pinned+"-- apps/old.yaml --\n@old\n")
	git := func(args ...string) string {
		t.Helper()
		args = append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)
		out, err := exec.CommandContext(t.Context(), "git", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q", "-b", "main")
	git("add", "--all")
	git("commit", "-q", "-m", "first")
	git("tag", "v1.0.0")
	git("tag", "-a", "v1.1.0", "-m", "annotated")
	git("tag", "nightly")
	first := git("rev-parse", "HEAD")
	git("branch", "stable")
	if err := os.Rename(filepath.Join(dir, "apps", "old.yaml"), filepath.Join(dir, "apps", "new.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "apps", "new.yaml"), []byte(releaseOf("new")), 0o644); err != nil {
		t.Fatal(err)
	}
	for ref, want := range map[string]string{
		"{branch: main}":                        "new apps/new.yaml",
		"{branch: stable}":                      "old apps/old.yaml@stable",
		"{tag: v1.0.0}":                         "old apps/old.yaml@v1.0.0",
		"{tag: v9.0.0}":                         "the repository has no revision refs/tags/v9.0.0",
		"{semver: '>=1.0.0 <2'}":                "old apps/old.yaml@v1.1.0",
		"{semver: '>=3'}":                       `no tag of the repository is in the range ">=3" of its ref`,
		"{semver: x y}":                         `its ref has the range "x y"`,
		"{branch: main, commit: " + first + "}": "old apps/old.yaml@" + first,
		"{name: refs/heads/stable}":             "old apps/old.yaml@refs/heads/stable",
	} {
		file := filepath.Join(dir, "clusters", "prod", "apps.yaml")
		text := strings.SplitN(pinned, "\n", 2)[1] + source(ref)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		tree := load(t, dir, Options{})
		var got []string
		for _, r := range tree.Releases {
			if len(r.AppliedBy) > 0 {
				at := r.Locate([]any{"spec", "interval"})
				rel, _ := filepath.Rel(dir, at.File)
				got = append(got, r.Name+" "+rel)
			}
		}
		if said := strings.Join(got, ", ") + undetermined(tree); !strings.Contains(said, want) || strings.Contains(want, "yaml") && said != want {
			t.Errorf("%s: %q, want %q", ref, said, want)
		}
	}
}
