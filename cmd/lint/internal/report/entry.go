package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// entry is blocks that are edited in the same documents, for the same releases: they are
// shown at once.
type entry []block

// entries returns what is found by what is edited, the worst first.
func entries(findings []Finding) []entry {
	return words.Alike[entry](blocks(findings), block.documents)
}

// documents names what is to be edited for a block, and for which releases.
func (b block) documents() string {
	var all []string
	for _, c := range b {
		object := strings.Fields(c.Field)
		if len(object) == 0 { // made by no field
			all = append(all, c.at()+" "+c.Rule)
			continue
		}
		all = append(all, fmt.Sprintf("%s %q", c.File, object[:min(2, len(object))]))
	}
	slices.Sort(all)
	return fmt.Sprintf("%q %q", slices.Compact(all), names(b.findings()))
}

// rules names the rules of an entry, each once.
func (e entry) rules() string {
	var ids []string
	for _, b := range e {
		if id := b.first().Rule; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return words.List(ids)
}

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
		if reach := e[len(e)-1].counted(" releases"); reach != "" {
			line += ": " + reach
		}
		lines = append(lines, line)
	}
	return lines
}
