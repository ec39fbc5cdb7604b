package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/rogpeppe/go-internal/txtar"
)

// attack is a hostile tree: what a repository holds, and a change that would get
// a release past the linter.
//
// Files below change/ are that change, the others the first commit. A file whose
// text begins with "-> " is a link, one of the name "NAME utf-16" has that
// encoding, and "removed" in a change removes. The comment says what the attack
// is, and then what commands make of the change, each in a line such as
//
//	diff: 1 class bounded, now violating
//
// that is a command, its exit code, and a text that the report must have, in which
// white space is one space.
type attack struct {
	archive *txtar.Archive
	replace *strings.Replacer
}

func readAttack(t *testing.T, file string, replace ...string) attack {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return attack{archive, strings.NewReplacer(append(replace, "@NUL@", "\x00", "@FF@", "\xff", "@TAB@", "\t")...)}
}

// unpack writes the tree as the first commit of a repository, and the change to
// the work tree and the index.
func (a attack) unpack(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	runGit(t, "-C", dir, "init", "-q", "-b", "main")
	a.write(t, dir, func(name string) (string, bool) { return name, !strings.HasPrefix(name, "change/") })
	runGit(t, "-C", dir, "add", "--all", "--force")
	runGit(t, "-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "commit")
	a.write(t, dir, func(name string) (string, bool) { return strings.CutPrefix(name, "change/") })
	runGit(t, "-C", dir, "add", "--all", "--force")
	return dir
}

// write writes the files that belong to a state.
func (a attack) write(t *testing.T, dir string, of func(string) (string, bool)) {
	t.Helper()
	for _, f := range a.archive.Files {
		name, ok := of(f.Name)
		if !ok {
			continue
		}
		text := a.replace.Replace(string(f.Data))
		name, wide := strings.CutSuffix(name, " utf-16")
		name = filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(name), 0o755)
		target, link := strings.CutPrefix(strings.TrimSpace(text), "-> ")
		switch {
		case err != nil:
		case link:
			err = os.Symlink(target, name)
		case text == "removed\n":
			err = os.RemoveAll(name)
		case wide:
			err = os.WriteFile(name, widened(text), 0o644)
		default:
			err = os.WriteFile(name, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// widened returns a text as UTF-16, little end first, with its mark.
func widened(text string) []byte {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = append(out, byte(unit), byte(unit>>8))
	}
	return out
}

var outcome = regexp.MustCompile(`(?m)^(lint|diff|strict|new): (\d) (.*)$`)

// attacked are the commands that the outcomes of an attack name.
var attacked = map[string][]string{
	"lint": {"lint", "--all"}, "strict": {"lint", "--strict", "--all"}, "diff": {"diff", "--base", "HEAD"}, "new": {"lint", "--new-from", "HEAD", "--all"},
}

// TestAttacks runs the linter on hostile changes. None passes unseen.
func TestAttacks(t *testing.T) {
	program, err := exec.LookPath("flux-remedy")
	if err != nil {
		t.Fatal(err)
	}
	archives, err := filepath.Glob("../../testdata/hostile/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, file := range archives {
		a := readAttack(t, file, "@URL@", "http://127.0.0.1:1", "@EVIL@", "/nonexistent/evil")
		outcomes := outcome.FindAllStringSubmatch(string(a.archive.Comment), -1)
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			if len(outcomes) == 0 {
				t.Fatal("its comment does not say what commands make of it")
			}
			dir := a.unpack(t)
			for _, want := range outcomes {
				cmd := exec.Command(program, attacked[want[1]]...)
				var out bytes.Buffer
				cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &out
				_ = cmd.Run() // what it ends with is looked at
				code := fmt.Sprint(cmd.ProcessState.ExitCode())
				if code != want[2] || !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want[3]) {
					t.Errorf("%s ends with %s, want %s and %q in:\n%s", want[1], code, want[2], want[3], out.String())
				}
			}
		})
	}
}
