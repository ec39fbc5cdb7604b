package starter

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// acceptedFor is how many days the first of what is undetermined is accepted. The others end week by week
// in the following quarter, so that not all come back on one day.
const acceptedFor, weeks = 90, 13

// mostAlike is how many entries say the same: more are one, with lists.
const mostAlike = 3

// What is accepted, after "what is in 2 files".
const unjudged, inPart, unapplied = "could not be judged", "was checked in part", "is applied by no cluster here"

// accepted is all that a run leaves undetermined and that no cluster applies.
type accepted struct {
	Entries []rules.AcceptEntry
	files   map[string]map[string]bool // by what is with them
	Archive *archive                   // nil if there is none
}

// archive is a folder of which no cluster applies a release, and that holds most of what is accepted.
type archive struct {
	Folder    string
	Items, Of int
}

// fewest is how much is accepted where a folder may be called an archive.
const fewest = 5

// archiveOf returns the highest folder with most of what is accepted and nothing that a cluster with releases reads.
func archiveOf(run *judge.Run) *archive {
	above := func(file string) (folders []string) {
		for dir := path.Dir(filepath.ToSlash(file)); dir != "." && dir != "/" && dir != ".."; dir = path.Dir(dir) {
			folders = append(folders, dir)
		}
		return folders
	}
	applied, items := map[string]bool{}, map[string]int{}
	for _, file := range run.Tree.Reads() {
		for _, dir := range above(file) {
			applied[dir] = true
		}
	}
	open := slices.Concat(run.Tree.Undetermined, run.Tree.Unapplied)
	found := &archive{Of: len(open)}
	for _, u := range open {
		for _, dir := range above(u.File) {
			if items[dir]++; !applied[dir] && (items[dir] > found.Items || items[dir] == found.Items && len(dir) < len(found.Folder)) {
				found.Folder, found.Items = dir, items[dir]
			}
		}
	}
	if found.Items < fewest || 2*found.Items <= found.Of {
		return nil
	}
	return found
}

// Glob returns the pattern that matches all that is in the folder.
func (a archive) Glob() string { return escape.Replace(a.Folder) + "/**" }

// String says what is in the folder.
func (a archive) String() string {
	return fmt.Sprintf("%d of the %d items are in %s, of which no cluster here applies a release", a.Items, a.Of, plain.Line(a.Folder))
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

// acceptedOf returns what is accepted of a run: an entry for each file, release and reason, and one for many
// of a reason. It names them all: what is unknown later, for the same reason, is new.
func acceptedOf(run *judge.Run) accepted {
	out := accepted{Archive: archiveOf(run), files: map[string]map[string]bool{unjudged: {}, inPart: {}, unapplied: {}}}
	open := slices.Concat(run.Tree.Undetermined, run.Tree.Unapplied)
	alike := map[[2]string]int{}
	what := func(i int, u release.Undetermined) [2]string {
		is := unjudged
		switch {
		case i >= len(run.Tree.Undetermined):
			is = unapplied
		case u.Severity != "":
			is = inPart
		}
		return [2]string{is, message(u.Reason)}
	}
	for i, u := range open {
		alike[what(i, u)]++
	}
	first := map[[3]string]int{} // by what is alike, in Entries
	for i, u := range open {
		if u.File == "" {
			continue
		}
		of := what(i, u)
		key := [3]string{of[0], of[1], ""}
		if alike[of] <= mostAlike {
			key[2] = u.File + "\x00" + u.Release
		} else if u.Release == "" {
			key[2] = "\x00" // those without a release are of any
		}
		out.files[of[0]][u.File] = true
		at, known := first[key]
		if !known {
			at, first[key] = len(out.Entries), len(out.Entries)
			out.Entries = append(out.Entries, rules.AcceptEntry{
				Message: of[1], Reason: "known since " + rules.DateOf(run.Now).String(),
				Until: rules.DateOf(run.Now.AddDate(0, 0, acceptedFor+7*(len(out.Entries)%weeks))),
			})
		}
		entry := &out.Entries[at]
		entry.Paths = union(entry.Paths, escape.Replace(u.File))
		if u.Release != "" {
			entry.Releases = union(entry.Releases, u.Release)
		}
	}
	for i := range out.Entries {
		entry := &out.Entries[i]
		if len(entry.Paths) == 1 {
			entry.Path, entry.Paths = entry.Paths[0], nil
		}
		if len(entry.Releases) == 1 {
			entry.Release, entry.Releases = entry.Releases[0], nil
		}
	}
	return out
}

func union(all []string, one string) []string {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}

// message returns the part of a reason that says why: the first line, without the advice and the rules that follow.
func message(reason string) string {
	line, _, _ := strings.Cut(reason, "\n")
	line, _, _ = strings.Cut(line, "; ")
	return line
}
