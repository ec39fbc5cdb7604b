package report

import (
	"fmt"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// First names what to repair first, each in a line: at most so many causes of errors and warnings, the
// worst first, of these what concerns the most releases.
func (o Options) First(r Report, most int) []string {
	var lines []string
	for _, e := range entries(r.without(rules.Warning).Findings) {
		if len(lines) == most {
			break
		}
		f := e[0].first()
		when := "then:"
		if len(lines) == 0 {
			when = "repair first:"
		}
		line := fmt.Sprintf("%-13s %s: %s [%s] at %s", when, f.Severity, o.title(f), e.rules(), e[0][0].at())
		if said := e[len(e)-1].counted(); said != "" {
			line += ": " + said
		}
		lines = append(lines, line)
	}
	return lines
}
