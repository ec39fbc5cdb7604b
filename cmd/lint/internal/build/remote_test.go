package build

import "testing"

// What kustomize would fetch must never reach it.
func TestIsRemote(t *testing.T) {
	for entry, want := range map[string]bool{
		"https://example.com/install.yaml":                  true,
		"http://example.com/install.yaml":                   true,
		"github.com/example/operator//config?ref=v1":        true,
		"github.com/example/operator/config/crd":            true,
		"git@github.com:example/operator.git//config":       true,
		"ssh://git@example.com/operator//config":            true,
		"git::https://example.com/operator":                 true,
		"org-1234@github.com:example/operator.git?ref=main": true,
		"oci://example.com/base":                            true,
		"example.com/operator.git//config":                  true,
		"../base":                                           false,
		"base/github.com":                                   false,
		"apps+extras/app.yaml":                              false,
		"./release@v2.yaml":                                 false,
		"":                                                  false,
	} {
		if got := isRemote(entry); got != want {
			t.Errorf("isRemote(%q) = %v", entry, got)
		}
	}
}

// A generator takes from the tree what only looks like an address, and what it
// would fetch are unknown variables.
func TestGenerators(t *testing.T) {
	for fields, want := range map[string]string{
		`envs: [settings.git]`:                                  "999h",
		`files: [T=T.git]`:                                      "999h",
		`files: ["T=user@host:T"]`:                              "999h",
		`envs: ["https://example.com/x.env"]`:                   "unknown",
		`files: ["T=https://example.com/x"]`:                    "unknown",
		`files: ["https://example.com/a/T"], literals: [U=u]`:   "unknown",
		`envs: ["HTTPS://example.com/x.env"], literals: [T=1h]`: "unknown", // it may have T, too, and then nothing is built
	} {
		b := NewBuilder()
		s := b.Source("a", true, files("-- apps/kustomization.yaml --\nconfigMapGenerator: [{name: x, "+fields+"}]\n"+
			"-- apps/settings.git --\nT=999h\n-- apps/T.git --\n999h\n-- apps/user@host:T --\n999h\n"))
		out := b.Build(s, "apps", kustomization(nil))
		if out.Err != nil || len(out.Resources) != 1 {
			t.Errorf("%s: %v, %v", fields, out.Err, out.Resources)
			continue
		}
		object, err := out.Resources[0].Object()
		if err != nil {
			t.Fatal(err)
		}
		v := VariablesOf(kustomization(nil), []Reference{{Kind: "ConfigMap", Name: "x", Object: object}})
		got, ok := v.Values["T"]
		if len(Unknown(got)) > 0 || !ok && v.open != "" {
			got = "unknown"
		}
		if !v.On || got != want {
			t.Errorf("%s: T is %q, want %q", fields, got, want)
		}
	}
}
