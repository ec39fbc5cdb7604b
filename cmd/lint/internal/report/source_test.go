package report_test

import (
	"errors"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// TestSourceURL: a file of the repository has the address that the job's variables make.
func TestSourceURL(t *testing.T) {
	github := map[string]string{"GITHUB_SERVER_URL": "https://git.example.com", "GITHUB_REPOSITORY": "acme/fleet", "GITHUB_SHA": "c0ffee"}
	gitlab := map[string]string{"CI_PROJECT_URL": "https://lab.example.com/acme/fleet/", "CI_COMMIT_SHA": "c0ffee"}
	with := func(of map[string]string, name, value string) map[string]string {
		out := map[string]string{name: value}
		for known, value := range of {
			if known != name {
				out[known] = value
			}
		}
		return out
	}
	for _, tc := range []struct {
		env        map[string]string
		file, want string
		line       int
	}{
		{github, "apps/a.yaml", "https://git.example.com/acme/fleet/blob/c0ffee/fleet/apps/a.yaml#L7", 7},
		{github, "apps/a.yaml", "https://git.example.com/acme/fleet/blob/c0ffee/fleet/apps/a.yaml", 0},
		{github, "a b/%2e?#\"<.yaml", "https://git.example.com/acme/fleet/blob/c0ffee/fleet/a%20b/%252e%3F%23%22%3C.yaml#L1", 1},
		{github, "outside", "", 1},
		{gitlab, "apps/a.yaml", "https://lab.example.com/acme/fleet/-/blob/c0ffee/fleet/apps/a.yaml#L7", 7},
		{with(github, "GITHUB_SHA", "0ther"), "apps/a.yaml", "", 1},
		{with(github, "GITHUB_SERVER_URL", "https://user:word@git.example.com?token=x"), "apps/a.yaml", "https://git.example.com/acme/fleet/blob/c0ffee/fleet/apps/a.yaml", 0},
		{with(github, "GITHUB_SHA", ""), "apps/a.yaml", "none", 1},
		{with(github, "GITHUB_SERVER_URL", "javascript:alert(1)//"), "apps/a.yaml", "none", 1},
		{with(github, "GITEA_ACTIONS", "true"), "apps/a.yaml", "none", 1},
		{with(gitlab, "CI_COMMIT_SHA", ""), "apps/a.yaml", "none", 1},
		{nil, "apps/a.yaml", "none", 1},
	} {
		path := func(file, commit string) (string, error) {
			if file == "outside" || commit != "c0ffee" {
				return "", errors.New("not in the repository")
			}
			return "fleet/" + file, nil
		}
		got := "none"
		if link := report.SourceURL(func(name string) string { return tc.env[name] }, path); link != nil {
			got = link(tc.file, tc.line)
		}
		if got != tc.want {
			t.Errorf("%v, %s:%d: %q, want %q", tc.env, tc.file, tc.line, got, tc.want)
		}
	}
}
