package repair

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestObjectionsOfOneFile: where every release of a file objects to its own repair alone, the tree is looked at as
// often for many as for two.
func TestObjectionsOfOneFile(t *testing.T) {
	engine := newEngine(t)
	looks := func(n int) int {
		file := filepath.Join(t.TempDir(), "a.yaml")
		var documents []string
		for i := range n {
			documents = append(documents, fmt.Sprintf("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: r%d, namespace: apps}\nspec:\n  interval: 1h\n  chartRef: {kind: OCIRepository, name: x}\n", i))
		}
		writeFile(t, file, []byte(strings.Join(documents, "---\n")))
		f := repairerOf(t, engine, &rules.Config{}, file, []string{"safe"}, nil, func(*effective.Release) {})
		look, looked := f.look, 0
		f.look = func(changes map[string][]byte) (judge.State, error) {
			looked++
			next, err := look(changes)
			for i, r := range next.Releases {
				if r.Release.Object["spec"].(map[string]any)["upgrade"] != nil {
					next.Releases[i].Verdict.Findings = append(slices.Clip(r.Verdict.Findings), rules.Finding{Rule: "x/new", Severity: rules.Error})
				}
			}
			return next, err
		}
		if err := f.Run(); err != nil {
			t.Fatal(err)
		}
		if left := len(f.Left()); len(f.made) > 0 || left < n {
			t.Errorf("made %d repairs, left %d of %d", len(f.made), left, n)
		}
		return looked
	}
	if two, many := looks(2), looks(9); two != many {
		t.Errorf("looks at the tree: %d for two releases, %d for nine", two, many)
	}
}
