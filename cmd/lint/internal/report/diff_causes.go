package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// causes are what makes findings in the state before.
type knownCauses struct {
	made map[Cause][]Finding // those that nothing waives
	left []*Judged           // releases that are gone, or have another name
	// stood reports whether what makes a finding was there, of a release that could not be judged.
	stood func(Finding) bool
}

// causesOf returns the causes of the state before. What makes the same of a release now as
// it did then, in another file, is one of them: the file has moved.
func causesOf(before Side, followed []pair) knownCauses {
	all := knownCauses{made: map[Cause][]Finding{}, stood: before.Stood}
	for _, p := range followed {
		for _, f := range findingsOf(p.before) {
			all.add(f.Cause(), f)
		}
		if p.before != nil && (p.after == nil || p.former() != nil) {
			all.left = append(all.left, p.before)
		}
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

func (c knownCauses) add(by Cause, f Finding) {
	if f.Waived == nil && by.Field != "" {
		c.made[by] = append(c.made[by], f)
	}
}

// cover reports whether the cause of a finding of a release that was not judged before was
// there, and made what is as bad. A release that may have come in the place of one that was
// not as bad inherits nothing: else two new ones, one of them a copy of the old, would hide
// that it is worse.
func (c knownCauses) cover(j *Judged, f Finding) bool {
	asBad := func(old Finding) bool { return old.Severity.AtLeast(f.Severity) && old.Degree >= f.Degree }
	better := func(old *Judged) bool {
		return old.mayBecome(j) && !slices.ContainsFunc(old.Findings, func(o Finding) bool { return o.Rule == f.Rule && asBad(o) })
	}
	return f.Waived == nil && slices.ContainsFunc(c.made[f.Cause()], asBad) && !slices.ContainsFunc(c.left, better)
}

// hasStood reports whether what is undetermined was there, behind what could not be judged.
func (c knownCauses) hasStood(u release.Undetermined) bool {
	_, name, _ := strings.Cut(u.Release, "/")
	return c.stood != nil && c.stood(Finding{Subject: Subject{Release: release.Name{Name: name}}, Position: Position{File: u.File}})
}

// mayBecome reports whether a release that is new may be what another one was: it has its
// cluster, and its name, its file or its chart.
func (j *Judged) mayBecome(now *Judged) bool {
	return j.Cluster == now.Cluster && (j.Name.Name == now.Name.Name || j.File == now.File || j.Chart != "" && j.Chart == now.Chart)
}

// inherit sets aside what a release that was not judged before has by causes that were
// there. To a release that was, all that gets worse is news.
func (c *Change) inherit(known knownCauses, j *Judged) {
	cover := func(f Finding) bool {
		return known.cover(j, f) || c.WasUnknown != nil && known.stood != nil && f.Waived == nil && known.stood(f)
	}
	c.Inherited = slices.DeleteFunc(slices.Clone(c.Gained), func(f Finding) bool { return !cover(f) })
	c.Gained = slices.DeleteFunc(c.Gained, cover)
}

// inherited returns the findings of new releases under known knownCauses, by cause.
func (d Diff) inherited() [][]Finding {
	var all []Finding
	for _, c := range d.Changes {
		all = append(all, c.Inherited...)
	}
	return words.Alike[[]Finding](merge(all), Finding.Cause)
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
	return words.Count(len(names(group)), "more release") + ", " + releases(group)
}

// setAside takes from what is new of a release what only the new policy reports, and was there before. It is returned, or
// inherited if its release is new and its cause is not. A finding stays new if the policy of either state alone reports of the
// release, in whatever cluster and at whatever path, that the change breaks the same rule or another one as badly: a change
// could break a release and bring in a rule that reports all releases, the broken one too.
func (c *Change) setAside(alone []Diff) []Finding {
	if len(alone) == 0 || len(c.Gained) == 0 {
		return nil
	}
	var broken []Finding
	inherits := false
	for _, d := range alone {
		for _, o := range d.Changes {
			if o.Name != c.Name && (o.File != c.File || o.Line != c.Line) {
				continue
			}
			if o.Unknown != nil {
				return nil
			}
			broken, inherits = append(broken, o.Gained...), inherits || len(o.Inherited) > 0
		}
		if slices.ContainsFunc(d.Undetermined, func(u release.Undetermined) bool { return u.Release == c.Name.String() || u.File == c.File }) {
			return nil
		}
	}
	var known []Finding
	c.Gained = kept(c.Gained, func(f Finding) bool {
		breaks := func(b Finding) bool { return b.Rule == f.Rule || b.Severity.AtLeast(f.Severity) }
		if f.Waived != nil || slices.ContainsFunc(broken, breaks) {
			return true
		}
		known = append(known, f)
		return false
	})
	if len(known) > 0 {
		c.Lost = kept(c.Lost, func(f Finding) bool { return alone[0].loses(*c, f) })
	}
	if inherits {
		c.Inherited, known = append(c.Inherited, known...), nil
	}
	return known
}

// loses reports whether a release loses a finding.
func (d Diff) loses(c Change, f Finding) bool {
	return slices.ContainsFunc(d.Changes, func(o Change) bool {
		return o.Name == c.Name && o.Cluster == c.Cluster && slices.ContainsFunc(o.Lost, func(l Finding) bool { return l.Rule == f.Rule && l.Path == f.Path })
	})
}
