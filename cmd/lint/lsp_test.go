package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// client is an editor that talks to flux-remedy lsp.
type client struct {
	*testing.T
	*jsonrpc2.Conn
	root  string
	shown chan shownFile
	code  chan int // with which the server has ended
	out   io.Writer

	watches bool // the client tells of files that others change
}

type shownFile struct {
	URI         string
	Version     int
	Diagnostics []struct {
		Range struct {
			Start, End struct{ Line, Character int }
		}
		Severity      int
		Code, Message string
	}
}

type twoWay struct {
	io.Reader
	io.Writer
}

func (twoWay) Close() error { return nil }

// connect starts a server in a folder, for a client that does not tell of files that others change.
func connect(t *testing.T, root string, args ...string) *client {
	t.Helper()
	return connectAs(t, root, false, args...)
}

func connectAs(t *testing.T, root string, watches bool, args ...string) *client {
	t.Helper()
	requests, out := io.Pipe()
	in, responses := io.Pipe()
	c := &client{T: t, root: root, watches: watches, shown: make(chan shownFile, 100), code: make(chan int, 1), out: out}
	go func() {
		c.code <- run(context.Background(), append([]string{"lsp"}, args...), streams{in: requests, out: responses, err: io.Discard})
		_ = responses.Close()
	}()
	quiet := jsonrpc2.SetLogger(log.New(io.Discard, "", 0))
	c.Conn = jsonrpc2.NewConn(t.Context(), jsonrpc2.NewBufferedStream(twoWay{in, out}, jsonrpc2.VSCodeObjectCodec{}), c, quiet)
	t.Cleanup(func() { _ = out.Close() })
	params := `{"rootUri": %q, "capabilities": {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": %t}}}}`
	if got := c.ask("initialize", fmt.Sprintf(params, c.uri(""), watches)); !strings.Contains(got, `"hoverProvider":true`) {
		t.Fatal(got)
	}
	c.tell("initialized", "{}")
	return c
}

// Handle takes what the server says by itself.
func (c *client) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if r.Method == "textDocument/publishDiagnostics" {
		var of shownFile
		if err := json.Unmarshal(*r.Params, &of); err != nil {
			c.Error(err)
		}
		c.shown <- of
	} else if c.watches && r.Method == "client/registerCapability" {
		_ = conn.Reply(ctx, r.ID, nil)
	} else if !r.Notif {
		_ = conn.ReplyWithError(ctx, r.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "this editor cannot"})
	}
}

func (c *client) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(c.root, name))}).String()
}

// patience is how long tests wait for what a busy machine does late.
const patience = 5 * time.Minute

// ask returns what the server answers, as JSON or as an error.
func (c *client) ask(method, params string) string {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), patience)
	defer cancel()
	var result json.RawMessage
	if err := c.Call(ctx, method, json.RawMessage(params), &result); err != nil {
		return err.Error()
	}
	return string(result)
}

func (c *client) tell(method, params string) {
	c.Helper()
	if err := c.Notify(c.Context(), method, json.RawMessage(params)); err != nil {
		c.Fatal(err)
	}
}

// hold has the editor hold a text of a file, and returns what is shown of it.
func (c *client) hold(name string, version int, text string) shownFile {
	c.Helper()
	method := "didChange"
	if version == 1 {
		method = "didOpen"
	}
	document := map[string]any{"uri": c.uri(name), "version": version, "languageId": "yaml", "text": text}
	params, _ := json.Marshal(map[string]any{"textDocument": document, "contentChanges": []any{map[string]any{"text": text}}})
	c.tell("textDocument/"+method, string(params))
	return c.await(name, version)
}

func (c *client) await(name string, version int) shownFile {
	c.Helper()
	for {
		select {
		case of := <-c.shown:
			if of.URI == c.uri(name) && of.Version >= version {
				return of
			}
		case <-time.After(patience):
			c.Fatalf("nothing is shown of %s", name)
		}
	}
}

// at asks about a position, which is counted as the protocol does.
func (c *client) at(method, name string, line, character int) string {
	c.Helper()
	return c.ask("textDocument/"+method, fmt.Sprintf(
		`{"textDocument": {"uri": %q}, "position": {"line": %d, "character": %[3]d}, "range": {"start": {"line": %[2]d, "character": %d}, "end": {"line": %[2]d, "character": %[3]d}}, "context": {"diagnostics": []}}`,
		c.uri(name), line, character))
}

// end ends the session and returns the server's exit code.
func (c *client) end() int {
	c.Helper()
	c.ask("shutdown", "null")
	c.tell("exit", "null")
	return <-c.code
}

// edited returns a copy of a tree, as an editor has it open.
func edited(t *testing.T, tree string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(tree)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestEditorSession writes down a session: what is shown of a file as it is typed, what is offered
// and what is known of its settings.
func TestEditorSession(t *testing.T) {
	c := connect(t, edited(t, "../../testdata/editor/fleet"))
	var out bytes.Buffer
	say := func(what, answer string) {
		answer = strings.ReplaceAll(answer, c.uri(""), "file:///fleet")
		var indented bytes.Buffer
		if json.Indent(&indented, []byte(answer), "", "  ") == nil {
			answer = indented.String()
		}
		fmt.Fprintf(&out, "# %s\n%s\n\n", what, answer)
	}
	show := func(what string, of shownFile) {
		data, _ := json.Marshal(of.Diagnostics)
		say(what, string(data))
	}
	const app, patch = "apps/shop.yaml", "clusters/production/apps.yaml"
	text := string(readFile(t, filepath.Join(c.root, app)))
	show("open apps/shop.yaml", c.hold(app, 1, text))
	say("hover over the timeout", c.at("hover", app, 7, 4))
	say("hover over the kind", c.at("hover", app, 1, 4))
	say("go to what decides the retries", c.at("definition", app, 15, 8))
	say("hover over the retries", c.at("hover", app, 15, 8))
	say("what is offered at the release", c.at("codeAction", app, 5, 0))
	mended := strings.Replace(text, "  timeout: 10m", "  timeout: 10m\n  install: {strategy: {name: RetryOnFailure}} # 👍", 1)
	show("set an install strategy", c.hold(app, 2, mended))
	say("hover behind what UTF-16 counts twice", c.at("hover", app, 8, 52))
	show("break the syntax", c.hold(app, 3, strings.Replace(text, "spec:", "spec", 1)))
	show("take it back", c.hold(app, 4, text))
	patched := string(readFile(t, filepath.Join(c.root, patch)))
	show("open clusters/production/apps.yaml", c.hold(patch, 1, patched))
	say("what is offered at the patch", c.at("codeAction", patch, 22, 0))
	show("raise the retries of the patch", c.hold(patch, 2, strings.Replace(patched, "retries: -1", "retries: 3", 1)))
	say("hover over the patch", c.at("hover", patch, 22, 30))
	if code := c.end(); code != exitOK {
		t.Errorf("the server ends with %d", code)
	}
	golden(t, "../../testdata/editor/session.txt", out.Bytes())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		write(t, name, string(got))
	}
	if want := readFile(t, name); !bytes.Equal(want, got) {
		t.Errorf("%s is not what is said now (-update writes it):\n%s", name, got)
	}
}

// TestEditorAgrees: of every file of a tree, as it is and with an edit, the same is shown as by
// lint --stdin-path.
func TestEditorAgrees(t *testing.T) {
	root := edited(t, "../../testdata/demo")
	t.Chdir(root)
	c := connect(t, root)
	found := 0
	for i, file := range manifests(t, ".") {
		if i%3 > 0 {
			continue // one of three is enough for every kind of file
		}
		name, text := file, string(readFile(t, file))
		for version, content := range []string{text, strings.ReplaceAll(strings.ReplaceAll(text, "retries: ", "retries: 1"), "timeout: ", "timeout: 1")} {
			var want, got []string
			var out bytes.Buffer
			run(t.Context(), []string{"lint", "--stdin-path", name, "-", "-o", "compact"}, streams{in: strings.NewReader(content), out: &out, err: io.Discard})
			for _, line := range regexp.MustCompile(`(?m)^[^:]+:(\d+)(?::\d+)?: (?:(?:error|warning) ([a-z-]+): )?(.*)$`).FindAllStringSubmatch(out.String(), -1) {
				want = append(want, strings.Join(line[1:], " "))
			}
			for _, d := range c.hold(name, version+1, content).Diagnostics {
				message, _, _ := strings.Cut(d.Message, "\nforecast: ")
				got = append(got, fmt.Sprintf("%d %s %s", d.Range.Start.Line+1, d.Code, message))
			}
			if found += len(got); !slices.Equal(want, got) {
				t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		c.tell("textDocument/didClose", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri(name)))
	}
	if found < 3 {
		t.Errorf("only %d lines to compare", found)
	}
}

// TestEditorFollows: what others do to files counts at the next key, or, if the client tells of it, when it is told.
func TestEditorFollows(t *testing.T) {
	for _, watches := range []bool{false, true} {
		c := connectAs(t, edited(t, "../../testdata/editor/fleet"), watches)
		const app, patch = "apps/shop.yaml", "clusters/production/apps.yaml"
		text := string(readFile(t, filepath.Join(c.root, app)))
		stuck := func(version int) bool {
			return strings.Contains(fmt.Sprint(c.hold(app, version, text).Diagnostics), "install-not-recovered")
		}
		for version := range 3 { // a tree is kept meanwhile
			if !stuck(version + 1) {
				t.Fatal("nothing is found before the change")
			}
		}
		patched := string(readFile(t, filepath.Join(c.root, patch)))
		write(t, filepath.Join(c.root, patch), strings.Replace(patched, "upgrade: ", "install: {strategy: {name: RetryOnFailure}}\n        upgrade: ", 1))
		if watches {
			c.tell("workspace/didChangeWatchedFiles", "{}")
		}
		if stuck(4) {
			t.Errorf("a client that watches (%t) is shown what was", watches)
		}
		write(t, filepath.Join(c.root, patch), patched)
		if c.tell("textDocument/didSave", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri(app))); !stuck(5) {
			t.Errorf("a client that watches (%t) and saves is shown what was", watches)
		}
	}
}

// TestEditorOffersBesideBaseline: what a baseline knows of one release takes no repair from another.
func TestEditorOffersBesideBaseline(t *testing.T) {
	const app, other = "apps/shop.yaml", "apps/other.yaml"
	root := edited(t, "../../testdata/editor/fleet")
	text := string(readFile(t, filepath.Join(root, app)))
	offered := func() string {
		c := connect(t, root)
		c.hold(app, 1, text)
		defer c.end()
		return c.at("codeAction", app, 5, 0)
	}
	want := offered()
	write(t, filepath.Join(root, other), strings.Replace(text, "name: shop", "name: other", 1))
	if err := os.Remove(filepath.Join(root, app)); err != nil {
		t.Fatal(err)
	}
	known := filepath.Join(root, "baseline.yaml")
	run(t.Context(), []string{"lint", "--write-baseline", known, root}, streams{out: io.Discard, err: io.Discard})
	write(t, filepath.Join(root, app), text)
	write(t, filepath.Join(root, ".flux-remedy.yaml"), "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: {baseline: baseline.yaml}\n")
	if got := offered(); got != want || !strings.Contains(got, "quickfix") {
		t.Errorf("beside a baseline %s is offered\nwithout it %s", got, want)
	}
}

// TestEditorFollowsConfiguration: what a configuration above the client's folder leaves out counts at the next key.
func TestEditorFollowsConfiguration(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(filepath.Join(root, "fleet"), os.DirFS("../../testdata/editor/fleet")); err != nil {
		t.Fatal(err)
	}
	const head = "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\n"
	write(t, filepath.Join(root, ".flux-remedy.yaml"), head+"spec: {ignore: [\"fleet/apps/**\"]}\n")
	c := connectAs(t, filepath.Join(root, "fleet"), true)
	const app = "apps/shop.yaml"
	text := string(readFile(t, filepath.Join(c.root, app)))
	for version := range 3 { // a tree is kept meanwhile
		if got := c.hold(app, version+1, text).Diagnostics; len(got) > 0 {
			t.Fatal(got)
		}
	}
	write(t, filepath.Join(root, ".flux-remedy.yaml"), head)
	if got := c.hold(app, 4, text).Diagnostics; len(got) == 0 {
		t.Error("what was left out is still left out")
	}
}

// TestEditorNonsense: whatever a client sends, the next question is answered.
func TestEditorNonsense(t *testing.T) {
	c := connect(t, edited(t, "../../testdata/editor/fleet"))
	const name = "apps/shop.yaml"
	text := string(readFile(t, filepath.Join(c.root, name)))
	c.hold(name, 1, text)
	alive := func(after string) {
		t.Helper()
		if got := c.at("hover", name, 7, 4); !strings.Contains(got, "spec.timeout") {
			t.Errorf("after %s: %s", after, got)
		}
	}
	for _, method := range []string{"textDocument/hover", "textDocument/definition", "textDocument/codeAction", "textDocument/rename", "$/none", "initialize", "workspace/executeCommand"} {
		for _, params := range []string{"null", "[]", "7", `"x"`, "{}", `{"textDocument": 3}`, `{"textDocument": {"uri": 7}}`} {
			c.ask(method, params)
			if method != "initialize" {
				c.tell(method, params)
			}
		}
		for _, uri := range []string{"", ":", "untitled:Untitled-1", "http://example.com/a.yaml", "file://", "file:///%zz", "file:///none/at/all.yaml", "file:///dev/zero", "file:///c:/a.yaml", c.uri("none.yaml")} {
			for _, at := range []string{`{"line": 0, "character": 0}`, `{"line": -1, "character": -1}`, `{"line": 2147483647, "character": 2147483647}`} {
				c.ask(method, fmt.Sprintf(`{"textDocument": {"uri": %q}, "position": %s, "range": {"start": %[2]s, "end": %[2]s}}`, uri, at))
			}
		}
	}
	alive("questions")
	for _, method := range []string{"didOpen", "didChange", "didClose", "didSave"} {
		for _, params := range []string{"null", "[]", `{"textDocument": {"uri": "untitled:a"}}`, `{"textDocument": {"version": "x"}}`, `{"contentChanges": []}`} {
			c.tell("textDocument/"+method, params)
		}
	}
	alive("documents")
	for i, bad := range []string{
		"", "\x00\xff\xfe", "\ufeff" + text, strings.ReplaceAll(text, "\n", "\r\n"), strings.ReplaceAll(text, "\n", "\r"), "a: &a [*a]", strings.Repeat("[", 10_000),
		strings.Repeat("a: b\n", 100_000), strings.Repeat("👍", 10_000), text + "---\n" + text, "{{ if }}\n" + text, "kind: HelmRelease\nmetadata: 7\n", text[:len(text)/2],
	} {
		c.hold(name, 2+i, bad)
		c.at("hover", name, 3, 3)
		c.at("definition", name, 3, 3)
		c.at("codeAction", name, 3, 3)
	}
	c.hold(name, 100, text)
	alive("texts")
	if err := os.Remove(filepath.Join(c.root, name)); err != nil {
		t.Fatal(err)
	}
	c.tell("textDocument/didSave", fmt.Sprintf(`{"textDocument": {"uri": %q}}`, c.uri(name)))
	c.await(name, 100)
	write(t, filepath.Join(c.root, ".flux-remedy.yaml"), "spec: [")
	c.tell("workspace/didChangeWatchedFiles", "{}")
	if got := c.await(name, 100).Diagnostics; len(got) != 1 || !strings.Contains(got[0].Message, "nothing is known of this folder: ") {
		t.Errorf("a broken configuration: %v", got)
	}
	if _, err := io.WriteString(c.out, "Content-Length: 3\r\n\r\n}}}"); err != nil {
		t.Fatal(err)
	}
	if code := <-c.code; code != exitFailure {
		t.Errorf("ends with %d after what is no message", code)
	}
}

// TestNeovim has Neovim's own client start the server, by the recipe of docs/editors.md.
func TestNeovim(t *testing.T) {
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("Neovim is not installed")
	}
	_, recipe, _ := strings.Cut(string(readFile(t, "../../docs/editors.md")), "```lua\n")
	recipe, _, _ = strings.Cut(recipe, "```")
	program, err := exec.LookPath("flux-remedy-itself") // whose output is not held back to the end of a line
	if err != nil {
		t.Fatal(err)
	}
	recipe = strings.Replace(recipe, `cmd = { "flux-remedy"`, fmt.Sprintf("cmd = { %q", program), 1)
	root := edited(t, "../../testdata/editor/fleet")
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "session.lua")
	write(t, script, `
vim.lsp.start = vim.lsp.start or function(config) -- of Neovim 0.8
  vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
end
vim.fs = vim.fs or { find = function() return { "`+root+`/.git" } end, dirname = function(name) return vim.fn.fnamemodify(name, ":h") end }
`+recipe+`
vim.cmd("edit `+filepath.Join(root, "apps", "shop.yaml")+`")
local function await(what, so)
  if not vim.wait(30000, so, 50) then print("waiting for " .. what) vim.cmd("cquit") end
end
local function found(rule)
  return #vim.tbl_filter(function(d) return d.code == rule end, vim.diagnostic.get(0)) > 0
end
local function ask(method, params)
  local answer
  params.textDocument = { uri = vim.uri_from_bufnr(0) }
  vim.lsp.buf_request(0, method, params, function(_, result) answer = result end)
  await(method, function() return answer end)
  return answer
end
await("a finding", function() return found("install-not-recovered") end)
print("decided in " .. ask("textDocument/definition", { position = { line = 15, character = 8 } })[1].uri)
print(ask("textDocument/hover", { position = { line = 7, character = 4 } }).contents.value)
local range = { start = { line = 5, character = 0 }, ["end"] = { line = 5, character = 5 } }
local action = ask("textDocument/codeAction", { range = range, context = { diagnostics = {} } })[1]
vim.lsp.util.apply_workspace_edit(action.edit, "utf-16")
await("the edit to count, which is not saved", function() return not found("install-not-recovered") end)
print("after the " .. action.title .. ": " .. table.concat(vim.api.nvim_buf_get_lines(0, 8, 11, false), "|"))
vim.cmd("quitall!")
`)
	cmd := exec.CommandContext(t.Context(), nvim, "--headless", "--clean", "-l", script)
	if version, _ := exec.CommandContext(t.Context(), nvim, "--version").Output(); bytes.HasPrefix(version, []byte("NVIM v0.7")) {
		cmd = exec.CommandContext(t.Context(), nvim, "--headless", "--clean", "-c", "luafile "+script)
	}
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	for _, want := range []string{"/clusters/production/apps.yaml", "**spec.timeout** = ", "after the safe fix of install-not-recovered: "} {
		if err != nil || !strings.Contains(string(out), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
