package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
)

// steering is what names and values of the hostile tree hold: text that a terminal,
// a runner, a comment or a page would act on.
const steering = "p\x1b[31mq\x1b]0;t\a\u009b1m\r\n::error file=x::pwned\n ##[error]pwned ##vso[task.x]pwned\n/approve\n" +
	"@pwned #1 GH-1 <img src=pwned onerror=pwned()> </details><script>pwned</script> [a](http://pwned) ![i](http://pwned) " +
	"www.pwned.io a@pwned.io | `c` ``` ~~~ $x$ **b** <!-- --> ]]> {{pwned}} \u202epwned\u2066\u200b\ufeff\u2028\u00a0\U000e0041 \x00"

// hostileTree writes the hostile tree: what Git has of it, then what is there now.
func hostileTree(t *testing.T) string {
	t.Helper()
	parsed, err := txtar.ParseFile("../../testdata/hostile/output.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var text strings.Builder
	for _, r := range steering {
		if unicode.IsPrint(r) {
			text.WriteRune(r) // a key has at most 1,024 characters
		} else {
			fmt.Fprintf(&text, `\U%08x`, r)
		}
	}
	name := strings.NewReplacer("/", "", "\x00", "", "pwned", "p").Replace(steering)[:150]
	replacer := strings.NewReplacer("@TEXT@", text.String(), "@LINE@", strings.ReplaceAll(text.String(), `\U0000000a`, " "),
		"@NAME@", strings.ToValidUTF8(name, ""), "@ODD@", "\xff", "@SOFT@", `@team ::error::pwned ##[error]pwned \u202e|\u0060 <b>pwned</b> [a](http://pwned)`,
		"@COMMENT@", "::error::pwned ##[error]pwned \u202e")
	for _, f := range parsed.Files {
		file := filepath.Join(dir, filepath.FromSlash(replacer.Replace(f.Name)))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, file, replacer.Replace(string(f.Data)))
	}
	return dir
}

// allCommands are all commands and formats, by the rule that their output keeps.
func allCommands() map[string][][]string {
	out := map[string][][]string{
		"yaml":  {{"render", "."}},
		"json":  {{"render", "-o", "json", "."}},
		"patch": {{"lint", "--fix=central,unsafe", "--diff", "."}, {"lint", "--fix=unsafe", "--diff", "apps"}},
		"text": {
			{"lint", "--write-baseline", "baseline.json", "."},
			{"lint", "--baseline", "baseline.json", "."},
			{"lint", "apps/missing\n::error::x\x1b"},
			{"lint", "--cluster", "no\x1bne", "."},
			{"lint", "--new-from", "HEAD", "."},
			{"rules"},
			{"rules", "no-recovery"},
			{"rules", "no\x1bne"},
			{"config", "init"},
			{"config", "check"},
			{"version"},
			{"__complete", "lint", "--cluster", ""},
			{"forecast", "--scenario", "upgrade-fails", "--ascii", "."},
		},
	}
	for _, f := range report.Formats() {
		out[f.Name] = append(out[f.Name], []string{"lint", "--min-severity", "info", "-o", f.Name, "."})
	}
	for _, f := range report.DiffFormats() {
		out[f.Name] = append(out[f.Name], []string{"diff", "--min-severity", "info", "--base", "HEAD", "-o", f.Name, "."})
	}
	for _, f := range timeline.Formats() {
		out[f] = append(out[f], []string{"forecast", "--scenario", "upgrade-fails", "-o", f, "."},
			[]string{"forecast", "--scenario", "upgrade-fails", "--base", "HEAD", "-o", f, "."})
	}
	return out
}

// colours are the escape sequences of our own.
var colours = regexp.MustCompile(`\x1b\[[0-9]{1,2}m`)

// TestPlain runs every command and every format on the hostile tree: nothing of the
// tree steers what it is written to.
func TestPlain(t *testing.T) {
	dir := hostileTree(t)
	gitCommit(t, dir)
	changeTree(t, dir)
	t.Chdir(dir)
	t.Setenv("FORCE_COLOR", "1")
	for _, args := range [][]string{{"lint", "."}, {"forecast", "."}, {"lint", "-o", "markdown", "."}} {
		checkPlain(t, "text", args)
	}
	if err := os.RemoveAll("broken"); err != nil { // which ends some commands early
		t.Fatal(err)
	}
	for rule, commands := range allCommands() {
		for _, args := range commands {
			checkPlain(t, rule, args)
		}
	}
	checkPlain(t, "text", []string{"lint", "--fix=unsafe,central", "."})
	write(t, ".flux-remedy.yaml", "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: {\"\\e[31m\\n::error::pwned\": 1}\n")
	checkPlain(t, "text", []string{"lint", "."})
}

// TestSecret runs every command and every format on a tree full of secrets: no output
// has one of them.
func TestSecret(t *testing.T) {
	dir := readAttack(t, "../../testdata/hostile/secrets.txtar").unpack(t)
	changeTree(t, dir)
	t.Chdir(dir)
	checkSecret(t, []string{"lint", "."})
	checkSecret(t, []string{"forecast", "."})
	if err := os.RemoveAll("loose"); err != nil {
		t.Fatal(err)
	}
	for _, commands := range allCommands() {
		for _, args := range commands {
			checkSecret(t, args)
		}
	}
	for _, file := range []string{"baseline.json", ".flux-remedy.yaml"} {
		data, err := os.ReadFile(file)
		if err != nil || canary.Match(data) {
			t.Errorf("%s: %v\n%s", file, err, data)
		}
	}
	var out, errs bytes.Buffer
	run(t.Context(), []string{"render", "--show-secrets", "."}, streams{in: strings.NewReader(""), out: &out, err: &errs})
	for _, want := range []string{"CANARY-password", "CANARY flow", "8642"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("render --show-secrets does not show %s", want)
		}
	}
}

// canary matches a secret of the tree, in one form or another.
var canary = regexp.MustCompile(`(?i)canary|Q0FOQVJZ|\b8642\b|\b4711s|\b1h18m31s`)

func checkSecret(t *testing.T, args []string) {
	t.Helper()
	var out, errs bytes.Buffer
	run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &errs})
	for line := range strings.Lines(out.String() + errs.String()) {
		if at := canary.FindStringIndex(line); at != nil {
			t.Errorf("%q writes %s", args, line[max(0, at[0]-150):min(len(line), at[1]+60)])
		}
	}
}

func checkPlain(t *testing.T, rule string, args []string) {
	t.Helper()
	var out, errs bytes.Buffer
	run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &errs})
	if out.Len()+errs.Len() == 0 {
		t.Errorf("%q writes nothing", args)
	}
	for name, text := range map[string]string{"standard output": out.String(), "standard error": errs.String()} {
		text = colours.ReplaceAllString(text, "")
		if at := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) && (r != '\t' || rule != "patch") }); at >= 0 {
			t.Errorf("%q: %s has %q", args, name, text[max(0, at-40):min(len(text), at+40)])
		}
		for line := range strings.Lines(text) {
			ours := rule == "github" && name == "standard output" && regexp.MustCompile(`^::(error|warning|notice) (file=[^:]*|title=flux-remedy)::`).MatchString(line)
			if strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") != ours || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
				t.Errorf("%q: %s has the line %q", args, name, line)
			}
		}
	}
}

// gitCommit makes a repository of a folder.
func gitCommit(t *testing.T, dir string) {
	t.Helper()
	runGit(t, "-C", dir, "init", "-q", "-b", "main")
	runGit(t, "-C", dir, "add", "--all", "--force")
	runGit(t, "-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "commit")
}

// changeTree makes every kind of change: a release is worse, one gone, one new.
func changeTree(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "apps"), func(file string, _ fs.DirEntry, _ error) error {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil // a folder
		}
		text := strings.NewReplacer("retries: 0", "retries: 1", "retries: 3", "retries: 0").Replace(string(data))
		if strings.Contains(text, "name: plain2") {
			write(t, filepath.Join(dir, "apps", "new.yaml"), strings.ReplaceAll(text, "plain2", "plain3"))
			return os.Remove(file)
		}
		return os.WriteFile(file, []byte(text), 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
