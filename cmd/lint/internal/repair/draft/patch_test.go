package draft

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// Lines that may hold a secret or steer a log are no part of a patch, which git takes all the
// same: nothing is left out.
func TestPatchHides(t *testing.T) {
	for name, tc := range map[string]struct {
		old, change, to string
		delta           bool // is a binary one
	}{
		"values before":      {"spec:\n  values:\n    a: CANARY\n  timeout: 1m\n  x: y\n", "1m", "2m", false},
		"values after":       {"spec:\n  timeout: 1m\n  values:\n    a: CANARY\n", "1m", "2m", false},
		"values on both":     {"a:\n  values: {a: CANARY}\nb: c\ntimeout: 1m\nvalues:\n  - CANARY\n", "1m", "2m", false},
		"several changes":    {"t: 1m\nx: y\nvalues:\n  a: CANARY\nb: c\nu: 1m\nz: y\n", "1m", "2m", false},
		"a Secret":           {"t: 1m\n---\nkind: Secret\nstringData: {a: CANARY}\n", "1m", "2m", false},
		"multi-line flow":    {"t: 1m\nx: {values: {a: b,\n c: CANARY,\n d: CANARY}}\n", "t: 1m", "t: 2m\nz: 1", true},
		"in a patch":         {"patch: |\n  spec:\n    timeout: 1m\n    values:\n      a: CANARY\n", "1m", "2m", false},
		"an operation":       {"- op: replace\n  path: /spec/values/a\n  value: CANARY\n- op: replace\n  path: /spec/timeout\n  value: 1m\n", "1m", "2m", false},
		"the line itself":    {"spec: {timeout: 1m, values: {a: CANARY}}\n", "1m", "2m", true},
		"JSON":               {"{\"spec\": {\n\"timeout\": \"1m\",\n\"x\": 1,\n\"values\":{\n\"a\": \"CANARY\"\n}}}\n", "1m", "2m", false},
		"an operation below": {"- op: replace\n  path:\n    /spec/values/a\n  value: CANARY\n- op: replace\n  path: /spec/timeout\n  value: 1m\n", "1m", "2m", false},
		"tagged":             {"- op: replace\n  path: !!str &p \"/data/a\"\n  value: CANARY\n- op: replace\n  path: /spec/timeout\n  value: 1m\n", "1m", "2m", false},
		"empty values":       {"t: 1m\nvalues: {}\n", "t: 1m", "t: 1m\nu: 2", false},
		"empty, commented":   {"t: 1m\nvalues: [ ] # none\nx: y\n", "t: 1m", "t: 1m\nu: 2", false},
		"values in braces":   {"t: 1m\nvalues: {a: CANARY}\nx: y\n", "t: 1m", "t: 1m\nu: 2", true},
		"no end of the line": {"spec: {timeout: 1m, values: {a: CANARY}}", "1m", "2m", true},
		"a folder":           {"t: 1m\nmount: /data\nx: y\n", "1m", "2m", false},
		"a generator":        {"t: 1m\nsecretGenerator:\n- name: x\n  literals:\n  - CANARY=1\nu: v\n", "1m", "2m", false},
		"a command":          {"# ::error::CANARY\nt: 1m\nx: y # ##[error]CANARY\nz: 1\n", "1m", "2m", true},
		"far commands":       {"# ::error::CANARY\nt: 1m\ny: 1\nx: y # ##[error]CANARY\nz: 1\n", "1m", "2m", false},
		"bidi":               {"t: 1m\ny: 1\n# \u202eCANARY\n", "1m", "2m", false},
		"after the end":      {"t: 1\nvalues:\n  a: CANARY\n", "CANARY\n", "CANARY\nu: 1\n", false},
		"at the end":         {"values: {a: CANARY}\nt: 1m", "1m", "2m", false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a\nb.yaml")
			writeFile(t, path, []byte(tc.old))
			t.Chdir(dir)
			files, err := Open([]string{dir}, nil)
			if err != nil {
				t.Fatal(err)
			}
			opened, err := files.open(path, path)
			if err != nil {
				t.Fatal(err)
			}
			opened.new = []byte(strings.ReplaceAll(tc.old, tc.change, tc.to))
			patch := (&Files{files: map[string]*file{path: opened}}).Diff()
			if strings.Contains(string(patch), "CANARY") || strings.Contains(string(patch), "GIT binary") != tc.delta {
				t.Errorf("patch\n%s", patch)
			}
			if bytes.Contains(delta(opened.old, opened.new), []byte("CANARY")) {
				t.Error("the delta holds what the file has already")
			}
			cmd := exec.Command("git", "apply", "-")
			cmd.Stdin = strings.NewReader(string(patch))
			out, err := cmd.CombinedOutput()
			got, _ := os.ReadFile(path)
			if err != nil || string(got) != string(opened.new) {
				t.Errorf("git apply: %v: %s\n%s", err, out, patch)
			}
		})
	}
}

// What stays is no part of a change, also where the same line is there twice.
func TestMinimal(t *testing.T) {
	for name, tc := range map[string]struct{ old, new, want string }{
		"moved to the end":   {"a:\n  r: 1\n  c: t\nb:\n  c: t\n", "a:\n  c: t\n  s: 2\nb:\n  c: t\n", "  a:|-   r: 1|    c: t|+   s: 2|  b:|    c: t|"},
		"one of two":         {"c: t\nd: 1\nc: t\n", "c: t\nc: t\n", "  c: t|- d: 1|  c: t|"},
		"another value":      {"c: t\nc: t\nd: 1\n", "c: t\nc: t\nd: 2\n", "  c: t|  c: t|- d: 1|+ d: 2|"},
		"two changes":        {"x\nx\ny\nx\n", "x\nx\nz\nz\nx\n", "  x|  x|- y|+ z|+ z|  x|"},
		"no end of the line": {"x\nx\ny", "x\nx\ny\n", "  x|  x|- y\n\\ No newline at end of file|+ y|"},
	} {
		t.Run(name, func(t *testing.T) {
			_, hunks, _ := bytes.Cut(diff.Diff("", []byte(tc.old), "", []byte(tc.new)), []byte("\n+++ \n"))
			var got strings.Builder
			for _, l := range minimal(patchLines(hunks, nil, nil)) {
				got.WriteString(string(l.mark) + " " + strings.TrimSuffix(l.text, "\n") + "|")
			}
			if got.String() != tc.want {
				t.Errorf("got  %s\nwant %s", got.String(), tc.want)
			}
		})
	}
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
