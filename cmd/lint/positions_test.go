package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestPositions checks over all manifests of the project that a finding points
// at the key it names or, where that is not written, at a parent's.
func TestPositions(t *testing.T) {
	engine, err := load.OpenRules(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range manifests(t, "../../policies/rules", "../../testdata") {
		inputs, err := onDisk(streams{}).Inputs(t.Context(), build.NewBuilder(), []string{file}, judge.Configuration{Config: &rules.Config{}})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := effective.Load(t.Context(), effective.Options{Inputs: inputs, Config: &rules.Config{}})
		if err != nil {
			t.Fatal(err)
		}
		state, err := judge.Evaluate(t.Context(), engine, judge.Configuration{Config: &rules.Config{}}, tree, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range state.Releases {
			for _, finding := range j.Verdict.Findings {
				checked++
				checkPosition(t, finding.Path, j.Locate(finding.Path))
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d findings were checked", checked)
	}
}

func checkPosition(t *testing.T, path release.Path, at effective.Location) {
	t.Helper()
	data, err := os.ReadFile(at.File)
	if err != nil {
		t.Fatal(err)
	}
	line := []rune(strings.Split(string(data), "\n")[at.Line-1])
	text := strings.TrimLeft(string(line[at.Column-1:]), `"'`)
	names := path
	if at.Exact {
		names = path[len(path)-1:]
	}
	for _, name := range names {
		key, ok := name.(string)
		if !ok || strings.HasPrefix(text, key) {
			return
		}
	}
	if !at.Exact && at.Line > 0 {
		t.Logf("%s: %s falls back to %q", at.File, path, text)
	}
	if at.Exact || len(path) > 1 && path[0] == "spec" && !strings.HasPrefix(text, "apiVersion") {
		t.Errorf("%s:%d:%d: %q, want the key of %s (exact %v)", at.File, at.Line, at.Column, text, path, at.Exact)
	}
}

// manifests lists the YAML files below folders that can be read.
func manifests(t *testing.T, dirs ...string) []string {
	t.Helper()
	var files []string
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(name) != ".yaml" {
				return err
			}
			data, err := os.ReadFile(name)
			if file, parseErr := yamledit.Parse(name, data); parseErr == nil && bytes.Contains(data, []byte("HelmRelease")) && file != nil {
				files = append(files, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}
