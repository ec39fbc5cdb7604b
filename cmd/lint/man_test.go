package main

import (
	"bytes"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

var man = flag.String("man", "", "write the man pages to this folder")

// TestManPages makes the page of every command, which is no work of the linter
// itself; "make man" keeps them.
func TestManPages(t *testing.T) {
	root := newRoot(streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
	root.DisableAutoGenTag = true
	pages := map[string][]byte{}
	manPages(t, root, pages)
	for _, name := range []string{"flux-remedy.1", "flux-remedy-lint.1", "flux-remedy-diff.1", "flux-remedy-config-init.1"} {
		if !bytes.HasPrefix(pages[name], []byte(".nh\n.TH \"FLUX-REMEDY")) {
			t.Errorf("%s is no man page: %.100q", name, pages[name])
		}
	}
	if *man == "" {
		return
	}
	if err := os.MkdirAll(*man, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, page := range pages {
		if err := os.WriteFile(filepath.Join(*man, name), page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// manPages makes the page of a command and of those below it, without a date,
// and looks for each of its flags.
func manPages(t *testing.T, cmd *cobra.Command, to map[string][]byte) {
	t.Helper()
	for _, sub := range cmd.Commands() {
		manPages(t, sub, to)
	}
	epoch := time.Unix(0, 0).UTC()
	var out bytes.Buffer
	header := doc.GenManHeader{Section: "1", Date: &epoch, Source: "Flux Remedy", Manual: "Flux Remedy"}
	if err := doc.GenMan(cmd, &header, &out); err != nil {
		t.Fatal(err)
	}
	page := bytes.Replace(out.Bytes(), []byte(`"Jan 1970"`), []byte(`""`), 1)
	to[strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1"] = page
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !bytes.Contains(page, []byte("--"+f.Name)) && !bytes.Contains(page, []byte(`\-\-`+strings.ReplaceAll(f.Name, "-", `\-`))) {
			t.Errorf("the page of %s says nothing of --%s", cmd.CommandPath(), f.Name)
		}
	})
}
