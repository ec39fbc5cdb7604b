package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

type spec struct {
	Spec struct {
		Inputs map[string]struct {
			Description, Type string
			Default           any
			Options           []string
		}
	}
}

// job is what the component adds to a pipeline. An unknown field is an error.
type job struct {
	Stage        string              `json:"stage"`
	Image        string              `json:"image"`
	Variables    map[string]string   `json:"variables"`
	BeforeScript []string            `json:"before_script"`
	Script       []string            `json:"script"`
	Artifacts    artifacts           `json:"artifacts"`
	Rules        []map[string]string `json:"rules"`
}

type artifacts struct {
	When    string            `json:"when"`
	Paths   []string          `json:"paths"`
	Reports map[string]string `json:"reports"`
}

var use = regexp.MustCompile(`\$\[\[ inputs\.([a-z0-9-]+) \]\]`)

// component returns the job with its inputs filled in.
func component(t *testing.T, given map[string]string) job {
	t.Helper()
	data, err := os.ReadFile("../../templates/flux-remedy.yml")
	if err != nil {
		t.Fatal(err)
	}
	head, body, found := strings.Cut(string(data), "\n---\n")
	var s spec
	if err := yaml.Unmarshal([]byte(head), &s); err != nil || !found {
		t.Fatalf("no header: %v", err)
	}
	unused := map[string]bool{}
	for name, input := range s.Spec.Inputs {
		unused[name] = true
		if input.Description == "" {
			t.Errorf("input %s is not described", name)
		}
	}
	body = use.ReplaceAllStringFunc(body, func(text string) string {
		name := use.FindStringSubmatch(text)[1]
		input, known := s.Spec.Inputs[name]
		value, ok := given[name]
		if !ok && input.Default != nil {
			value, ok = fmt.Sprint(input.Default), true
		}
		if !known || !ok {
			t.Errorf("input %s is unknown or has no value", name)
		}
		delete(unused, name)
		return value
	})
	if len(unused) > 0 || strings.Contains(body, "$[[") {
		t.Errorf("inputs %v are not used, or something else is put in", unused)
	}
	jobs := map[string]job{}
	if err := yaml.UnmarshalStrict([]byte(body), &jobs); err != nil {
		t.Fatal(err)
	}
	return jobs["flux-remedy"]
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", append([]string{"-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), withoutSettings)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func commit(t *testing.T, dir, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name+".yaml"), []byte(strings.ReplaceAll(bad, "name: shop, n", "name: "+name+", n")), 0o644); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "add", "--all")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", name)
}

// TestVariables holds the variables that the scripts read to those that the job sets, and the other way round.
func TestVariables(t *testing.T) {
	t.Parallel()
	j := component(t, map[string]string{"source": "x", "version": "x"})
	read := map[string]bool{}
	for _, m := range regexp.MustCompile(`\$\{?([A-Z]+_[A-Z_0-9]+)`).FindAllStringSubmatch(strings.Join(append(j.BeforeScript, j.Script...), "\n"), -1) {
		if name := m[1]; !strings.HasPrefix(name, "CI_") {
			read[name] = true
		}
	}
	for name := range j.Variables {
		if strings.HasPrefix(name, "INPUT_") && !read[name] {
			t.Errorf("no script reads %s", name)
		}
		delete(read, name)
	}
	if len(read) > 0 {
		t.Errorf("scripts read what the job does not set: %v", slices.Sorted(maps.Keys(read)))
	}
}

// TestJob runs the job of templates/flux-remedy.yml as a GitLab runner would.
func TestJob(t *testing.T) {
	t.Parallel()
	source, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	git(t, dir, "init", "-q")
	commit(t, dir, "old")
	base := git(t, dir, "rev-parse", "HEAD")
	commit(t, dir, "new")
	if err := os.WriteFile(filepath.Join(dir, "known"), []byte(strings.ReplaceAll(known, "shop", "old")), 0o644); err != nil {
		t.Fatal(err)
	}
	given := map[string]string{"source": source, "version": git(t, source, "rev-parse", "HEAD")}
	built := prepare(t, component(t, given))
	for name, tc := range map[string]struct {
		inputs map[string]string
		code   int
		issues int    // in the reports, which hold what is old, too
		counts string // among the variables, with spaces between
	}{
		"everything":    {map[string]string{"new-only": "false"}, 1, 2, "errors=2 causes=2"},
		"what is new":   {nil, 1, 2, "errors=1 causes=1 class_changes=0"},
		"both":          {map[string]string{"baseline": "known"}, 1, 1, "errors=1 class_changes=0"},
		"nothing new":   {map[string]string{"paths": "old.yaml"}, 0, 1, "errors=0 class_changes=0"},
		"allowed":       {map[string]string{"new-only": "false", "fail-on": "off", "paths": "old.yaml new.yaml"}, 0, 2, "errors=2"},
		"a baseline":    {map[string]string{"new-only": "false", "baseline": "known"}, 1, 1, "errors=1"},
		"no cluster":    {map[string]string{"new-only": "false", "cluster": "east *.yaml"}, 3, 0, "releases=0"},
		"a policy":      {map[string]string{"policy": "missing"}, 2, 0, ""},
		"a bundle":      {map[string]string{"bundle": "missing"}, 2, 0, ""},
		"a key":         {map[string]string{"verify-key": "missing"}, 2, 0, ""},
		"one rule":      {map[string]string{"new-only": "false", "select": "timing blind-wait"}, 0, 0, "errors=0"},
		"not one rule":  {map[string]string{"new-only": "false", "ignore": "no-recovery"}, 0, 0, "errors=0"},
		"an argument":   {map[string]string{"args": "--nosuch"}, 2, 0, ""},
		"a source":      {map[string]string{"flux-source": "nonsense"}, 2, 0, ""},
		"a config":      {map[string]string{"config": "missing"}, 2, 0, ""},
		"nothing there": {map[string]string{"paths": "missing"}, 2, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			all := maps.Clone(given)
			maps.Copy(all, tc.inputs)
			j := component(t, all)
			for _, report := range append(slices.Collect(maps.Values(j.Artifacts.Reports)), "flux-remedy.counts") {
				if err := os.RemoveAll(filepath.Join(dir, report)); err != nil {
					t.Fatal(err)
				}
			}
			code, out := script(t, dir, j, built, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base)
			if code != tc.code {
				t.Fatalf("exit code %d, want %d:\n%s", code, tc.code, out)
			}
			if tc.code != 2 {
				checkReports(t, dir, j.Artifacts.Reports, tc.issues)
				checkVariables(t, filepath.Join(dir, j.Artifacts.Reports["dotenv"]), tc.counts)
			}
		})
	}
}

// TestJobOfAChange: a merge request fails at what it makes undetermined and at what it excuses, and at nothing
// that its target has, too.
func TestJobOfAChange(t *testing.T) {
	t.Parallel()
	built := unpacked(t)
	unknown := strings.Replace(good, "kind: HelmRelease", "kind: Helmrelease", 1)
	for name, tc := range map[string]struct {
		before, after string // of one file, beside what nobody could determine before
		inputs        map[string]string
		env           string
		code          int
		out           string
	}{
		"undetermined before": {after: good, out: "no new findings"},
		"all that is so":      {after: good, inputs: map[string]string{"new-only": "false"}, code: 4},
		"all is accepted":     {after: good, inputs: map[string]string{"new-only": "false", "strict": "false"}},
		"undetermined since":  {before: good, after: unknown, code: 4, out: "1 no longer determined"},
		"so in production":    {before: good, after: unknown, inputs: map[string]string{"strict": "false"}, code: 4},
		"a weakened policy":   {before: good, after: waived, inputs: map[string]string{"allow-policy-change": "agreed"}, env: "CI_MERGE_REQUEST_LABELS=other", code: 1, out: "policy-weakened"},
		"one that is agreed":  {before: good, after: waived, inputs: map[string]string{"allow-policy-change": "agreed"}, env: "CI_MERGE_REQUEST_LABELS=other,agreed", out: "policy weakened in 1 place"},
		"one that none may":   {before: good, after: waived, env: "CI_MERGE_REQUEST_LABELS=agreed", code: 1, out: "policy-weakened"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t)
			r.git("init", "-q", "-b", "main")
			r.write("unknown.yaml", strings.ReplaceAll(unknown, "shop", "unknown"))
			r.write("shop.yaml", tc.before)
			r.commit()
			base := git(t, r.dir, "rev-parse", "HEAD")
			r.write("shop.yaml", tc.after)
			r.commit()
			code, out := script(t, r.dir, component(t, tc.inputs), built, "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base, tc.env)
			if code != tc.code || !strings.Contains(out, tc.out) {
				t.Errorf("exit code %d, want %d and %q in:\n%s", code, tc.code, tc.out, out)
			}
		})
	}
}

// TestJobOfMergedResults: what others merged since the branch departed is in what is checked out, and no fault of the merge request.
func TestJobOfMergedResults(t *testing.T) {
	t.Parallel()
	r := newRunner(t)
	r.git("init", "-q", "-b", "main")
	r.write("shop.yaml", good)
	r.commit()
	base := git(t, r.dir, "rev-parse", "HEAD")
	r.git("checkout", "-q", "-b", "change")
	r.write("mine.yaml", strings.ReplaceAll(good, "shop", "mine"))
	r.commit()
	r.git("checkout", "-q", "main")
	r.write("theirs.yaml", strings.ReplaceAll(bad, "shop", "theirs"))
	r.commit()
	target := git(t, r.dir, "rev-parse", "HEAD")
	r.git("-c", "user.name=a", "-c", "user.email=a@example.com", "merge", "-q", "--no-edit", "change")
	code, out := script(t, r.dir, component(t, nil), unpacked(t), "CI_MERGE_REQUEST_DIFF_BASE_SHA="+base, "CI_MERGE_REQUEST_TARGET_BRANCH_SHA="+target)
	if code != 0 || !strings.Contains(out, "no new findings") {
		t.Errorf("exit code %d, want 0 and no new findings in:\n%s", code, out)
	}
}

// script runs the job with the program in a folder.
func script(t *testing.T, dir string, j job, program string, env ...string) (int, string) {
	t.Helper()
	return sh(t, dir, j, "flux_remedy='"+program+"'\n"+strings.Join(j.Script, "\n"), env...)
}

// TestJobOfAnArchive installs the archive of a release, and refuses one with another checksum.
func TestJobOfAnArchive(t *testing.T) {
	server, sum := served(t)
	archive := server + "/" + archiveName()
	for name, tc := range map[string]struct {
		inputs map[string]string
		code   int
		out    string
	}{
		"the archive":     {map[string]string{"archive": archive, "sha256": sum}, 0, "flux-remedy v0.1.0 ("},
		"another archive": {map[string]string{"archive": archive, "sha256": strings.Repeat("0", 64)}, 2, "the archive has the checksum " + sum},
		"no checksum":     {map[string]string{"archive": archive}, 2, "the input sha256 is not set"},
		"nothing there":   {map[string]string{"archive": server + "/other.tar.gz", "sha256": sum}, 22, "404"},
		"no input":        {nil, 2, "want the input source and version, or archive and sha256"},
		"no version":      {map[string]string{"source": t.TempDir()}, 128, ""},
	} {
		j := component(t, tc.inputs)
		code, out := sh(t, t.TempDir(), j, strings.Join(j.BeforeScript, "\n")+"\n\"$flux_remedy/flux-remedy\" version", "TMPDIR="+t.TempDir())
		if code != tc.code || !strings.Contains(out, tc.out) {
			t.Errorf("%s: exits with %d, want %d and %q in:\n%s", name, code, tc.code, tc.out, out)
		}
	}
}

// prepare runs before_script and returns the folder that it creates.
func prepare(t *testing.T, j job) string {
	t.Helper()
	code, out := sh(t, t.TempDir(), j, strings.Join(j.BeforeScript, "\n")+"\necho \"$flux_remedy\"", "TMPDIR="+t.TempDir(), withoutSymbols)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != 0 {
		t.Fatalf("exit code %d:\n%s", code, out)
	}
	return lines[len(lines)-1]
}

// sh runs a script with the variables of the job.
func sh(t *testing.T, dir string, j job, script string, env ...string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), withoutSettings), env...)
	for name, value := range j.Variables {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func checkReports(t *testing.T, dir string, reports map[string]string, want int) {
	t.Helper()
	var issues []map[string]any
	quality, err := os.ReadFile(filepath.Join(dir, reports["codequality"]))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(quality, &issues); err != nil || len(issues) != want {
		t.Errorf("%v, %d issues, want %d:\n%s", err, len(issues), want, quality)
	}
	junit, err := os.ReadFile(filepath.Join(dir, reports["junit"]))
	if err != nil {
		t.Fatal(err)
	}
	var suites struct {
		Failures int `xml:"failures,attr"`
	}
	if err := xml.NewDecoder(bytes.NewReader(junit)).Decode(&suites); err != nil || suites.Failures != want {
		t.Errorf("%v, %d failures, want %d:\n%s", err, suites.Failures, want, junit)
	}
}

// checkVariables reads what later jobs get as variables.
func checkVariables(t *testing.T, file, want string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, count := range strings.Fields(want) {
		if !slices.Contains(strings.Split(string(data), "\n"), "flux_remedy_"+count) {
			t.Errorf("no flux_remedy_%s in\n%s", count, data)
		}
	}
}
