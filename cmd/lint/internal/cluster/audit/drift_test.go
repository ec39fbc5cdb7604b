package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/pkg/release"
)

func managed(manager, subresource string, fields map[string]any) map[string]any {
	entry := map[string]any{"manager": manager, "time": "2026-01-02T03:04:05Z", "fieldsV1": fields}
	if subresource != "" {
		entry["subresource"] = subresource
	}
	return entry
}

func spec(fields map[string]any) map[string]any { return map[string]any{"spec": fields} }

// A difference is told with who made it; defaults, what is undetermined and values are not.
func TestDrift(t *testing.T) {
	type object = map[string]any
	set := func(path ...string) object {
		fields := object{}
		for i := len(path) - 1; i >= 0; i-- {
			fields = object{"f:" + path[i]: fields}
		}
		return fields
	}
	for name, c := range map[string]struct {
		git, cluster object
		fields       []any
		unknown      []release.Unknown
		want         string
	}{
		"the same":          {git: object{"a": 1, "b": object{"c": true}}, cluster: object{"a": 1.0, "b": object{"c": true}}},
		"a default":         {git: object{"a": 1}, cluster: object{"a": 1, "b": "default", "c": object{"d": 1}}},
		"a default below":   {git: object{"l": []any{object{"a": 1}}}, cluster: object{"l": []any{object{"a": 1, "b": 2}}}},
		"other":             {git: object{"a": 1}, cluster: object{"a": 2}, want: "spec.a: 2, Git says 1"},
		"gone":              {git: object{"a": object{"b": 1}}, cluster: object{}, want: "spec.a.b: not set, Git says 1"},
		"null in Git":       {git: object{"a": nil}, cluster: object{}},
		"nothing in Git":    {git: object{"a": object{}}, cluster: object{}},
		"a shorter list":    {git: object{"l": []any{1, 2}}, cluster: object{"l": []any{1}}, want: "spec.l: [1], Git says [1,2]"},
		"in a list":         {git: object{"l": []any{object{"a": 1}}}, cluster: object{"l": []any{object{"a": 2}}}, want: "spec.l[0].a: 2, Git says 1"},
		"undetermined":      {git: object{"a": 1}, cluster: object{"a": 2}, unknown: []release.Unknown{{Path: release.Path{"spec", "a"}}}},
		"undetermined part": {git: object{"a": object{"b": 1, "c": 1}}, cluster: object{"a": object{"b": 2, "c": 2}}, unknown: []release.Unknown{{Path: release.Path{"spec", "a", "b"}}}, want: "spec.a.c: 2, Git says 1"},
		"added":             {git: object{}, cluster: object{"suspend": true}, fields: []any{managed("flux", "", object{"f:spec": set("suspend")})}, want: "spec.suspend: true, not set in Git; set by flux"},
		"added by Flux":     {git: object{}, cluster: object{"suspend": true}, fields: []any{managed("kustomize-controller", "", object{"f:spec": set("suspend")})}},
		"of the status":     {git: object{}, cluster: object{"suspend": true}, fields: []any{managed("x", "status", object{"f:spec": set("suspend")})}},
		"patched":           {git: object{"a": object{"b": 1}}, cluster: object{"a": object{"b": 2}}, fields: []any{managed("kubectl-edit", "", object{"f:spec": set("a", "b")}), managed("y", "", object{"f:spec": set("c")})}, want: "spec.a.b: 2, Git says 1 (:0); set by kubectl-edit 2026-01-02 03:04:05 UTC"},
		"a value":           {git: object{"values": object{"p": "x"}}, cluster: object{"values": object{"p": "y"}}, fields: []any{managed("kubectl-edit", "", object{"f:spec": set("values", "p")})}, want: "spec.values.p: set on the cluster; set by kubectl-edit"},
		"a value of Git":    {git: object{"values": object{"p": "x"}}, cluster: object{"values": object{"p": "y"}}},
		"hostile":           {git: object{"a": 1}, cluster: object{"a": 1}, fields: []any{"x", managed("x", "", object{"f:spec": "y"}), managed("x", "", object{"f:spec": object{"k:{}": 1, "f:": 2, ".": object{}}}), nil}},
	} {
		t.Run(name, func(t *testing.T) {
			written := &effective.Release{Release: &release.Release{Object: spec(c.git), Unknown: c.unknown}}
			cluster := spec(c.cluster)
			cluster["metadata"] = object{"managedFields": c.fields}
			got := []string{}
			for _, d := range driftOf(written, cluster) {
				got = append(got, d.String())
			}
			if text := strings.Join(got, "\n"); len(got) > 1 || c.want == "" && text != "" || !strings.HasPrefix(text, strings.TrimSuffix(c.want, " (:0)")) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// The cluster of a repository is the one that is named, or the only one.
func TestRepositoryOf(t *testing.T) {
	of := func(clusters ...string) *effective.Tree {
		tree := &effective.Tree{}
		for i, cluster := range clusters {
			tree.Releases = append(tree.Releases, &effective.Release{Release: &release.Release{Namespace: "apps", Name: fmt.Sprint("r", i), Cluster: cluster}})
		}
		return tree
	}
	for name, c := range map[string]struct {
		tree     *effective.Tree
		cluster  string
		releases int
		err      string
	}{
		"named":   {of("a", "b", "a"), "a", 2, ""},
		"only":    {of("a", "a"), "kind-x", 2, ""},
		"unknown": {of("b", "a"), "c", 0, `no cluster of the repository is called "c": choose with --cluster one of a, b`},
		"nothing": {of(), "c", 0, "no cluster of the repository"},
	} {
		repo, err := repositoryOf(c.tree, c.cluster)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: %v", name, err)
		case c.err == "" && (err != nil || len(repo.releases) != c.releases):
			t.Errorf("%s: %v, %v", name, repo, err)
		}
	}
}
