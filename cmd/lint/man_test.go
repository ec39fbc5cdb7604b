package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestManPages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "man")
	std := streams{in: strings.NewReader(""), out: io.Discard, err: os.Stderr}
	if code := run(t.Context(), []string{"man", dir}, std); code != exitOK {
		t.Fatalf("exits with %d", code)
	}
	root := newRoot(std)
	root.InitDefaultCompletionCmd()
	checkMan(t, root, dir)
	if files, err := os.ReadDir(dir); err != nil || len(files) != commands(root) {
		t.Errorf("%d pages for %d commands, %v", len(files), commands(root), err)
	}
	if code := run(t.Context(), []string{"man", "main.go"}, streams{in: std.in, out: io.Discard, err: io.Discard}); code != exitFailure {
		t.Errorf("exits with %d for a file", code)
	}
}

func commands(cmd *cobra.Command) int {
	n := 1
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			n += commands(sub)
		}
	}
	return n
}

// checkMan looks for the flags of a command, and of those below it, in its page.
func checkMan(t *testing.T, cmd *cobra.Command, dir string) {
	t.Helper()
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			checkMan(t, sub, dir)
		}
	}
	page, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"))
	if err != nil || !bytes.HasPrefix(page, []byte(".nh\n.TH \"FLUX-REMEDY")) {
		t.Errorf("%s has no man page: %v, %.100q", cmd.CommandPath(), err, page)
	}
	plain := bytes.ReplaceAll(page, []byte(`\-`), []byte("-"))
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !bytes.Contains(plain, []byte("--"+f.Name)) {
			t.Errorf("the page of %s says nothing of --%s", cmd.CommandPath(), f.Name)
		}
	})
}
