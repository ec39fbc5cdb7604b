package main

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

const (
	good = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: apps}
spec: {interval: 1h, timeout: 10m, chartRef: {kind: OCIRepository, name: shop}, install: {strategy: {name: RetryOnFailure}}, upgrade: {strategy: {name: RetryOnFailure}}}
`
	bad = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: shop, namespace: apps}
spec: {interval: 1h, timeout: 10m, chartRef: {kind: OCIRepository, name: shop}}
`
)

// waived is bad, with a waiver that the same change writes.
var waived = strings.Replace(bad, "namespace: apps}", `namespace: apps, annotations: {waive.flux-remedy.io/no-recovery: "2999-01-01 none"}}`, 1)

// mild is good but for something that is an info.
var mild = strings.ReplaceAll(good, "{strategy: {name: RetryOnFailure}}", "{remediation: {retries: 3, remediateLastFailure: true}}")

// known is a baseline with what is wrong with bad.
const known = `apiVersion: flux-remedy.io/v1alpha1
kind: Baseline
findings:
- {rule: no-recovery, file: shop.yaml, field: HelmRelease apps/shop spec, severity: error}
`

// action is the part of action.yml that is checked.
type action struct {
	Inputs map[string]struct {
		Description, Default string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Steps []struct {
			ID, If, Uses, Shell, Run string
			Env                      map[string]string
		}
	}
}

func readAction(t *testing.T) action {
	t.Helper()
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var a action
	if err := yaml.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// counted are the outputs that are made of the format counts. TestRun looks for them.
var counted = []string{"errors", "warnings", "causes", "undetermined", "unapplied", "class-changes", "policy-digest"}

// TestAction checks action.yml: actions are pinned, scripts exist, every input is
// used, and every input and output that is used exists.
func TestAction(t *testing.T) {
	a := readAction(t)
	data, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`inputs\.([a-z0-9-]+)`).FindAllStringSubmatch(string(data), -1) {
		used[m[1]] = true
		if _, ok := a.Inputs[m[1]]; !ok {
			t.Errorf("inputs.%s is no input", m[1])
		}
	}
	for name, input := range a.Inputs {
		if !used[name] || input.Description == "" {
			t.Errorf("input %s is not used, or not described", name)
		}
	}
	var outputs string
	for _, step := range a.Runs.Steps {
		if step.Uses != "" && !regexp.MustCompile(`^[\w./-]+@[0-9a-f]{40}$`).MatchString(step.Uses) {
			t.Errorf("%s is not pinned to a commit", step.Uses)
		}
		if script, ok := strings.CutPrefix(strings.Trim(step.Run, `"`), "$GITHUB_ACTION_PATH/hack/action/"); ok {
			text, err := os.ReadFile("../action/" + script)
			if err != nil {
				t.Error(err)
			}
			outputs += string(text)
		} else if step.Uses == "" {
			t.Errorf("%q runs no script of this folder", step.Run)
		}
	}
	for name, output := range a.Outputs {
		if want := "${{ steps.run.outputs." + name + " }}"; output.Value != want || !strings.Contains(outputs, name+"=$") && !slices.Contains(counted, name) {
			t.Errorf("output %s is %s, which no script writes", name, output.Value)
		}
	}
}

// runner is one job: its repository, and the files that GitHub passes to steps.
type runner struct {
	*testing.T
	dir, temp string
	env       []string
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	r := &runner{T: t, dir: t.TempDir(), temp: t.TempDir()}
	r.env = append(os.Environ(), "RUNNER_TEMP="+r.temp, withoutSettings,
		"GITHUB_PATH="+r.file("path"), "GITHUB_OUTPUT="+r.file("output"), "GITHUB_STEP_SUMMARY="+r.file("summary"),
		"GITHUB_REPOSITORY=owner/repo", "GITHUB_BASE_REF=", "GITHUB_REF=", "GITHUB_EVENT_NAME=pull_request")
	return r
}

func (r *runner) file(name string) string { return filepath.Join(r.temp, name) }

func (r *runner) read(name string) string {
	r.Helper()
	data, err := os.ReadFile(r.file(name))
	if err != nil && !os.IsNotExist(err) {
		r.Fatal(err)
	}
	return string(data)
}

func (r *runner) write(name, text string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *runner) git(args ...string) {
	r.Helper()
	if out, err := r.command("git", args...).CombinedOutput(); err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

func (r *runner) commit() {
	r.git("add", "--all")
	r.git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "commit")
}

func (r *runner) head() string {
	r.Helper()
	out, err := r.command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		r.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func (r *runner) command(name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(r.Context(), name, args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	return cmd
}

// step runs a script and returns its exit code and output.
func (r *runner) step(script string, env ...string) (int, string) {
	r.Helper()
	path, err := filepath.Abs("../action/" + script)
	if err != nil {
		r.Fatal(err)
	}
	cmd := r.command("bash", path)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		r.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// inputs returns the environment of the step that runs flux-remedy, with the
// defaults of action.yml for all other inputs.
func inputs(t *testing.T, given map[string]string) []string {
	t.Helper()
	a := readAction(t)
	var env []string
	for _, step := range a.Runs.Steps {
		if step.ID != "run" {
			continue
		}
		for variable, value := range step.Env {
			name := strings.TrimSuffix(strings.TrimPrefix(value, "${{ inputs."), " }}")
			text, ok := given[name]
			if !ok {
				text = a.Inputs[name].Default
			}
			env = append(env, variable+"="+text)
		}
	}
	if len(env) == 0 {
		t.Fatal("action.yml has no step that runs flux-remedy")
	}
	return env
}

// push is what a runner knows of a push to a branch.
func push(branch string) []string {
	return []string{"GITHUB_EVENT_NAME=push", "GITHUB_REF=refs/heads/" + branch, "DEFAULT_BRANCH=main"}
}

func TestRun(t *testing.T) {
	t.Parallel()
	bin := unpacked(t)
	for name, tc := range map[string]struct {
		before, after string // the release in main, and in the pull request
		inputs        map[string]string
		env           []string
		code          int
		out           string
		summary       string
		outputs       string // among them, one a line
	}{
		"clean":              {after: good, summary: "no findings"},
		"findings":           {after: bad, code: 1, out: "::error file=shop.yaml,line=4", summary: "1 error", outputs: "errors=1\nwarnings=0"},
		"findings allowed":   {after: bad, inputs: map[string]string{"fail-on": "off"}, summary: "1 error"},
		"several paths":      {after: bad, inputs: map[string]string{"paths": "shop.yaml\nshop.yaml"}, code: 1, summary: "1 error"},
		"old findings":       {before: bad, after: bad, inputs: map[string]string{"new-only": "true"}, env: []string{"GITHUB_BASE_REF=main"}, summary: "no new findings"},
		"new findings":       {before: good, after: bad, inputs: map[string]string{"new-only": "true"}, env: []string{"GITHUB_BASE_REF=main"}, code: 1, out: "::error file=shop.yaml", summary: "1 error added", outputs: "errors=1\nclass-changes=1"},
		"new by default":     {before: bad, after: bad, inputs: map[string]string{"new-only": readAction(t).Inputs["new-only"].Default}, summary: "no new findings"},
		"new since a base":   {before: good, after: bad, inputs: map[string]string{"new-only": "true", "base": "HEAD"}, summary: "no new findings"},
		"a new policy":       {before: good, after: waived, inputs: map[string]string{"new-only": "true"}, env: []string{"GITHUB_BASE_REF=main"}, code: 1, out: "[policy-weakened]::", summary: "policy weakened in 1 place"},
		"an allowed policy":  {before: good, after: waived, inputs: map[string]string{"new-only": "true", "allow-policy-change": "true"}, env: []string{"GITHUB_BASE_REF=main"}, summary: "policy weakened in 1 place"},
		"a branch":           {before: good, after: bad, inputs: map[string]string{"new-only": "true"}, env: push("change"), code: 1, out: "::error file=shop.yaml", summary: "1 error added"},
		"an old branch":      {before: bad, after: bad, inputs: map[string]string{"new-only": "true"}, env: push("change"), summary: "no new findings"},
		"the default branch": {before: bad, after: bad, inputs: map[string]string{"new-only": "true"}, env: push("main"), code: 1, out: "::notice title=flux-remedy::this commit is on the default branch", summary: "1 error"},
		"its policy":         {before: good, after: waived, inputs: map[string]string{"new-only": "true"}, env: push("main"), summary: "no findings"},
		"its base":           {before: bad, after: bad, inputs: map[string]string{"new-only": "true", "base": "HEAD~1"}, env: push("main"), summary: "no new findings"},
		"on a schedule":      {before: bad, after: bad, inputs: map[string]string{"new-only": "true"}, env: []string{"GITHUB_EVENT_NAME=schedule"}, code: 1, summary: "1 error"},
		"a comment":          {before: good, after: waived, inputs: map[string]string{"new-only": "true"}, env: append(push("main"), "GITHUB_EVENT_NAME=issue_comment", "GITHUB_SHA=0123"), code: 1, out: "[policy-weakened]::", summary: "policy weakened in 1 place"},
		"another commit":     {before: good, after: waived, inputs: map[string]string{"new-only": "true"}, env: []string{"GITHUB_EVENT_NAME=schedule", "GITHUB_SHA=0123"}, code: 1, out: "[policy-weakened]::", summary: "policy weakened in 1 place"},
		"no history":         {before: good, after: bad, inputs: map[string]string{"new-only": "true"}, env: []string{"GITHUB_BASE_REF=other"}, code: 2, out: "check out with fetch-depth 0"},
		"no configuration":   {after: good, inputs: map[string]string{"config": "missing.yaml"}, code: 2, out: "read configuration: open missing.yaml"},
		"known findings":     {after: bad, inputs: map[string]string{"baseline": "known.yaml"}, summary: "no findings", outputs: "errors=0\ncauses=0"},
		"one cluster":        {after: bad, inputs: map[string]string{"cluster": "east\nwest*"}, code: 3, summary: "0 releases"},
		"a rule of its own":  {after: good, inputs: map[string]string{"policy": "rules"}, code: 2, out: "rules: no such folder"},
		"a bundle":           {after: good, inputs: map[string]string{"bundle": "rules.tar.gz"}, code: 2, out: "rules.tar.gz: no such file"},
		"a key":              {after: good, inputs: map[string]string{"verify-key": "company.pub"}, code: 2, out: "--verify-key: give --bundle too"},
		"one rule":           {after: bad, inputs: map[string]string{"select": "blind-wait\ntiming"}, summary: "no findings"},
		"not one rule":       {after: bad, inputs: map[string]string{"ignore": "no-recovery"}, summary: "no findings"},
		"more arguments":     {after: bad, inputs: map[string]string{"args": "--fail-on\noff"}, summary: "1 error"},
		"no such argument":   {after: good, inputs: map[string]string{"args": "--nosuch"}, code: 2, out: "unknown flag: --nosuch"},
		"a wrong source":     {after: good, inputs: map[string]string{"source": "nonsense"}, code: 2, out: "--source", summary: "wrote no report"},
		"a mild finding":     {after: mild, inputs: map[string]string{"min-severity": "info"}, summary: "bounded-restart-limit"},
		"milder than asked":  {after: good, inputs: map[string]string{"min-severity": "all"}, code: 2, out: "the input min-severity must be"},
		"a baseline for new": {after: good, inputs: map[string]string{"new-only": "true", "baseline": "known.yaml"}, code: 2, out: "the input baseline wants new-only false"},
		"nothing":            {after: "kind: ConfigMap\n", code: 3, summary: "0 releases"},
		"odd severity":       {after: good, inputs: map[string]string{"fail-on": "fatal"}, code: 2, out: "::error title=flux-remedy::the input fail-on must be"},
		"odd switch":         {after: good, inputs: map[string]string{"upload-sarif": "yes"}, code: 2, out: "the input upload-sarif must be true or false"},
		"no path":            {after: good, inputs: map[string]string{"paths": " "}, code: 2, out: "the input paths is empty"},
		"a base for nothing": {after: good, inputs: map[string]string{"base": "HEAD"}, code: 2, out: "the input base wants new-only true"},
		"a path is no flag":  {after: good, inputs: map[string]string{"paths": "--help"}, code: 2, out: "no such file"},
		"a path is no code":  {after: good, inputs: map[string]string{"paths": "$(touch${IFS}pwned)"}, code: 2, out: "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			r.git("init", "-q", "-b", "main")
			r.write("shop.yaml", tc.before)
			r.commit()
			r.git("update-ref", "refs/remotes/origin/main", "HEAD")
			r.git("checkout", "-q", "-b", "change")
			r.write("shop.yaml", tc.after)
			r.write("note.txt", "changed")
			r.write("known.yaml", known)
			r.commit()
			given := map[string]string{"new-only": "false"} // which is not the default
			maps.Copy(given, tc.inputs)
			env := append(inputs(t, given), append([]string{"GITHUB_SHA=" + r.head()}, tc.env...)...)
			code, out := r.step("run.sh", append(env, "PATH="+bin+":"+os.Getenv("PATH"))...)
			if code != tc.code || !strings.Contains(out, tc.out) || !strings.Contains(r.read("summary"), tc.summary) {
				t.Errorf("exits with %d, want %d and %q in:\n%s\nand %q in the summary:\n%s", code, tc.code, tc.out, out, tc.summary, r.read("summary"))
			}
			if tc.summary != "" && tc.code != 2 {
				report := regexp.MustCompile(`(?m)^markdown-file=(.*)$`).FindStringSubmatch(r.read("output"))
				if report == nil || !strings.Contains(r.read("output"), fmt.Sprintf("exit-code=%d\n", code)) {
					t.Fatalf("outputs:\n%s", r.read("output"))
				}
			}
			for want := range strings.Lines(tc.outputs) {
				if !strings.Contains("\n"+r.read("output"), "\n"+strings.TrimSpace(want)+"\n") {
					t.Errorf("no output %s in:\n%s", want, r.read("output"))
				}
			}
			if tc.outputs != "" {
				r.counts(tc.inputs["new-only"] == "true")
			}
			if _, err := os.Stat(filepath.Join(r.dir, "pwned")); err == nil {
				t.Error("a path was run as code")
			}
		})
	}
}

// counts looks for every output that counts, and for the page of a full report.
func (r *runner) counts(newOnly bool) {
	r.Helper()
	for _, name := range counted {
		if want := name != "class-changes" || newOnly; strings.Contains(r.read("output"), "\n"+name+"=") != want {
			r.Errorf("output %s: want it %t in:\n%s", name, want, r.read("output"))
		}
	}
	page := regexp.MustCompile(`(?m)^html-file=(.*)$`).FindStringSubmatch(r.read("output"))
	if (page == nil) != newOnly {
		r.Errorf("outputs:\n%s", r.read("output"))
	}
	if page != nil {
		if data, err := os.ReadFile(page[1]); err != nil || !bytes.HasPrefix(data, []byte("<!doctype html>")) {
			r.Errorf("%v: %.100s", err, data)
		}
	}
}

// TestProblemMatcher: the matcher that the action installs finds every part of each line of
// the format compact.
func TestProblemMatcher(t *testing.T) {
	data, err := os.ReadFile("../action/problem-matcher.json")
	if err != nil {
		t.Fatal(err)
	}
	var matchers struct {
		ProblemMatcher []struct {
			Owner, Severity string
			Pattern         []struct {
				Regexp                                      string
				File, Line, Column, Severity, Code, Message int
			}
		}
	}
	if err := yaml.UnmarshalStrict(data, &matchers); err != nil || len(matchers.ProblemMatcher) != 3 || matchers.ProblemMatcher[1].Severity != "warning" {
		t.Fatalf("%v in %s", err, data)
	}
	r := newRunner(t)
	r.git("init", "-q", "-b", "main")
	r.write("shop.yaml", good)
	r.commit()
	p, program := matchers.ProblemMatcher[0].Pattern[0], filepath.Join(unpacked(t), "flux-remedy")
	for code, want := range map[string]struct{ text, line string }{"no-recovery": {bad, "4"}, "policy-weakened": {waived, "3"}} {
		r.write("shop.yaml", want.text)
		out, _ := r.command(program, "lint", "-o", "compact", "--new-from", "HEAD").Output()
		parts := regexp.MustCompile(p.Regexp).FindStringSubmatch(strings.TrimSpace(string(out)))
		if len(parts) != 7 || parts[p.File] != "shop.yaml" || parts[p.Line] != want.line || parts[p.Column] == "" || parts[p.Severity] != "error" ||
			parts[p.Code] != code || !strings.Contains(parts[p.Message], "apps/shop") {
			t.Errorf("%q in\n%s", parts, out)
		}
	}
	r.write("shop.yaml", strings.Replace(bad, "kind: HelmRelease", "kind: HelmReleases", 1))
	out, _ := r.command(program, "lint", "-o", "compact").Output()
	p = matchers.ProblemMatcher[1].Pattern[0]
	parts := regexp.MustCompile(p.Regexp).FindStringSubmatch(strings.TrimSpace(string(out)))
	if len(parts) != 6 || parts[p.File] != "shop.yaml" || parts[p.Line] != "1" || parts[p.Column] != "1" || parts[p.Code] != "undetermined" || parts[p.Message] == "" {
		t.Errorf("%q in\n%s", parts, out)
	}
	r.write("shop.yaml", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: [\n")
	out, _ = r.command(program, "lint", "-o", "compact").Output()
	p = matchers.ProblemMatcher[2].Pattern[0]
	parts = regexp.MustCompile(p.Regexp).FindStringSubmatch(strings.TrimSpace(string(out)))
	if len(parts) != 5 || parts[p.File] != "shop.yaml" || !strings.HasPrefix(parts[p.Message], "cannot be read: ") {
		t.Errorf("%q in\n%s", parts, out)
	}
}

// TestRunOfTag: a tag of a commit on the default branch has nothing to compare with either, in a checkout that is no
// working directory.
func TestRunOfTag(t *testing.T) {
	r := newRunner(t)
	r.git("init", "-q", "-b", "main", "fleet")
	r.write("fleet/shop.yaml", bad)
	r.git("-C", "fleet", "add", "--all")
	r.git("-C", "fleet", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "commit")
	r.git("-C", "fleet", "update-ref", "refs/remotes/origin/main", "HEAD")
	env := append(inputs(t, map[string]string{"paths": "fleet/shop.yaml"}), "GITHUB_REF=refs/tags/v1", "DEFAULT_BRANCH=main", "PATH="+unpacked(t)+":"+os.Getenv("PATH"))
	if code, out := r.step("run.sh", env...); code != 1 || !strings.Contains(out, "this commit is on the default branch") {
		t.Errorf("exits with %d:\n%s", code, out)
	}
}

func TestRunForCodeScanning(t *testing.T) {
	r := newRunner(t)
	r.write("shop.yaml", bad)
	r.git("init", "-q", "-b", "main")
	r.commit() // so that nothing is new
	env := append(inputs(t, map[string]string{"upload-sarif": "true", "new-only": "true"}), "PATH="+unpacked(t)+":"+os.Getenv("PATH"))
	if code, out := r.step("run.sh", env...); code != 0 {
		t.Errorf("exits with %d:\n%s", code, out)
	}
	file := regexp.MustCompile(`(?m)^sarif-file=(.*)$`).FindStringSubmatch(r.read("output"))
	if file == nil {
		t.Fatalf("outputs:\n%s", r.read("output"))
	}
	if data, err := os.ReadFile(file[1]); err != nil || !bytes.Contains(data, []byte(`"ruleId": "no-recovery"`)) {
		t.Errorf("%v: %s", err, data)
	}
}

func TestInstallFromSource(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	code, out := r.step("install.sh", withoutSymbols)
	if code != 0 {
		t.Fatalf("install.sh exits with %d:\n%s", code, out)
	}
	r.installed("flux-remedy ")
	matcher := regexp.MustCompile(`(?m)^::add-matcher::(.*)$`).FindStringSubmatch(out)
	if matcher == nil {
		t.Fatalf("no matcher in:\n%s", out)
	}
	if _, err := os.Stat(matcher[1]); err != nil {
		t.Error(err)
	}
}

const (
	withoutSymbols  = "GOFLAGS=-ldflags=-s" // half the time to link a program, which does the same
	withoutSettings = "GIT_CONFIG_GLOBAL=" + os.DevNull
)

// installed runs the program that later steps find.
func (r *runner) installed(want string) {
	r.Helper()
	bin := strings.TrimSpace(r.read("path"))
	out, err := r.command(filepath.Join(bin, "flux-remedy"), "version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), want) {
		r.Errorf("%v, want %q:\n%s", err, want, out)
	}
}

// served returns the URL of a server that has the release, and the checksum of its archive.
func served(t *testing.T) (url, sum string) {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(published(t))))
	t.Cleanup(server.Close)
	list, err := os.ReadFile(filepath.Join(published(t), "flux-remedy_0.1.0_checksums.txt"))
	if err != nil {
		t.Fatal(err)
	}
	sum, _, _ = strings.Cut(string(list), " ")
	return server.URL, sum
}

// TestInstallAnArchive installs the archive of a release, and refuses one with
// another checksum.
func TestInstallAnArchive(t *testing.T) {
	server, sum := served(t)
	archive := "/" + archiveName()
	for name, tc := range map[string]struct {
		path, sum string
		code      int
		out       string
	}{
		"the archive":        {archive, sum, 0, ""},
		"another archive":    {archive, strings.Repeat("0", 64), 2, "the archive has the checksum " + sum},
		"no checksum":        {archive, "", 2, "must be the 64 hexadecimal digits"},
		"nothing there":      {"/other.tar.gz", sum, 22, "404"},
		"only the checksum":  {"", sum, 2, "sha256 is given without archive"},
		"a checksum in part": {archive, sum[:63], 2, "must be the 64 hexadecimal digits"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t)
			url := ""
			if tc.path != "" {
				url = server + tc.path
			}
			code, out := r.step("install.sh", "INPUT_ARCHIVE="+url, "INPUT_SHA256="+tc.sum)
			if code != tc.code || !strings.Contains(out, tc.out) {
				t.Errorf("exits with %d, want %d and %q in:\n%s", code, tc.code, tc.out, out)
			}
			switch {
			case code == 0:
				r.installed("flux-remedy v0.1.0 (")
			case r.read("path") != "":
				t.Errorf("exits with %d and adds %q to the path", code, r.read("path"))
			}
		})
	}
}

// TestComment writes a comment once, and then rewrites it. A script replaces gh
// and records how it is called.
func TestComment(t *testing.T) {
	for name, tc := range map[string]struct{ me, found, refused, want, out string }{
		"the first":     {want: "--method POST repos/owner/repo/issues/7/comments --field"},
		"again":         {found: "42\n43", want: "--method PATCH repos/owner/repo/issues/comments/42 --field"},
		"by a person":   {me: "alice", found: "42", want: "--method PATCH repos/owner/repo/issues/comments/42 --field"},
		"from a fork":   {refused: "--method", want: "--method POST", out: "::warning title=flux-remedy::the comment could not be written"},
		"nothing found": {refused: "--jq", out: "::warning title=flux-remedy::the comment could not be written"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t)
			r.write("report.md", "## Report\n")
			gh := "#!/bin/sh\ncase \"$*\" in 'api user'*) printf '%s' \"$ME\";; *\".user.login == \\\"$ME\\\"\"*) printf '%s' \"$FOUND\";; *--jq*) ;; *) echo \"$@\" >" + r.file("called") + ";; esac\n" +
				"case \"$*\" in *${REFUSED:-nothing}*) exit 1;; esac\n"
			if err := os.MkdirAll(r.file("flux-remedy"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(r.file("gh"), []byte(gh), 0o755); err != nil {
				t.Fatal(err)
			}
			code, out := r.step("comment.sh", "ME="+tc.me, "FOUND="+tc.found, "REFUSED="+tc.refused, "PULL_REQUEST=7",
				"MARKDOWN_FILE="+filepath.Join(r.dir, "report.md"), "PATH="+r.temp+":"+os.Getenv("PATH"))
			if code != 0 || !strings.Contains(r.read("called"), tc.want) || !strings.Contains(out, tc.out) || tc.out == "" && out != "" {
				t.Errorf("exits with %d, calls gh with %q, want %q\n%s", code, r.read("called"), tc.want, out)
			}
			if got := r.read("flux-remedy/comment.md"); got != "<!-- flux-remedy -->\n## Report\n" {
				t.Errorf("the comment is %q", got)
			}
		})
	}
}
