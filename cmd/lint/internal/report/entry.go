package report

import (
	"fmt"
	"slices"
	"strings"
)

// entry is blocks that are edited in the same documents, for the same releases: they are
// shown at once.
type entry []block

// entries returns what is found by what is edited, the worst first.
func entries(findings []Finding) []entry {
	at := map[string]int{}
	var out []entry
	for _, b := range blocks(findings) {
		k := b.documents()
		i, seen := at[k]
		if !seen {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], b)
	}
	return out
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
	return listed(ids)
}
