package main

import (
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
)

// TestDocs runs what the pages show. A block that is fenced as console holds
// commands, each behind "$ ", and their output, in which a line "..." stands
// for any lines. A block that is indented holds commands without their output.
// A block that is fenced as a language and a name of a file is that file, one of
// yaml alone is a recipe. The commands of a page run one after the other in a
// folder that holds the repository's testdata/demo, manifests/flux and the page's files.
func TestDocs(t *testing.T) {
	inMemory := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(inMemory.Close)
	for _, file := range pages(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			generated := strings.HasPrefix(string(data), "<!-- Generated")
			page := &page{dir: t.TempDir(), bin: tools(t), registry: inMemory.Listener.Addr().String(), update: *update && !generated, lines: strings.Split(string(data), "\n")}
			for _, folder := range []string{"testdata/demo", "manifests/flux"} {
				if err := os.CopyFS(filepath.Join(page.dir, folder), os.DirFS(filepath.Join("../..", folder))); err != nil {
					t.Fatal(err)
				}
			}
			shown := page.run(t)
			if text := strings.Join(shown, "\n"); page.update && text != string(data) {
				write(t, file, text)
			}
		})
	}
}

// TestWhomPagesServe: each page says so in its first sentence, and the index links to it.
func TestWhomPagesServe(t *testing.T) {
	index, err := os.ReadFile("../../docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	opening := regexp.MustCompile(`^(?:<!-- Generated[^\n]*\n)?# [^\n]+\n\nFor [^\n]+`)
	for _, file := range pages(t) {
		name := filepath.Base(file)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(string(data), "\n"); lines > 300 {
			t.Errorf("%s: %d lines: a page has at most 300", name, lines)
		}
		if name == "README.md" {
			continue
		}
		if !opening.Match(data) {
			t.Errorf("docs/%s does not begin with its title and whom it serves: \"For ...\"", name)
		}
		if !strings.Contains(string(index), "]("+name+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

// TestDocLinks follows the links of the pages to files of the repository.
func TestDocLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, file := range pages(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), m[1])); err != nil {
				t.Errorf("%s: the link leads nowhere: %v", file, err)
			}
		}
	}
}

func pages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	return append(files, "../../README.md")
}

// page is a page whose blocks are run one after the other.
type page struct {
	dir    string
	bin    string // the only folder in which commands are found
	update bool   // the output is to be rewritten; a generated page has a template
	lines  []string

	registry string // host of the one that answers for the one of the pages
}

// tools returns a folder with the commands that pages may use, so that no page needs a
// program that a reader may not have.
func tools(t *testing.T) string {
	dir := t.TempDir()
	for _, name := range []string{"flux-remedy", "openssl", "sh", "cat", "cp", "git", "head", "ln", "ls", "mkdir", "sed"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, script := range standIns {
		text := "#!/bin/sh\n" + strings.ReplaceAll(script, "ROOT", root)
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// standIns are scripts for commands that would take minutes or need a cluster. Make
// checks its targets and builds the programs; the Flux CLI runs its plugins.
var standIns = map[string]string{
	"make": `[ -n "$(sed -n "/^$1:/p" ROOT/Makefile ROOT/hack/*/*.mk)" ] || { echo "no target $1"; exit 9; }
[ "$1" != build ] || { mkdir -p bin && cp "$(command -v flux-remedy)" bin/ && ln -sf "$(command -v go)" bin/remedy-webhook; }`,
	"flux":    `plugin=$HOME/.fluxcd/plugins/flux-$1; [ ! -x "$plugin" ] || { shift; exec "$plugin" "$@"; }`,
	"kubectl": "",
	"go":      "",
	"tar":     "",

	"remedy-webhook": "",
}

// run goes through the page and returns its lines with the output of today.
func (p *page) run(t *testing.T) []string {
	var out []string
	for len(p.lines) > 0 {
		line := p.next()
		out = append(out, line)
		info, fenced := strings.CutPrefix(line, "```")
		if !fenced {
			p.indented(t, line)
			continue
		}
		var block []string
		for len(p.lines) > 0 && p.lines[0] != "```" {
			block = append(block, p.next())
		}
		name := strings.Fields(info)
		switch {
		case info == "console":
			block = p.console(t, block)
		case len(name) == 2:
			p.file(t, name[1], strings.Join(block, "\n")+"\n")
		case info == "yaml":
			recipe(t, strings.Join(block, "\n"))
		case info == "json": // of an editor, see TestProblemMatcher
		case info == "lua", info == "toml":
			editorRecipe(t, strings.Join(block, "\n"))
		case info != "text":
			t.Errorf("a block of %q is not tested", info)
		}
		out = append(out, block...)
		if len(p.lines) > 0 {
			out = append(out, p.next())
		}
	}
	return out
}

func (p *page) next() string {
	line := p.lines[0]
	p.lines = p.lines[1:]
	return line
}

func (p *page) file(t *testing.T, name, text string) {
	file := filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, file, text)
}

// indented runs a command whose output is not shown.
func (p *page) indented(t *testing.T, line string) {
	command, found := strings.CutPrefix(line, "    ")
	if !found {
		return
	}
	if out, code := p.command(t, command); code > exitFindings {
		t.Errorf("$ %s\nexits with %d:\n%s", command, code, out)
	}
}

// console runs the commands of a block and compares their output.
func (p *page) console(t *testing.T, block []string) []string {
	if len(block) == 0 || !strings.HasPrefix(block[0], "$ ") {
		t.Fatalf("a console block does not start with a command: %q", block)
	}
	var out []string
	for len(block) > 0 {
		end := 1 + slices.IndexFunc(append(block[1:], "$ "), func(line string) bool { return strings.HasPrefix(line, "$ ") })
		command, want := block[0][2:], block[1:end]
		got := p.output(t, command)
		out = append(out, block[0])
		switch {
		case matches(want, got):
			out = append(out, want...)
		case p.update:
			out = append(out, got...)
		default:
			t.Errorf("$ %s\ngives\n%s\nbut the page says\n%s", command, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		block = block[end:]
	}
	return out
}

// output returns the lines that a command line writes.
func (p *page) output(t *testing.T, command string) []string {
	raw, code := p.command(t, command)
	if code > exitUndetermined {
		t.Errorf("$ %s\nexits with %d:\n%s", command, code, raw)
	}
	text := strings.TrimRight(raw, "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// command runs a command line in the page's folder.
func (p *page) command(t *testing.T, command string) (string, int) {
	t.Helper()
	here := "oci://" + p.registry
	cmd := exec.CommandContext(t.Context(), "sh", "-c", strings.ReplaceAll(command, registryOfPages, here))
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "PATH="+p.bin, "NO_COLOR=1", "LC_ALL=C", "HOME="+p.dir,
		"GIT_AUTHOR_NAME=someone", "GIT_AUTHOR_EMAIL=someone@example.com",
		"GIT_COMMITTER_NAME=someone", "GIT_COMMITTER_EMAIL=someone@example.com")
	raw, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || !cmd.ProcessState.Exited() {
		t.Fatalf("$ %s: %v\n%s", command, err, raw)
	}
	return strings.ReplaceAll(string(raw), here, registryOfPages), cmd.ProcessState.ExitCode()
}

// registryOfPages stands for one in memory.
const registryOfPages = "oci://registry.example.com"

// matches reports whether output is the one that a page shows.
func matches(want, got []string) bool {
	for i, line := range want {
		if line != "..." {
			if i >= len(got) || strings.TrimRight(got[i], " ") != strings.TrimRight(line, " ") {
				return false
			}
			continue
		}
		for skip := i; skip <= len(got); skip++ {
			if matches(want[i+1:], got[skip:]) {
				return true
			}
		}
		return false
	}
	return len(want) == len(got)
}

// Wrong output in a page is found.
func TestMatches(t *testing.T) {
	got := []string{"one", "two", "three", "two"}
	for text, want := range map[string]bool{
		"one two three two": true, "... two": true, "one ...": true, "one ... two": true, "...": true, "... three ...": true,
		"one two": false, "two ...": false, "one ... three": false, "one four three two": false, "one two three two one": false,
	} {
		if matches(strings.Fields(text), got) != want {
			t.Errorf("%q: want %t", text, want)
		}
	}
}
