package policies_test

import (
	"io/fs"
	"os"
	"testing"

	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// limitRule reports on every release of class bounded, and so on the examples of
// other rules too.
const limitRule = "bounded-restart-limit"

// TestContract holds every rule's folder to what rules of users are held to as well:
// complete METADATA, severities by tier that follow from the category, bad.yaml reported
// by this rule only and good.yaml by none, one finding for a cause, fixes that come to an
// end, the page, and the Rego tests of the rules and the library, which reach every line of a rule.
func TestContract(t *testing.T) {
	report, err := ruletest.Run(t.Context(), ruletest.Options{
		Sources:   []ruletest.Source{{Name: ".", FS: os.DirFS(".")}},
		BuiltIn:   true,
		Author:    "make generate",
		Tolerated: func(f rules.Finding) bool { return f.Rule == limitRule },
	})
	if err != nil {
		t.Fatal(err)
	}
	folders, err := fs.Glob(os.DirFS("."), "rules/*/*")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != len(report.Results) {
		t.Errorf("%d folders below rules, %d rules", len(folders), len(report.Results))
	}
	for _, result := range report.Results {
		if want := "rules/" + result.Category + "/" + result.Rule + "/" + result.Rule + ".rego"; result.File != want {
			t.Errorf("%s is in %s, want %s", result.Rule, result.File, want)
		}
		for _, check := range result.Checks {
			for _, fault := range check.Faults {
				t.Errorf("%s:%d: %s: %s", fault.File, fault.Line, check.Name, fault.Message)
			}
		}
		if c := result.Coverage; len(c.Missed) > 0 {
			t.Errorf("%s: no test reaches the lines %v", result.File, c.Missed)
		}
	}
	t.Logf("%d Rego test cases", report.Summary.Tests)
}
