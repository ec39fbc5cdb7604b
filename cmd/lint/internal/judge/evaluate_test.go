package judge

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

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

// A rule that does not end is named, whether or not all is known of the release.
func TestEndlessRule(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS, fstest.MapFS{"api/endless/endless.rego": {Data: []byte(endlessRule)}})
	if err != nil {
		t.Fatal(err)
	}
	e, err := NewEvaluator(engine, new(rules.Config), time.Unix(0, 0))
	if err != nil || e.most != maxRuleTime {
		t.Fatal(e, err)
	}
	e.most = 100 * time.Millisecond
	object := map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": "apps"}, "spec": map[string]any{"interval": "10m"},
	}
	decoded, err := release.Decode(object, release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	partly := *decoded
	partly.Unknown = []release.Unknown{{Path: release.Path{"spec", "timeout"}}}
	for _, r := range []*release.Release{decoded, &partly} {
		r.Tier = release.Production
		_, err = e.Evaluate(t.Context(), &flux.Tree{Releases: []*flux.Release{{Release: r}}})
		if want := "judge apps/app: rule 1/api/endless/endless.rego takes longer than 100ms for one release"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
