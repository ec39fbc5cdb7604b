package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
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

// onePolicy is what a change makes under one policy alone: the findings of the state after that are new or worse, or
// inherited, and what is undetermined only there.
type onePolicy struct {
	gained, inherited map[findingKey]bool // without a cluster, too: a policy may name clusters otherwise
	undetermined      map[release.Undetermined]bool
	all               spread // the releases
}

// findingKey is what a finding of a state is told from the others by.
type findingKey struct {
	release.Name
	cluster, file string
	line          int
	rule, path    string
}

func (c Change) key(f Finding) findingKey {
	return findingKey{c.Name, c.Cluster, c.File, c.Line, f.Rule, f.Path}
}

func (d Diff) onePolicy() onePolicy {
	p := onePolicy{map[findingKey]bool{}, map[findingKey]bool{}, map[release.Undetermined]bool{}, d.over}
	note := func(in map[findingKey]bool, k findingKey) {
		in[k] = true
		k.cluster = ""
		in[k] = true
	}
	for _, c := range d.Changes {
		for _, f := range c.Gained {
			note(p.gained, c.key(f))
		}
		for _, f := range c.Inherited {
			note(p.inherited, c.key(f))
		}
	}
	for _, u := range d.Undetermined {
		p.undetermined[u.Identity()] = true
	}
	return p
}

// setAside takes from what is new of a release what the change makes new or worse under neither policy alone: it was there
// before, and only the new policy reports it. It is returned, or inherited if its release is new and its cause is not.
//
// Each policy alone must agree. Under the new one only, a change could break a release and bring in a rule that reports all
// releases, the broken one too. Under the old one only, it could break the new rule at once.
func (c *Change) setAside(alone []onePolicy) []Finding {
	var existing []Finding
	if len(alone) == 0 {
		return nil
	}
	c.Gained = kept(c.Gained, func(f Finding) bool {
		in := func(list func(onePolicy) map[findingKey]bool) bool {
			return slices.ContainsFunc(alone, func(p onePolicy) bool {
				k := c.key(f)
				if !p.all[[2]string{c.Name.String(), c.Cluster}] {
					k.cluster = ""
				}
				return list(p)[k]
			})
		}
		switch {
		case f.Waived != nil, in(func(p onePolicy) map[findingKey]bool { return p.gained }):
			return true
		case in(func(p onePolicy) map[findingKey]bool { return p.inherited }):
			c.Inherited = append(c.Inherited, f)
		default:
			existing = append(existing, f)
		}
		return false
	})
	return existing
}

// acceptExisting accepts what is as undetermined under either policy alone, and what only rules leave open that are new or
// that were open before. Where a release is no longer judged, nothing is: whether the policy hides it is not told apart.
func (d *Diff) acceptExisting(alone []onePolicy, followed []pair, rule func(string) (rules.Rule, bool)) {
	if len(alone) == 0 || slices.ContainsFunc(d.Changes, func(c Change) bool { return c.Unknown != nil }) {
		return
	}
	open := map[string][]string{}
	for _, p := range followed {
		if p.before != nil && p.after != nil {
			open[p.after.Name.String()+"\n"+p.after.Cluster] = p.before.Open
		}
	}
	for i, u := range d.Undetermined {
		checked := u.Rules != "" && slices.ContainsFunc(strings.Split(u.Rules, ", "), func(id string) bool {
			_, known := rule(id)
			return known && !slices.Contains(open[u.Release+"\n"+u.Cluster], id)
		})
		by := func(p onePolicy) bool { return p.undetermined[u.Identity()] }
		if u.Accepted == "" && !checked && !slices.ContainsFunc(alone, by) {
			d.Undetermined[i].Accepted = "with the policy: it was as unknown in " + d.Base
		}
	}
}
