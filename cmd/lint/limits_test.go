package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// exhausting returns trees that once exhausted the memory or ran for minutes, with how a run
// within limits ends and what it says.
func exhausting() map[string]exhausted {
	return map[string]exhausted{
		"a template that asks for gigabytes": {
			code: exitNothing, says: "ResourceSet apps/set: its templates cannot be rendered: they ran out of memory",
			files: resourceSet(`<< indent 3000000000 "x" >>`, 1),
		},
		"a template that calls itself": {
			code: exitNothing, says: "they call themselves without end",
			files: resourceSet(`<< $d := dict >><< $_ := set $d "d" $d >><< print $d >>`, 1),
		},
		"a template that doubles a text": {
			code: exitNothing, says: "of memory",
			files: resourceSet(`<< $s := "xxxxxxxx" >><< range 40 >><< $s = print $s $s >><< end >>`, 1),
		},
		"a template with many inputs": {
			code: exitNothing, says: "20000 combinations, over the limit of 10000",
			files: resourceSet("", 20_000),
		},
		"aliases in an inline patch": {
			code: exitNothing, says: "YAML aliases expand to more values than a file may have",
			files: map[string]string{"apps/kustomization.yaml": "resources: [r.yaml]\npatches:\n- patch: |\n" + indented(badRelease+aliases)},
		},
		"aliases in a patch of another name": {
			code: exitNothing, says: "YAML aliases expand to more values than a file may have",
			files: map[string]string{"apps/kustomization.yaml": "resources: [r.yaml]\npatches: [{path: p.txt}]\n", "apps/p.txt": badRelease + aliases},
		},
		"aliases in a resource of another name": {
			code: exitNothing, says: "YAML aliases expand to more values than a file may have",
			files: map[string]string{"apps/kustomization.yaml": "resources: [r.yaml, b.txt]\n", "apps/b.txt": configMap + aliases},
		},
		"aliases in an inline transformer": {
			code: exitNothing, says: "YAML aliases expand to more values than a file may have",
			files: map[string]string{"apps/kustomization.yaml": "resources: [r.yaml]\ntransformers:\n- |\n" + indented(configMap+aliases)},
		},
		"a JSON patch that copies into itself": {
			code: exitNothing, says: "accumulated size increase of copy",
			files: map[string]string{
				"apps/kustomization.yaml": "resources: [r.yaml, c.yaml]\npatches:\n- target: {kind: ConfigMap}\n  patch: |\n" +
					indented(many(40, func(i int) string { return fmt.Sprintf("- {op: copy, from: /data, path: /data/x%d}\n", i) })),
				"apps/c.yaml": configMap + "data: {a: x}\n",
			},
		},
		"replacements of what holds them": {
			code: exitFailure, says: "ran out of memory while building Kustomization flux-system/apps: the limit is 256MiB (--max-memory)",
			files: map[string]string{
				"apps/kustomization.yaml": "resources: [r.yaml, c.yaml]\nreplacements:\n" + many(40, func(i int) string {
					return fmt.Sprintf("- source: {kind: ConfigMap, name: cm, fieldPath: data}\n  targets:\n"+
						"  - select: {kind: ConfigMap}\n    fieldPaths: [data.x%d]\n    options: {create: true}\n", i)
				}),
				"apps/c.yaml": configMap + "data: {a: x}\n",
			},
		},
		"overlays that list two overlays": {
			code: exitNothing, says: "more than 50000 objects and folders",
			files: overlays(20),
		},
		"a variable of a megabyte in many places": {
			code: exitNothing, says: "the result may be larger than 10 MiB",
			files: substituting(strings.Repeat("${big}", 2000)),
		},
		"a variable that replaces itself in itself": {
			code: exitNothing, says: "the result may be larger than 10 MiB",
			files: substituting("${big//x/${big}}"),
		},
		"Kustomizations that apply themselves under new names": {
			code: exitNothing, says: "a chain of more than 32 Kustomizations",
			files: map[string]string{
				"clusters/prod/apps.yaml": applying("apps", "  postBuild: {substitute: {n: x}}\n"),
				"apps/r.yaml":             applying("n${n}", "  postBuild: {substitute: {n: 'a${n}'}}\n"),
			},
		},
	}
}

type exhausted struct {
	files map[string]string
	code  int
	says  string
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\n"

// aliases stand for three billion nodes.
var aliases = "a0: &a0 [x]\n" + many(10, func(i int) string {
	return fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i), 9), ","))
})

func many(n int, f func(i int) string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(f(i))
	}
	return out.String()
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ") + "\n"
}

// applying returns a Flux Kustomization that builds the folder apps.
func applying(name, more string) string {
	return "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: '" + name + "', namespace: flux-system}\n" +
		"spec:\n  interval: 1h\n  prune: true\n  path: ./apps\n  sourceRef: {kind: GitRepository, name: flux-system}\n" + more
}

func resourceSet(template string, inputs int) map[string]string {
	return map[string]string{"apps/r.yaml": "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: apps}\nspec:\n" +
		"  inputs:\n" + many(inputs, func(i int) string { return fmt.Sprintf("  - {name: n%d}\n", i) }) +
		"  resourcesTemplate: |\n" + indented(template+"\n"+badRelease)}
}

func overlays(levels int) map[string]string {
	out := map[string]string{"apps/kustomization.yaml": "resources: [a0, b0]\n"}
	for i := range levels {
		for _, side := range []string{"a", "b"} {
			list := fmt.Sprintf("[../a%d, ../b%d]", i+1, i+1)
			if i+1 == levels {
				list = "[../r.yaml]"
			}
			out[fmt.Sprintf("apps/%s%d/kustomization.yaml", side, i)] = "namePrefix: " + side + "\nresources: " + list + "\n"
		}
	}
	return out
}

func substituting(value string) map[string]string {
	return map[string]string{
		"clusters/prod/apps.yaml": applying("apps", "  postBuild: {substitute: {big: "+strings.Repeat("x", 1<<20)+"}}\n"),
		"apps/r.yaml":             strings.Replace(badRelease, "spec: {", "spec: {values: {a: '"+value+"'}, ", 1),
	}
}

// unpackFleet writes a tree with one cluster that applies the folder apps.
func unpackFleet(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{
		"clusters/prod/flux-system/gotk-sync.yaml": strings.ReplaceAll(applying("flux-system", ""), "./apps", "./clusters/prod"),
		"clusters/prod/apps.yaml":                  applying("apps", ""),
		"apps/r.yaml":                              badRelease,
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, name, text)
	}
	return dir
}

// No tree takes a run beyond its limits, and none of these passes.
func TestExhaustion(t *testing.T) {
	program, err := exec.LookPath("flux-remedy")
	if err != nil {
		t.Fatal(err)
	}
	const most = 1 << 30 // with all that the system counts, of both processes
	for name, tc := range exhausting() {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(program, "lint", "--max-memory", "256MiB", "--timeout", "5m", ".")
			cmd.Dir, cmd.Env = unpackFleet(t, tc.files), append(os.Environ(), "GOGC=") // as users run it
			out, _ := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != tc.code || !strings.Contains(string(out), tc.says) {
				t.Errorf("exit code %d, want %d and %q in:\n%.3000s", code, tc.code, tc.says, out)
			}
			if used := peak(cmd.ProcessState); used > most {
				t.Errorf("%d MiB of memory were used", used>>20)
			}
		})
	}
}

const endlessRule = `# METADATA
# title: Never ends
# description: It counts far.
# custom: {severity: {production: error, staging: error, development: error}}
package remedy.rules.api.endless

report contains {"path": ["spec"], "message": "never"} if {
	some i in numbers.range(1, 10000)
	some j in numbers.range(1, 10000)
	i * j < 0
}
`

// started runs the program on standard input with a rule that does not end. It returns
// once the program reads.
func started(t *testing.T, args ...string) (cmd *exec.Cmd, in io.WriteCloser, errs *bytes.Buffer) {
	t.Helper()
	program, err := exec.LookPath("flux-remedy")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "api/endless"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "api/endless/endless.rego"), endlessRule)
	cmd, errs = exec.Command(program, append([]string{"lint", "-", "--policy", dir}, args...)...), &bytes.Buffer{}
	cmd.Stderr = errs
	if in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// More than a pipe holds: somebody must read it.
	if _, err := io.WriteString(in, badRelease+strings.Repeat("# filler\n", 1<<17)); err != nil && !errors.Is(err, syscall.EPIPE) { // or its time is over
		t.Fatal(err)
	}
	return cmd, in, errs
}

// A signal ends a run that waits, and one that computes.
func TestSignals(t *testing.T) {
	for name, tc := range map[string]struct {
		signal syscall.Signal
		waits  bool
		code   int
		says   string
	}{
		"SIGTERM while it reads":  {syscall.SIGTERM, true, 143, "stopped by SIGTERM while reading -"},
		"SIGINT while it reads":   {syscall.SIGINT, true, 130, "interrupted while reading -"},
		"SIGTERM while it judges": {syscall.SIGTERM, false, 143, "stopped by SIGTERM"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd, in, errs := started(t)
			if !tc.waits {
				in.Close()
			}
			if err := cmd.Process.Signal(tc.signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != tc.code || !strings.Contains(errs.String(), tc.says) {
				t.Errorf("exit code %d, want %d and %q in:\n%s", code, tc.code, tc.says, errs)
			}
		})
	}
}

// What a run was doing when its time was over is named.
func TestEndlessRun(t *testing.T) {
	for _, limit := range []string{"2s", "20s", "1m40s"} { // on a busy machine it gets there late
		says := "took too long while judging releases (1): the limit is " + limit + " for the"
		cmd, in, errs := started(t, "--timeout", limit)
		in.Close()
		_ = cmd.Wait()
		code := cmd.ProcessState.ExitCode()
		if code == exitFailure && strings.Contains(errs.String(), says) {
			return
		}
		t.Logf("exit code %d, want %d and %q in:\n%s", code, exitFailure, says, errs)
	}
	t.Error("no run was stopped while it judges")
}

// A pipe that nobody writes to is not read.
func TestPipeInTree(t *testing.T) {
	dir := unpackFleet(t, nil)
	pipe := filepath.Join(dir, "apps/pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	if code, out := lintDir(t, dir); code != exitFindings {
		t.Errorf("exit code %d:\n%s", code, out)
	}
	if code, out := lintDir(t, pipe); code != exitFailure || !strings.Contains(out, "not a regular file") {
		t.Errorf("exit code %d:\n%s", code, out)
	}
}
