package starter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// acceptedFor is how many days the first of what is undetermined is accepted. The others end week by week
// in the following quarter, so that not all come back on one day.
const acceptedFor, weeks = 90, 13

// acceptance is an entry of spec.undetermined.accept.
type acceptance struct {
	rules.AcceptEntry
	is string // of what is in the file
}

// What is accepted, after "what is in 2 files".
const unjudged, inPart, unapplied = "could not be judged", "was checked in part", "is applied by no cluster here"

// open says of how many files what is accepted.
func (c Configuration) open() []string {
	var out []string
	for _, is := range []string{unjudged, inPart, unapplied} {
		files := map[string]bool{}
		for _, a := range c.Accept {
			if a.is == is {
				files[a.Path] = true
			}
		}
		if len(files) > 0 {
			out = append(out, "what is in "+words.Count(len(files), "file")+" "+is)
		}
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
// applies: one for each file, release and reason.
func acceptances(run *judge.Run) []acceptance {
	entry := rules.AcceptEntry{Reason: "known since " + rules.DateOf(run.Now).String()}
	var out []acceptance
	for i, u := range slices.Concat(run.Tree.Undetermined, run.Tree.Unapplied) {
		entry.Path, entry.Release, entry.Message = escape.Replace(u.File), u.Release, message(u.Reason)
		if u.File != "" && !slices.ContainsFunc(out, func(a acceptance) bool {
			return a.Path == entry.Path && a.Release == entry.Release && strings.Contains(u.Reason, a.Message)
		}) {
			entry.Until = rules.DateOf(run.Now.AddDate(0, 0, acceptedFor+7*(len(out)%weeks)))
			is := unjudged
			switch {
			case i >= len(run.Tree.Undetermined):
				is = unapplied
			case u.Severity != "":
				is = inPart
			}
			out = append(out, acceptance{entry, is})
		}
	}
	return out
}

// message returns the part of a reason that says why: the first line, without the advice and the rules that follow.
func message(reason string) string {
	line, _, _ := strings.Cut(reason, "\n")
	line, _, _ = strings.Cut(line, "; ")
	return line
}
