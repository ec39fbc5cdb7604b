package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/rules"
	"sigs.k8s.io/yaml"
)

// TestFixOfEveryRule repairs the bad.yaml of every rule that offers a repair: it
// becomes good.yaml byte for byte, and a second run changes nothing.
func TestFixOfEveryRule(t *testing.T) {
	engine, err := newEngine(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	repaired := 0
	for _, rule := range engine.Rules() {
		t.Run(rule.ID, func(t *testing.T) {
			folder := filepath.Join("../../policies/rules", rule.Category, rule.ID)
			file := filepath.Join(t.TempDir(), "release.yaml")
			writeFile(t, file, readFile(t, filepath.Join(folder, "bad.yaml")))
			f := fixerOf(t, engine, folder, file)
			offered := false
			for _, found := range targetsOf(f.all[0]) {
				offered = offered || found.finding.Fix != nil
			}
			if !offered {
				return
			}
			repaired++
			repairAll(t, f)
			if got, want := readFile(t, file), readFile(t, filepath.Join(folder, "good.yaml")); !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s\nrefused %v", got, want, f.refused)
			}
			again := fixerOf(t, engine, folder, file)
			if repairAll(t, again); len(again.made) > 0 {
				t.Errorf("a second run repairs %v", again.made)
			}
		})
	}
	if repaired < 20 {
		t.Errorf("only %d rules offer a repair", repaired)
	}
}

// fixerOf makes a fixer of one file under the configuration of a rule's folder,
// as an update of its old.yaml if it has one.
func fixerOf(t *testing.T, engine *rules.Engine, folder, file string) *fixer {
	t.Helper()
	config := &rules.Config{}
	if data, err := os.ReadFile(filepath.Join(folder, "config.yaml")); err == nil {
		if config, err = rules.ParseConfig(data); err != nil {
			t.Fatal(err)
		}
	}
	var old map[string]any
	if data, err := os.ReadFile(filepath.Join(folder, "old.yaml")); err == nil {
		if err := yaml.Unmarshal(data, &old); err != nil {
			t.Fatal(err)
		}
	}
	look := func(overlay map[string][]byte) (state, error) {
		tree, err := flux.Load(context.Background(), flux.Options{Paths: []string{file}, Config: config, Overlay: overlay})
		if err != nil {
			return state{}, err
		}
		for _, release := range tree.Releases {
			release.Tier, release.Old = rules.Production, old
		}
		all, err := judge(context.Background(), engine, config, tree, time.Unix(0, 0))
		return state{tree, all}, err
	}
	now, err := look(nil)
	if err != nil {
		t.Fatal(err)
	}
	flags := &fixFlags{fix: []string{"unsafe"}}
	f, err := flags.newFixer(now, []string{file}, look)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func repairAll(t *testing.T, f *fixer) {
	t.Helper()
	if err := f.run(); err != nil {
		t.Fatal(err)
	}
	if err := f.write(); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
