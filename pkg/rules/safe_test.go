package rules_test

import (
	"fmt"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// A rule cannot make safe what replaces or removes a written value, unless the object is refused
// or the value is ignored.
func TestSafe(t *testing.T) {
	for name, tc := range map[string]struct {
		custom, path, value string
		want                bool
	}{
		"adds":               {"", `["spec", "upgrade", "timeout"]`, `"1m"`, true},
		"adds a block":       {"", `["spec", "test", "enable"]`, `true`, true},
		"adds below null":    {"", `["spec", "rollback", "timeout"]`, `"1m"`, true},
		"replaces":           {"", `["spec", "interval"]`, `"5m"`, false},
		"replaces a block":   {"", `["spec", "upgrade"]`, `{}`, false},
		"replaces false":     {"", `["spec", "suspend"]`, `true`, false},
		"below a value":      {"", `["spec", "interval", "x"]`, `1`, false},
		"removes":            {"", `["spec", "interval"]`, `null`, false},
		"in a list":          {"", `["spec", "dependsOn", 0, "name"]`, `"x"`, false},
		"adds to a list":     {"", `["spec", "dependsOn", 1]`, `{"name": "x"}`, true},
		"removes the idle":   {"#   ignored: true\n", `["spec", "interval"]`, `null`, true},
		"corrects the wrong": {"#   refuses: true\n", `["spec", "interval"]`, `"5m"`, true},
	} {
		t.Run(name, func(t *testing.T) {
			category := "visibility"
			if tc.custom == "#   refuses: true\n" {
				category = "api"
			}
			own := fstest.MapFS{"x/own.rego": {Data: []byte(meta + tc.custom + "package remedy.rules." + category + `.own
report contains {"path": ["spec"], "message": "m", "fix": {"safe": true, "set": [` + fmt.Sprintf(`{"path": %s, "value": %s}`, tc.path, tc.value) + `]}}`)}}
			engine, err := rules.New(t.Context(), policy(nil), own)
			if err != nil {
				t.Fatal(err)
			}
			r := decode(t, "v2", "{suspend: false, upgrade: {crds: Skip}, rollback: null, dependsOn: [{name: a}]}", release.Controller{})
			verdict, err := engine.Evaluate(t.Context(), r, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range verdict.Findings {
				if f.Rule == "own" && f.Fix.Safe != tc.want {
					t.Errorf("safe is %v, want %v", f.Fix.Safe, tc.want)
				}
			}
		})
	}
}
