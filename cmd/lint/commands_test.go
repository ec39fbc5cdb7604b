package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Each command has a script and stands on a page of docs/.
func TestCommandsAreShown(t *testing.T) {
	scripts, pages := textOf(t, "../../testdata/script/*.txtar"), textOf(t, "../../docs/*.md")
	for _, cmd := range runnable(rootForTests()) {
		name := cmd.CommandPath()
		if !strings.Contains(pages, name) && !strings.Contains(pages, "`"+strings.TrimPrefix(name, "flux-remedy ")) {
			t.Errorf("no page of docs/ has %q", name)
		}
		if !strings.Contains(scripts, name) && name != "flux-remedy lsp" && name != "flux-remedy man" { // sessions and pages of their own
			t.Errorf("no script of testdata/script has %q", name)
		}
	}
}

// A command that reads what kubectl prints ends with 3 where nothing is in it, and with 2
// where it cannot be read.
func TestCommandsReadWhatIsPrinted(t *testing.T) {
	dir := t.TempDir()
	for _, cmd := range runnable(rootForTests()) {
		if cmd.Flags().Lookup("filename") == nil {
			continue
		}
		for text, want := range map[string]int{"": exitNothing, "kind: List\nitems: []\n": exitNothing, "a: [\n": exitFailure} {
			file := filepath.Join(dir, "objects.yaml")
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			args := append(strings.Fields(cmd.CommandPath())[1:], "--filename", file)
			var out, errors strings.Builder
			if code := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &errors}); code != want || errors.Len() == 0 {
				t.Errorf("%s of %q exits with %d, want %d and why:\n%s%s", cmd.CommandPath(), text, code, want, &out, &errors)
			}
		}
	}
}

// Each command is run on all hostile trees by TestSealed, or reads none.
func TestCommandsAreSealed(t *testing.T) {
	reads := []string{"config", "rules", "bundle", "vap", "man", "version", "lsp", "revive", "completion"} // no tree, or as lint does
	for _, args := range slices.Concat(ofTrees, ofRepositories) {
		reads = append(reads, args[0])
	}
	for _, cmd := range rootForTests().Commands() {
		if !slices.Contains(reads, cmd.Name()) {
			t.Errorf("TestSealed does not run %s: add it to ofTrees in sealed_test.go or, if it reads no tree, to those here", cmd.CommandPath())
		}
	}
}

func rootForTests() *cobra.Command {
	return newRoot(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
}

// runnable returns a command, if it does something itself, and all below it.
func runnable(cmd *cobra.Command) (all []*cobra.Command) {
	if cmd.Runnable() {
		all = append(all, cmd)
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "completion" { // it is cobra's
			all = append(all, runnable(sub)...)
		}
	}
	return all
}

// textOf returns all files of a glob as one text.
func textOf(t *testing.T, glob string) string {
	t.Helper()
	var all strings.Builder
	files, err := filepath.Glob(glob)
	if err != nil || len(files) == 0 {
		t.Fatal(glob, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
