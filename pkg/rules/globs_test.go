package rules_test

import (
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// A path is written in one way, however it is given; what cannot be meant otherwise stays.
func TestPathsOfGlobs(t *testing.T) {
	for given, want := range map[string]string{
		"apps/**": "apps/**", "./apps/**": "apps/**", "/apps/**": "apps/**", ".//./apps": "apps", "apps/": "apps/**", "./apps//": "apps/**",
		"**/": "**/**", "../apps": "../apps", ".": ".", "./": "./", "/": "/", ".github/": ".github/**", "**/.archive/**": "**/.archive/**",
	} {
		config := configOf(t, "ignore: ['"+given+"']\n  tiers: [{tier: staging, paths: ['"+given+"'], clusters: [./a/]}]")
		if got := config.Spec.Ignore[0]; got != want || config.Spec.Tiers[0].Paths[0] != want || config.Spec.Tiers[0].Clusters[0] != "./a/" {
			t.Errorf("%s is read as %s, want %s", given, got, want)
		}
	}
}

// A backslash between folders is refused with what to write; before a sign that it is for, it is not.
func TestCheckSlashes(t *testing.T) {
	for given, want := range map[string]string{
		`apps\base\**`: "apps/base/**", `.\apps\base`: "apps/base", `odd\[1\]/**`: "", `\!x`: "", `a\\b`: "", "apps/base": "",
	} {
		err := configOf(t, "undetermined: {accept: [{path: '"+given+"', reason: x, until: 2999-01-01}]}").CheckSlashes()
		if (err == nil) != (want == "") || err != nil && err.Error() != `spec.undetermined.accept[0].path: "`+given+`" has a backslash between folders: write "`+want+`"` {
			t.Errorf("%s: %v; want %q", given, err, want)
		}
	}
	if err := configOf(t, `tiers: [{tier: staging, clusters: ['a\b'], namespaces: ['a\b']}]`).CheckSlashes(); err != nil {
		t.Errorf("names: %v", err)
	}
}

func configOf(t *testing.T, spec string) *rules.Config {
	t.Helper()
	config, err := rules.ParseConfig([]byte("apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec:\n  " + strings.TrimSpace(spec) + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return config
}
