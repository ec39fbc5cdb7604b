package starter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// acceptedFor is how many days the first of what is undetermined is accepted. The others end week by week
// in the following quarter, so that not all come back on one day.
const acceptedFor, weeks = 90, 13

// mostAccepted is how many entries say the same of one file, or of the templates of one folder: more are one.
const mostAccepted = 3

// What is accepted, after "what is in 2 files".
const unjudged, inPart, unapplied = "could not be judged", "was checked in part", "is applied by no cluster here"

// accepted is all that a run leaves undetermined and that no cluster applies.
type accepted struct {
	Entries []rules.AcceptEntry
	files   map[string]map[string]bool // by what is with them
}

// open says of how many files what is accepted.
func (a accepted) open() []string {
	var out []string
	for _, is := range []string{unjudged, inPart, unapplied} {
		if n := len(a.files[is]); n > 0 {
			out = append(out, "what is in "+words.Count(n, "file")+" "+is)
		}
	}
	return out
}

// ends says until when all is accepted.
func (a accepted) ends() string {
	first, last := a.Entries[0].Until, a.Entries[min(len(a.Entries), weeks)-1].Until
	if first == last {
		return "until " + first.String()
	}
	return fmt.Sprintf("until %s and, one after the other, until %s", first, last)
}

// acceptedOf returns what is accepted of a run: an entry for each file, release and reason.
func acceptedOf(run *judge.Run) accepted {
	out := accepted{files: map[string]map[string]bool{unjudged: {}, inPart: {}, unapplied: {}}}
	releases, templates := map[[2]string]int{}, map[string][]string{}
	for _, u := range run.Tree.Unapplied {
		releases[[2]string{u.File, message(u.Reason)}]++
	}
	for _, u := range run.Tree.Undetermined {
		if u.Release == "" && u.Cluster == "" {
			templates[message(u.Reason)] = append(templates[message(u.Reason)], u.File)
		}
	}
	for i, u := range slices.Concat(run.Tree.Undetermined, run.Tree.Unapplied) {
		if u.File == "" {
			continue
		}
		entry := rules.AcceptEntry{Path: escape.Replace(u.File), Release: u.Release, Message: message(u.Reason), Reason: "known since " + rules.DateOf(run.Now).String()}
		is := unjudged
		switch of := templates[entry.Message]; {
		case i >= len(run.Tree.Undetermined):
			is = unapplied
			if releases[[2]string{u.File, entry.Message}] > mostAccepted {
				entry.Release = ""
			}
		case u.Severity != "":
			is = inPart
		case len(of) > mostAccepted && slices.Contains(of, u.File) && tree.Common(of) != ".":
			entry.Path = escape.Replace(tree.Common(of)) + "/**"
		}
		out.files[is][u.File] = true
		if !slices.ContainsFunc(out.Entries, func(a rules.AcceptEntry) bool {
			return a.Path == entry.Path && a.Release == entry.Release && strings.Contains(u.Reason, a.Message)
		}) {
			entry.Until = rules.DateOf(run.Now.AddDate(0, 0, acceptedFor+7*(len(out.Entries)%weeks)))
			out.Entries = append(out.Entries, entry)
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
