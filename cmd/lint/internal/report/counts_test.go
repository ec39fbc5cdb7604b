package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestCounts: everything is counted, whatever is listed, and each line is a variable that
// GitHub and GitLab take.
func TestCounts(t *testing.T) {
	mild := Options{MinSeverity: rules.Error}
	d := diffOf(
		[]Judged{releaseWith("shop"), releaseWith("blog", "error old p")},
		[]Judged{releaseWith("shop", "error bad p", "info mild p"), releaseWith("blog")})
	d.Changes[0].After = &State{Tier: release.Production, Class: rules.ClassRetry}
	d.Unapplied = []release.Undetermined{{Release: "old"}, {Release: "known", Accepted: "until then"}}
	var diff bytes.Buffer
	if err := writeDiffCounts(&diff, d, mild); err != nil {
		t.Fatal(err)
	}
	r := sample(t)
	lint := string(render(t, "counts", r, mild))
	r.Undetermined[0].Accepted, r.Unapplied[0].Accepted = "until then", "until then"
	accepted := string(render(t, "counts", r, mild))
	for text, want := range map[string][]string{
		lint:          {"errors=2\n", "causes=2\n", "judged=3\n", "undetermined=2\n", "unapplied=3\n"},
		accepted:      {"undetermined=1\n", "unapplied=2\n"},
		diff.String(): {"errors=1\n", "infos=1\n", "causes=2\n", "unapplied=1\n", "repaired=1\n", "class_changes=1\n"},
	} {
		for _, line := range want {
			if !strings.Contains(text, line) {
				t.Errorf("no %q in\n%s", line, text)
			}
		}
		if !regexp.MustCompile(`^([a-z_]+=\d+\n)+(policy_digest=sha256:[0-9a-f]+\npolicy_bundle=v7\n)?$`).MatchString(text) {
			t.Errorf("not variables:\n%s", text)
		}
	}
}
