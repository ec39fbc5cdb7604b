package flux

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// guard ends processes and removes their folder once the process that holds it is gone,
// by whatever death: it is a shell that waits for the end of its standard input.
type guard struct {
	dir  string
	line io.Closer
	cmd  *exec.Cmd
}

// watchOver kills what notes its process id in the folder pids of dir when the test process
// ends, and removes dir.
const watchOver = `trap '' INT TERM HUP
cat >/dev/null
for pid in "$1"/pids/*; do kill -9 "${pid##*/}" 2>/dev/null; done
[ -z "$2" ] && rm -rf "$1"`

func newGuard(t testing.TB, keep bool) *guard {
	t.Helper()
	dir, err := os.MkdirTemp("", "flux-remedy-")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pids", "bin"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	kept := ""
	if keep {
		kept = "keep"
	}
	g := &guard{dir: dir, cmd: exec.Command("sh", "-c", watchOver, "guard", dir, kept)}
	separate(g.cmd) // so that an interrupt of the test does not reach it
	if g.line, err = g.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := g.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return g
}

// program writes the script bin/NAME that runs a program as one of those that the guard ends.
func (g *guard) program(name, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Errorf("%w: run `make flux-assets`", err)
	}
	text := fmt.Sprintf("#!/bin/sh\n: >'%s'/pids/$$\nexec '%s' \"$@\"\n", g.dir, path)
	return os.WriteFile(filepath.Join(g.dir, "bin", name), []byte(text), 0o700)
}

// end ends what still runs.
func (g *guard) end() error {
	err := g.line.Close()
	_ = g.cmd.Wait() // its status is that of the last kill
	return err
}
