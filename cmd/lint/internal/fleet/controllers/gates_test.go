package controllers

import (
	"fmt"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Flags are read as controllers read them: in one word or in two, the last one counts.
func TestFlagsInWords(t *testing.T) {
	for _, c := range []struct {
		args    []any
		workers int
		strict  string
	}{
		{[]any{"--concurrent=8", "--feature-gates=StrictPostBuildSubstitutions=true"}, 8, "true"},
		{[]any{"--watch-all-namespaces", "--concurrent", "8", "--feature-gates", "A=true, StrictPostBuildSubstitutions=1"}, 8, "true"},
		{[]any{"--log-level", "info", "--concurrent", "2", "--concurrent=3"}, 3, "nil"},
		{[]any{"--concurrent=$(N)", "--feature-gates=NotStrictPostBuildSubstitutions=true"}, 0, "nil"},
		{[]any{"--feature-gates=StrictPostBuildSubstitutions=true", "--feature-gates=StrictPostBuildSubstitutions=false"}, 4, "false"},
		{[]any{"--feature-gates=StrictPostBuildSubstitutions=$(ON)"}, 4, "nil"},
		{[]any{"--concurrent"}, 4, "nil"},
	} {
		applier := deployment(Kustomize)
		ContainersOf(applier)[0].(map[string]any)["args"] = c.args
		strict := "nil"
		if on := StrictGate(applier); on != nil {
			strict = fmt.Sprint(*on)
		}
		if got := WorkersOf(applier, release.DefaultWorkers); got != c.workers || strict != c.strict {
			t.Errorf("%v: %d workers, strict %s", c.args, got, strict)
		}
	}
	applier := deployment(Kustomize)
	ContainersOf(applier)[0].(map[string]any)["args"] = []any{"--feature-gates", "Newer=true"}
	if notes := GateNotes(applier); len(notes) != 1 {
		t.Errorf("notes %q", notes)
	}
}

// A gate is known of the controllers that have had it, and of no other.
func TestUnknownGates(t *testing.T) {
	for _, c := range []struct {
		controller, gates string
		unknown           int
	}{
		{Source, "OptimizedGitClones=false,GitManagedTransport=false,ForceGoGitImplementation=true,CacheSecretsAndConfigMaps=true,ObjectLevelWorkloadIdentity=true", 0},
		{Source, "ExternalArtifact=true,DisableConfigWatchers=true", 2},
		{Kustomize, "ExternalArtifact=true,DisableConfigWatchers=true,DisableCommitStatusEvent=true", 0},
		{Kustomize, "OptimizedGitClones=true,DetectDrift=true", 2},
		{Helm, "DefaultToRetryOnFailure=true,DetectDrift=true,UseHelm3Defaults=true", 0},
		{Helm, "defaultToRetryOnFailure=true,GroupChangeLog=true", 2},
	} {
		if notes := unknownGates(c.controller, c.gates); len(notes) != c.unknown {
			t.Errorf("%s --feature-gates=%s: %q", c.controller, c.gates, notes)
		}
	}
}
