package repair

import (
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Of two changes that want different values of one place, the one for the worse finding is
// made first, and the other one waits. Neither is made if they are as bad.
func TestCompatible(t *testing.T) {
	wants := func(value string, severity rules.Severity, names ...string) change {
		c := change{edits: []effective.Edit{{File: "a.yaml", At: yamledit.Address{{Path: []any{"spec", "patches"}}}, Value: value}}}
		for _, name := range names {
			c.targets = append(c.targets, target{release: identity{name: release.Name{Name: name}}, finding: rules.Finding{Rule: value, Severity: severity}})
		}
		return c
	}
	tests := map[string]struct {
		plan    []change // in their order
		kept    string   // what the one that is kept wants
		refused int
	}{
		"worse first":        {[]change{wants("x", rules.Error, "a"), wants("y", rules.Info, "b")}, "x", 0},
		"milder first":       {[]change{wants("x", rules.Info, "a", "b"), wants("y", rules.Error, "c")}, "y", 0},
		"as bad":             {[]change{wants("x", rules.Error, "a"), wants("y", rules.Error, "b")}, "", 2},
		"of one release":     {[]change{wants("x", rules.Info, "a", "b"), wants("y", rules.Error, "b")}, "x", 0},
		"the same":           {[]change{wants("x", rules.Info, "a")}, "x", 0},
		"worst of all three": {[]change{wants("x", rules.Info, "a"), wants("y", rules.Warning, "b"), wants("z", rules.Error, "c")}, "z", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPlanner(Options{}, nil)
			got := ""
			for _, c := range p.compatible(tt.plan) {
				got += c.edits[0].Value.(string)
			}
			if got != tt.kept || len(p.refused) != tt.refused {
				t.Errorf("kept %q, refused %d; want %q, %d", got, len(p.refused), tt.kept, tt.refused)
			}
		})
	}
}
