package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge/policy"
)

// TestPolicyAttacks judges changes that excuse themselves. Each archive has what is in
// base and in change, and says in lines of its comment what the change removes, with
// which flags it is judged, and at which place what excuses it is reported or, where
// nothing does, that its finding is there.
func TestPolicyAttacks(t *testing.T) {
	archives, err := filepath.Glob("../../testdata/hostile/policy/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, archive := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(archive), ".txtar"), func(t *testing.T) {
			parsed, err := txtar.ParseFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			unpackBelow(t, parsed, "base/")
			runGit(t, "init", "-q", "-b", "main")
			runGit(t, "add", "--all")
			runGit(t, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "base")
			var flags []string
			rule, want := policy.Rule.ID, ""
			for line := range strings.Lines(string(parsed.Comment)) {
				switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); word {
				case "remove":
					if err := os.RemoveAll(rest); err != nil {
						t.Fatal(err)
					}
				case "flags":
					flags = strings.Fields(rest)
				case "at":
					want = rest
				case "found":
					rule, want = "no-recovery", rest
				}
			}
			unpackBelow(t, parsed, "change/")
			for _, command := range [][]string{{"diff", "--base", "HEAD", "-o", "github"}, {"lint", "--new-from", "HEAD", "-o", "github"}} {
				command = append(command, flags...)
				code, out := judgedAs(t, command)
				if place := placeOf(out, rule); code != exitFindings || place != want {
					t.Errorf("%v exits with %d and reports at %q, want 1 and %q:\n%s", command, code, place, want, out)
				}
				if code, out := judgedAs(t, append(command, "--allow-policy-change")); code == exitFindings && rule == policy.Rule.ID {
					t.Errorf("%v exits with %d although the change is allowed:\n%s", command, code, out)
				}
			}
		})
	}
}

func unpackBelow(t *testing.T, archive *txtar.Archive, prefix string) {
	t.Helper()
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, name, string(f.Data))
	}
}

func judgedAs(t *testing.T, args []string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	code := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &out})
	return code, out.String()
}

// placeOf returns the place of the first annotation of a rule, as file:line.
func placeOf(annotations, rule string) string {
	for line := range strings.Lines(annotations) {
		if !strings.Contains(line, "["+rule+"]::") {
			continue
		}
		_, file, _ := strings.Cut(line, "file=")
		file, rest, _ := strings.Cut(file, ",")
		if number, ok := strings.CutPrefix(rest, "line="); ok {
			number, _, _ = strings.Cut(number, ",")
			return file + ":" + number
		}
		return file
	}
	return ""
}
