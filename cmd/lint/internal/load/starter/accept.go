package starter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// acceptedFor is how many days the first of what is undetermined is accepted. The others end week by week
// in the following quarter, so that not all come back on one day.
const acceptedFor, weeks = 90, 13

// acceptance is an entry of spec.undetermined.accept.
type acceptance struct {
	rules.AcceptEntry
	Why       string // in a line
	unapplied bool
}

// open says how many files are accepted, and for which of the two reasons.
func (c Configuration) open() []string {
	unapplied := 0
	for _, a := range c.Accept {
		if a.unapplied {
			unapplied++
		}
	}
	var out []string
	if n := len(c.Accept) - unapplied; n > 0 {
		out = append(out, words.Count(n, "file")+" could not be judged")
	}
	if unapplied > 0 {
		out = append(out, "what is in "+words.Count(unapplied, "file")+" is applied by no cluster here")
	}
	return out
}

// ends says until when all is accepted.
func (c Configuration) ends() string {
	first, last := c.Accept[0].Until, c.Accept[min(len(c.Accept), weeks)-1].Until
	if first == last {
		return "until " + first.String()
	}
	return fmt.Sprintf("until %s and, one after the other, until %s", first, last)
}

// acceptances returns entries that accept all that a run leaves undetermined and that no cluster
// applies: one for each file.
func acceptances(run *judge.Run) []acceptance {
	entry := rules.AcceptEntry{Reason: "known since " + rules.DateOf(run.Now).String()}
	var out []acceptance
	for i, u := range slices.Concat(run.Tree.Undetermined, run.Tree.Unapplied) {
		entry.Path = escape.Replace(u.File)
		if u.File != "" && !slices.ContainsFunc(out, func(a acceptance) bool { return a.Path == entry.Path }) {
			entry.Until = rules.DateOf(run.Now.AddDate(0, 0, acceptedFor+7*(len(out)%weeks)))
			out = append(out, acceptance{entry, plain.Line(strings.ReplaceAll(u.Reason, "\n", " ")), i >= len(run.Tree.Undetermined)})
		}
	}
	return out
}
