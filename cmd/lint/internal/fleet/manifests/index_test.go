package manifests

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

const written = `
-- a/source.yaml --
{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, metadata: {name: repo, namespace: flux}, spec: {url: a}}
-- b/source.yaml --
{apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, metadata: {name: repo}, spec: {url: b}}
-- b/release.yaml --
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: web}
spec: {chart: {spec: {chart: web}}}
-- b/nameless.yaml --
{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {}, spec: {chart: {spec: {chart: web}}}}
-- b/broken.yaml --
kind: HelmRelease
apiVersion: helm.toolkit.fluxcd.io/v2
spec: {a: [
-- .hidden/release.yaml --
{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, metadata: {name: hidden, namespace: web}, spec: {chart: {spec: {chart: web}}}}
`

func indexOf(text string) *Index {
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		files[f.Name] = f.Data
	}
	return NewIndex(tree.Of(nil).With(files), build.NewBuilder())
}

// Of objects with one name the nearest counts, of two that are equally near neither. One without a namespace is in any.
func TestNearest(t *testing.T) {
	x := indexOf(written)
	for at, want := range map[string]string{"a/deeper": "a", "b": "b", "c": ""} {
		if got := object.String(x.Nearest(at, "GitRepository", "flux", "repo"), "spec", "url"); got != want {
			t.Errorf("from %s: %q, want %q", at, got, want)
		}
	}
	if got := object.String(x.Nearest("a", "GitRepository", "other", "repo"), "spec", "url"); got != "b" {
		t.Errorf("in another namespace: %q", got)
	}
}

func TestSurvey(t *testing.T) {
	s := NewSurvey(indexOf(written), map[string]bool{}, func(name string) bool { return !tree.Hidden(name) })
	if len(s.Releases) != 1 || len(s.Releases["b/release.yaml"]) != 1 || s.Documents != 2 || s.Partial != 1 {
		t.Errorf("releases %v, %d documents, %d partial", s.Releases, s.Documents, s.Partial)
	}
	if len(s.Problems) != 1 || s.Problems[0].File != "b/broken.yaml" || len(s.Undetermined) != 1 {
		t.Errorf("problems %v, undetermined %v", s.Problems, s.Undetermined)
	}
}

// A fork is joined, unless what it asked for has become known in between.
func TestCoverageJoins(t *testing.T) {
	x := indexOf(written)
	whole := NewCoverage(x)
	first, second := whole.Fork(), whole.Fork()
	first.Doubt([]string{"b/release.yaml"}, "why")
	second.Doubt([]string{"a/source.yaml"}, "why")
	if second.Settled("b/release.yaml") || !second.Settled("a/source.yaml") {
		t.Error("settled")
	}
	if !whole.Join(first) || whole.Join(second) || whole.Settled("a/source.yaml") {
		t.Errorf("broken %v", whole.Broken)
	}
}
