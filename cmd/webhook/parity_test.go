package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// lintReport is the part of the linter's JSON report that this test reads.
type lintReport struct {
	Releases     []lintRelease
	Findings     []lintFinding
	Undetermined []struct{ File string } // releases with a variable: some rules do not judge them
}

type (
	lintRelease struct{ File, Class string }
	lintFinding struct{ File, Rule, Severity, Path string }
)

// suspended matches the field that suspends a release, in a block or between others in braces.
var suspended = regexp.MustCompile(`\n  suspend: true|, "suspend": true`)

// TestParity sends every release of the test data that the linter judges to the
// webhook. Both must find the same rules at the same fields, but for what an API server judges
// by its schema, and of releases that it refuses nothing is compared: with the rules' own
// severities, and with every rule an error, which the webhook returns with its
// field. The webhook judges a suspended release as it will be once it is resumed.
func TestParity(t *testing.T) {
	dir := t.TempDir()
	documents := helmReleasesBelow(t, "../../testdata", "../../policies")
	for name, document := range documents {
		document = suspended.ReplaceAll(document, nil)
		documents[name] = document
		if err := os.WriteFile(filepath.Join(dir, name), document, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program, config := linter(t), filepath.Join(dir, ".flux-remedy.yaml")
	for name, text := range map[string]string{"own severities": header, "all errors": header + allErrors(t)} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := sources{config: config}.load(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			h := newHandler(t)
			h.ruleset = func() *ruleset { return p }
			report := lint(t, program, dir)
			report.admit(p.Engine)
			compare(t, h, report, documents)
		})
	}
}

// admit leaves out what does not reach admission: releases that an API server refuses, and
// findings that it judges itself.
func (r *lintReport) admit(engine *rules.Engine) {
	refused := map[string]bool{}
	for _, finding := range r.Findings {
		if rule, _ := engine.Rule(finding.Rule); rule.Refuses {
			refused[finding.File] = true
		}
	}
	asked := func(id string) bool {
		return slices.ContainsFunc(engine.Admission(), func(rule rules.Rule) bool { return rule.ID == id })
	}
	r.Releases = slices.DeleteFunc(r.Releases, func(x lintRelease) bool { return refused[x.File] })
	r.Findings = slices.DeleteFunc(r.Findings, func(x lintFinding) bool { return !asked(x.Rule) })
}

// allErrors configures every rule to be an error.
func allErrors(t *testing.T) string {
	t.Helper()
	text := "spec:\n  rules:\n"
	for _, rule := range newRules(t).Engine.Rules() {
		text += "    " + rule.ID + ": {severity: error}\n"
	}
	return text
}

func compare(t *testing.T, h *handler, report lintReport, documents map[string][]byte) {
	t.Helper()
	judged := 0
	for _, release := range report.Releases {
		if release.Class == "unknown" || slices.Contains(report.Undetermined, struct{ File string }{release.File}) {
			continue
		}
		judged++
		var denied, warned []string
		for _, finding := range report.Findings {
			if finding.File != release.File {
				continue
			}
			switch finding.Severity {
			case "error":
				denied = append(denied, finding.Rule+" "+finding.Path)
			case "warning":
				warned = append(warned, finding.Rule)
			}
		}
		slices.Sort(denied)
		slices.Sort(warned)
		gotDenied, gotWarned := admit(t, h, documents[release.File])
		if !slices.Equal(gotDenied, denied) || !slices.Equal(gotWarned, slices.Compact(warned)) {
			t.Errorf("the webhook says %v and %v, the linter %v and %v of\n%s", gotDenied, gotWarned, denied, warned, documents[release.File])
		}
	}
	if judged < 100 {
		t.Errorf("only %d of %d releases were judged", judged, len(documents))
	}
}

// helmReleasesBelow returns every HelmRelease of the newest version, each with a file name
// of its own.
func helmReleasesBelow(t *testing.T, roots ...string) map[string][]byte {
	t.Helper()
	documents := map[string][]byte{}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(path)
			for document := range bytes.SplitSeq(append([]byte("\n"), data...), []byte("\n---\n")) {
				var head struct{ APIVersion, Kind string }
				// An older version that reaches the webhook was served; the linter does not know.
				if yaml.Unmarshal(document, &head) == nil && head.Kind == "HelmRelease" && !strings.Contains(head.APIVersion, "/v2beta") {
					documents[fmt.Sprintf("%04d.yaml", len(documents))] = document
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return documents
}

// linter returns the linter, which the first test that needs it builds.
func linter(t *testing.T) (program string) {
	t.Helper()
	dependOn(t, "../lint")
	program, err := builtLinter()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

var builtLinter = sync.OnceValues(func() (string, error) { return compile("../lint", "flux-remedy") })

// lint runs the linter on a folder outside of any repository.
func lint(t *testing.T, program, dir string) lintReport {
	t.Helper()
	command := exec.Command(program, "lint", ".", "-o", "json")
	command.Dir = dir
	out, err := command.Output()
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatalf("lint: %v\n%s", err, out)
	}
	var report lintReport
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	return report
}

// dependOn visits all files below a folder, so that a cached result of the test
// is not reused after they have changed.
func dependOn(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(_ string, _ fs.DirEntry, err error) error { return err })
	if err != nil {
		t.Fatal(err)
	}
}

// admit returns the rules and fields for which the webhook denies the creation of
// a release, and the rules of which it warns.
func admit(t *testing.T, h *handler, document []byte) (denied, warned []string) {
	t.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(document, &object.Object); err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(request(object, nil))
	if err != nil {
		t.Fatal(err)
	}
	code, answer := post(h, body)
	out := admissionv1.AdmissionReview{}
	if err := json.Unmarshal(answer, &out); err != nil || out.Response == nil {
		t.Fatalf("code %d: %s", code, answer)
	}
	if !out.Response.Allowed {
		for _, cause := range out.Response.Result.Details.Causes {
			denied = append(denied, string(cause.Type)+" "+cause.Field)
		}
	}
	if ids := out.Response.AuditAnnotations["warned"]; ids != "" {
		warned = strings.Split(ids, ",")
	}
	slices.Sort(denied)
	return denied, warned
}
