package report

import (
	"fmt"
	"slices"
)

// causes are the findings of a state that nothing waives, by what makes them.
type causes map[Cause][]Finding

// causesOf returns the causes of the state before. What makes the same of a release now as
// it did then, in another file, is one of them: the file has moved.
func causesOf(before Side, followed []pair) causes {
	all := causes{}
	for _, j := range before.Releases {
		for _, f := range j.Findings {
			all.add(f.Cause(), f)
		}
	}
	for _, p := range followed {
		if p.before == nil || p.after == nil {
			continue
		}
		for _, f := range p.after.Findings {
			same := func(old Finding) bool {
				return old.Rule == f.Rule && old.Path == f.Path && old.Field == f.Field && old.File != f.File
			}
			if i := slices.IndexFunc(p.before.Findings, same); i >= 0 {
				all.add(f.Cause(), p.before.Findings[i])
			}
		}
	}
	return all
}

func (c causes) add(by Cause, f Finding) {
	if f.Waived == nil && by.Field != "" {
		c[by] = append(c[by], f)
	}
}

// cover reports whether the cause of a finding was there, and made what is as bad.
func (c causes) cover(f Finding) bool {
	return f.Waived == nil && slices.ContainsFunc(c[f.Cause()], func(old Finding) bool {
		return old.Severity.AtLeast(f.Severity) && old.Degree >= f.Degree
	})
}

// inherit sets aside what a release that was not judged before has by causes that were
// there. To a release that was, all that gets worse is news.
func (c *Change) inherit(known causes) {
	c.Inherited = slices.DeleteFunc(slices.Clone(c.Gained), func(f Finding) bool { return !known.cover(f) })
	c.Gained = slices.DeleteFunc(c.Gained, known.cover)
}

// inherited returns the findings of new releases under known causes, by cause.
func (d Diff) inherited() [][]Finding {
	var all []Finding
	for _, c := range d.Changes {
		all = append(all, c.Inherited...)
	}
	at := map[Cause]int{}
	var out [][]Finding
	for _, f := range merge(all) {
		i, seen := at[f.Cause()]
		if !seen {
			i = len(out)
			at[f.Cause()] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], f)
	}
	return out
}

// knownCause says of findings of one cause which rule it is of, and what writes it.
func knownCause(group []Finding) string {
	f := group[0]
	text := fmt.Sprintf("%s %s", f.Severity, f.Rule)
	if len(f.Provenance) > 0 {
		text += inBrackets(f.Provenance[0].What)
	}
	return text
}

// reached names the releases that a known cause has got, for the end of a sentence.
func reached(group []Finding) string {
	var all []string
	for _, f := range group {
		all = append(all, f.Release.String())
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return count(len(all), "more release") + ", " + releases(group)
}
