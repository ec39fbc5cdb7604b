package hack

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	uses   = regexp.MustCompile(`(?m)^\s*-? *uses: (.*)$`)
	pinned = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
)

// runs are what workflows run, each by the name of its file.
var runs = map[string]string{"test.yml": "- run: make test\n", "release.yml": "- run: make release VERSION=\"$TAG\" ", "flux.yml": "- run: make -s flux-news >news.md\n      - run: hack/flux/issue.sh news.md\n"}

// TestWorkflows checks that workflows run what a developer runs, and that actions
// of others are pinned by commit.
func TestWorkflows(t *testing.T) {
	files, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, ok := runs[filepath.Base(file)]
		if !ok || !strings.Contains(string(text), want) {
			t.Errorf("%s does not run %q", file, want)
		}
		for _, match := range uses.FindAllStringSubmatch(string(text), -1) {
			if !pinned.MatchString(match[1]) {
				t.Errorf("%s uses %s: want a full commit hash and its version", file, match[1])
			}
		}
	}
}

// TestIssueOfNews: an issue is opened once for what is newer, with the table as its text.
func TestIssueOfNews(t *testing.T) {
	for name, tc := range map[string]struct{ known, news, want string }{
		"newer":         {"another", "Newer in Flux: a 1.2.3\n\n| a | b |\n", "Newer in Flux: a 1.2.3\n\n| a | b |\n"},
		"more of it":    {"Newer in Flux: a 1.2.3", "Newer in Flux: a 1.2.3, b 1.0.0\n", "Newer in Flux: a 1.2.3, b 1.0.0\n"},
		"known":         {"Newer in Flux: a 1.2.3", "Newer in Flux: a 1.2.3\n\n| a | b |\n", ""},
		"nothing newer": {"", "Nothing of Flux is newer than what is known\n", ""},
		"nothing":       {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			news, opened := filepath.Join(dir, "news.md"), filepath.Join(dir, "opened")
			gh := "#!/bin/sh\nif [ \"$2\" = list ]; then echo '" + tc.known + "'; else echo \"$4\" >'" + opened + "'; cat >>'" + opened + "'; fi\n"
			if err := errors.Join(os.WriteFile(news, []byte(tc.news), 0o644), os.WriteFile(filepath.Join(dir, "gh"), []byte(gh), 0o755)); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "flux/issue.sh", news)
			cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			got, err := os.ReadFile(opened)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			if string(got) != tc.want {
				t.Errorf("opened %q, want %q", got, tc.want)
			}
		})
	}
}

var (
	from   = regexp.MustCompile(`(?m)^(?:FROM (?:--\S+ )?|IMAGE_BASE \?= )(\S+)`)
	digest = regexp.MustCompile(`^\S+:\S+@sha256:[0-9a-f]{64}$`)
)

// TestBaseImages checks that images are made from others by their digest, and that
// both ways to make one have the same base.
func TestBaseImages(t *testing.T) {
	var bases []string // of the image that runs, for each file
	for _, file := range []string{"../Dockerfile", "image/image.mk"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		last := ""
		for _, match := range from.FindAllStringSubmatch(string(text), -1) {
			if last = match[1]; !digest.MatchString(last) {
				t.Errorf("%s is made from %s: want name:tag@sha256:digest", file, last)
			}
		}
		bases = append(bases, last)
	}
	if bases[0] == "" || bases[0] != bases[1] {
		t.Errorf("the Dockerfile runs on %s, make image on %s", bases[0], bases[1])
	}
}
