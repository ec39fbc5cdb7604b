package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// recipeFile is a YAML example in a page, for pre-commit, GitHub or GitLab.
type recipeFile struct {
	Kind  string
	Repos []struct {
		Repo, Rev string
		Hooks     []struct{ ID string }
	}
	Jobs map[string]struct {
		Steps []struct {
			Uses string
			With map[string]any
		}
	}
	Include []struct {
		Component string
		Inputs    map[string]any
	}
}

// recipe checks that the hooks, inputs and fields in an example exist.
func recipe(t *testing.T, text string) {
	t.Helper()
	var r recipeFile
	if err := yaml.Unmarshal([]byte(text), &r); err != nil {
		t.Errorf("%v in\n%s", err, text)
	}
	if r.Kind == "RemediationPolicy" {
		if _, err := rules.ParseConfig([]byte(text)); err != nil {
			t.Error(err)
		}
	}
	for _, repo := range r.Repos {
		for _, hook := range repo.Hooks {
			if !slices.Contains(hookIDs(t), hook.ID) || repo.Repo == "" || repo.Rev == "" {
				t.Errorf("%s@%s has no hook %q", repo.Repo, repo.Rev, hook.ID)
			}
		}
	}
	for _, job := range r.Jobs {
		for _, step := range job.Steps {
			if strings.Contains(step.Uses, "flux-remedy@") {
				checkInputs(t, "../../action.yml", step.With)
			}
		}
	}
	for _, include := range r.Include {
		if !strings.Contains(include.Component, "/flux-remedy@") {
			t.Errorf("no component %s", include.Component)
		}
		checkInputs(t, "../../templates/flux-remedy.yml", include.Inputs)
	}
}

func hookIDs(t *testing.T) []string {
	t.Helper()
	var hooks []hook
	if err := yaml.Unmarshal(readFile(t, "../../.pre-commit-hooks.yaml"), &hooks); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, h := range hooks {
		ids = append(ids, h.ID)
	}
	return ids
}

// checkInputs compares what is given with the inputs that a file declares.
func checkInputs(t *testing.T, file string, given map[string]any) {
	t.Helper()
	head, _, _ := strings.Cut(string(readFile(t, file)), "\n---\n")
	type inputs map[string]map[string]any
	var declared struct {
		Inputs inputs
		Spec   struct{ Inputs inputs }
	}
	if err := yaml.Unmarshal([]byte(head), &declared); err != nil {
		t.Fatal(err)
	}
	all := declared.Inputs
	if all == nil {
		all = declared.Spec.Inputs
	}
	for name := range given {
		if all[name] == nil {
			t.Errorf("%s has no input %s", file, name)
		}
	}
	for name, input := range all {
		if _, ok := given[name]; !ok && input["default"] == nil {
			t.Errorf("%s wants the input %s", file, name)
		}
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
