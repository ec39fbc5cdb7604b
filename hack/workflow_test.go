package hack

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	uses   = regexp.MustCompile(`(?m)^\s*-? *uses: (.*)$`)
	pinned = regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
)

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
		if !strings.Contains(string(text), "- run: make test\n") {
			t.Errorf("%s does not run make test", file)
		}
		for _, match := range uses.FindAllStringSubmatch(string(text), -1) {
			if !pinned.MatchString(match[1]) {
				t.Errorf("%s uses %s: want a full commit hash and its version", file, match[1])
			}
		}
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
