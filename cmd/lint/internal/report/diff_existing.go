package report

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// existing are lines about what only the new policy reports and was there before: one for each rule and severity.
func existing(all []Finding) []string {
	type kind struct {
		severity rules.Severity
		rule     string
	}
	groups := words.Alike[[]Finding](all, func(f Finding) kind { return kind{f.Severity, f.Rule} })
	slices.SortStableFunc(groups, func(a, b []Finding) int { return a[0].Severity.Rank() - b[0].Severity.Rank() })
	return words.Of(groups, func(of []Finding) string {
		places := words.Distinct(words.Of(of, func(f Finding) string { return place(f.File, f.Line, f.Column) }))
		return fmt.Sprintf("%s %s: %s, at %s", of[0].Severity, of[0].Rule, releases(of), words.First(places, some, "place"))
	})
}

// existingHead is the head of these lines; from names the state before.
func existingHead(from string) string {
	return "Only the new policy reports this, and " + from + " has it as well; it does not count as new"
}
