package build

import (
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/buildtest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
)

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
		s := b.Source("a", true, buildtest.Files("-- apps/kustomization.yaml --\nconfigMapGenerator: [{name: x, "+fields+"}]\n"+
			"-- apps/settings.git --\nT=999h\n-- apps/T.git --\n999h\n-- apps/user@host:T --\n999h\n"))
		out := b.Build(s, "apps", buildtest.Kustomization(nil))
		if out.Err != nil || len(out.Resources) != 1 {
			t.Errorf("%s: %v, %v", fields, out.Err, out.Resources)
			continue
		}
		object, err := out.Resources[0].Object()
		if err != nil {
			t.Fatal(err)
		}
		v := variables.Of(buildtest.Kustomization(nil), []variables.Reference{{Kind: "ConfigMap", Name: "x", Object: object}})
		got, ok := v.Values["T"]
		if len(variables.Unknown(got)) > 0 || !ok && v.On {
			got = "unknown"
		}
		if !v.On || got != want {
			t.Errorf("%s: T is %q, want %q", fields, got, want)
		}
	}
}
