package rules_test

import (
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Each row of the table says what, and by which source; rows are in order, once.
func TestCharts(t *testing.T) {
	all := rules.Charts()
	for i, c := range all {
		if c.What == "" || c.Source == "" || !slices.Contains([]string{"deletes", "keeps", "nothing"}, c.Fate) || i > 0 && all[i-1].Name >= c.Name {
			t.Errorf("row %d: %+v", i, c)
		}
		if listed := slices.Contains(rules.DefaultLaw().StatefulCharts, c.Name); listed != (c.Fate != "nothing") {
			t.Errorf("%s is listed: %t", c.Name, listed)
		}
	}
}
