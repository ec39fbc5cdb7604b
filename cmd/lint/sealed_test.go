package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
)

// listener is a server whose address is in the hostile trees. It records connections:
// there must be none.
type listener struct {
	*httptest.Server
	mu    sync.Mutex
	asked []string
}

func newListener(t *testing.T) *listener {
	t.Helper()
	l := &listener{}
	l.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	l.Config.ConnState = func(c net.Conn, _ http.ConnState) { l.note(c.RemoteAddr().String()) }
	l.Start()
	t.Cleanup(l.Close)
	return l
}

func (l *listener) note(who string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, who)
}

// canaries returns a folder with programs that leave a mark when they run.
func canaries(t *testing.T) (dir, mark string) {
	t.Helper()
	dir = t.TempDir()
	mark = filepath.Join(dir, "ran")
	for _, name := range []string{"git", "sh", "helm", "kustomize", "git-lfs", "ssh", "evil"} {
		text := "#!/bin/sh\necho " + name + " \"$@\" >> " + mark + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir, mark
}

// ofTrees are what is run on every tree.
var ofTrees = [][]string{{"lint", "-o", "json", "."}, {"render", "."}, {"why", "--filename", "."}, {"audit", "--filename", "."}}

// ofRepositories are the commands that read a revision, or write.
var ofRepositories = [][]string{
	{"lint", "--fix=central,unsafe", "--diff", "."},
	{"lint", "--new-from", "HEAD", "."},
	{"diff", "--base", "HEAD", "."},
	{"diff", "--base", "HEAD", "clusters"},
	{"forecast", "--base", "HEAD", "--scenario", "upgrade-fails", "."},
}

// No command starts a program or opens a connection, whatever is in the tree: neither
// on the hostile trees, each an attack that once worked, nor on all others.
func TestSealed(t *testing.T) {
	program, err := exec.LookPath("flux-remedies")
	if err != nil {
		t.Fatal(err)
	}
	server := newListener(t)
	path, mark := canaries(t)
	trees := map[string]string{}
	archives, err := filepath.Glob("../../testdata/hostile/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal(archives, err)
	}
	for _, archive := range archives {
		trees[filepath.Base(archive)] = readAttack(t, archive, "@URL@", server.URL, "@EVIL@", filepath.Join(path, "evil")).unpack(t)
	}
	fleets, _ := filepath.Glob("../../testdata/fleet/*")
	for _, fleet := range append(fleets, "../../testdata/demo") {
		dir := filepath.Join(t.TempDir(), "tree") // outside of this repository
		if err := os.CopyFS(dir, os.DirFS(fleet)); err != nil {
			t.Fatal(err)
		}
		trees[filepath.Base(fleet)] = dir
	}
	t.Run("trees", func(t *testing.T) {
		for name, dir := range trees {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				runSealed(t, program, dir, path, mark)
			})
		}
	})
	server.mu.Lock()
	defer server.mu.Unlock()
	if len(server.asked) > 0 {
		t.Errorf("connections were opened: %s", fmt.Sprint(server.asked))
	}
}

// runSealed runs every command on a tree, and looks whether one has started a program.
func runSealed(t *testing.T, program, dir, path, mark string) {
	t.Helper()
	commands := slices.Clone(ofTrees)
	if strings.HasSuffix(t.Name(), ".txtar") {
		commands = append(commands, ofRepositories...)
	}
	var lines []string
	for _, args := range commands {
		lines = append(lines, strings.Join(args, " "))
	}
	cmd := exec.Command(program)
	var out bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(strings.Join(lines, "\n")), &out, &out
	cmd.Env = append(os.Environ(), "PATH="+path)
	if err := cmd.Run(); err != nil { // what each finds is said elsewhere
		t.Errorf("one of %q ends with %v:\n%s", lines, err, out.String())
	}
	if ran, err := os.ReadFile(mark); err == nil {
		t.Fatalf("one of %q, or a command beside it, has started a program: %s", lines, ran)
	}
}

// mains runs the command lines that it reads one after another, each as main runs one: to
// start a process is most of what a command costs on a small tree.
func mains() {
	limits.Seal()
	if sandbox.Serve(os.Args, os.Stdin, os.Stdout) {
		return
	}
	lines, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	limits.Mute()
	for line := range strings.Lines(string(lines)) {
		watch := limits.NewWatch(os.Stderr)
		worker := sandbox.Worker{Memory: watch.Share}
		std := streams{in: strings.NewReader(""), out: os.Stdout, err: os.Stderr, watch: watch, render: worker.Render}
		if code := run(watch.Context(), strings.Fields(line), std); code < 0 || code > exitUndetermined {
			panic(fmt.Sprintf("%s ends with %d", line, code))
		}
	}
}

// The server and the programs of TestSealed would notice.
func TestSealedWouldNotice(t *testing.T) {
	server := newListener(t)
	if _, err := http.Get(server.URL); err != nil {
		t.Fatal(err)
	}
	if server.mu.Lock(); len(server.asked) == 0 {
		t.Error("a connection is not noticed")
	}
	server.mu.Unlock()
	path, mark := canaries(t)
	if err := exec.Command(filepath.Join(path, "git"), "status").Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mark); err != nil {
		t.Error("a program is not noticed")
	}
}
