package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// remedies know how findings go away, from where their fields are written and from what releases become with
// them. The tree is not built again: what only that shows, a [Repairer] finds out.
type remedies struct {
	*foresight
	mixed   bool
	central map[string]*report.Site // by finding
	means   map[string]means        // by cause and fix
	costs   map[string]report.Cost  // by settings and edits
	humans  forecast.Humans
	written map[string]string             // by edits, what they write, and by another fix, what is said of it
	oldest  map[string]release.Controller // by file; nil if all are of one version
}

// Remedies returns a function that says of a finding how it goes away: what --fix writes then. With central,
// one patch for many releases is proposed where nothing decides yet.
func Remedies(now judge.State, foresee Foresee, central bool) func(judge.Release, rules.Finding) *report.Remedy {
	all := now.Releases
	r := &remedies{foresight: newForesight(now, foresee), mixed: isMixed(all), central: map[string]*report.Site{}, means: map[string]means{}, costs: map[string]report.Cost{}, humans: forecast.Humans{}, written: map[string]string{}}
	if r.mixed {
		r.age(all)
	}
	if central {
		r.propose(all)
	}
	return r.of
}

func (r *remedies) of(in judge.Release, f rules.Finding) *report.Remedy {
	if f.Fix == nil {
		return nil
	}
	central := r.central[exactKey(identityOf(in), f)]
	var means means
	if central == nil {
		f.Fix, means = r.wayOf(in, f)
	} else {
		means = r.meansOf(in, f, f.Fix)
	}
	out := &report.Remedy{Kind: means.kind, Unable: means.unable, Above: !f.Fix.OfRelease(), Selected: f.Fix.OnlySelected || f.Severity == rules.Info, Central: central}
	var set []rules.Edit
	for _, e := range f.Fix.Set {
		if e.Value == nil {
			out.Remove = append(out.Remove, e.Path.String())
		} else {
			set = append(set, e)
		}
	}
	out.Lines = lines(in.Mask(r.text(set, func() string { return effective.Written(set) })))
	out.Other = func() string { return in.Mask(r.otherOf(in, f, means)) }
	if in.Awaits(f) {
		out.Kind, out.Unable, out.Other, out.Central = "", "--fix writes nothing for a release that is suspended", nil, nil
	}
	if out.Kind != "" && in.KnownSettings() {
		out.Cost = func() report.Cost { return r.cost(in.Release, f.Fix.Set) }
	}
	return out
}

// otherOf says how to choose the other class, or why the first way is not taken; empty if there is no choice, or if
// somebody objects to what it writes.
func (r *remedies) otherOf(in judge.Release, f rules.Finding, taken means) string {
	if f.Fix.Other == nil {
		return taken.instead
	}
	other := *f.Fix.Other
	fix := &rules.Fix{Safe: other.Safe, Set: other.Set}
	means := r.meansOf(in, f, fix)
	if means.kind != "" && (r.rival(means.edits) != "" || r.objection(in, fix, means.edits) != "") {
		return ""
	}
	return r.text([]any{other, means.kind}, func() string { return otherText(other, means.kind) })
}

// age takes note of the oldest controller that each file decides for.
func (r *remedies) age(all []judge.Release) {
	r.oldest = map[string]release.Controller{}
	for _, of := range all {
		for _, d := range of.DecidedIn() {
			if old, known := r.oldest[d.File.Name]; !known || !of.Controller.AtLeast(old.Version) {
				r.oldest[d.File.Name] = of.Controller
			}
		}
	}
}

// wayOf returns the fix of a finding that is written, and by which means: the first way of which every controller
// that the file decides for has the fields, and to which nobody objects. Without any, it is the first.
func (r *remedies) wayOf(in judge.Release, f rules.Finding) (*rules.Fix, means) {
	first := r.meansOf(in, f, f.Fix)
	if why := r.rival(first.edits); why != "" {
		return f.Fix, means{unable: why}
	}
	for _, w := range waysTo(target{of: in, finding: f}, r.mixed) {
		m := r.meansOf(in, f, &w.Fix)
		if m.kind != "" && all(m.edits, func(e effective.Edit) bool { return r.oldest == nil || hasFields(r.oldest[e.File], w.Set) }) {
			if m.unable = r.objection(in, &w.Fix, m.edits); m.unable == "" {
				if !f.Fix.Safe {
					m.kind = "unsafe" // the first way is not tried without
				}
				if w.as != "" {
					m.instead = w.as + " " + first.unable
				}
				return &w.Fix, m
			}
		}
		if first.unable == "" {
			first.kind, first.unable = "", m.unable
		}
	}
	return f.Fix, first
}

// hasFields reports whether a controller has the fields that edits write.
func hasFields(c release.Controller, set []rules.Edit) bool {
	return all(set, func(e rules.Edit) bool {
		for n := range e.Path {
			if since := release.Since(release.FieldAdded, e.Path[min(1, n):n].String()); e.Value != nil && since != "" && !c.AtLeast(since) {
				return false
			}
		}
		return true
	})
}

// cost returns what edits of a release bring with them. It is the same for all that are set alike.
func (r *remedies) cost(of *effective.Release, set []rules.Edit) report.Cost {
	was := *of.Settings
	was.Target = release.Target{}
	key := fmt.Sprint(was, of.Controller, set)
	out, known := r.costs[key]
	if !known {
		is := of.Edited(set)
		out = report.Cost{NeedsHuman: newHuman(of.Release, is.Release, r.humans)}
		if recovers := func(e rules.Edit) bool {
			return len(e.Path) > 2 && (e.Path[2] == "strategy" || e.Path[2] == "remediation")
		}; slices.ContainsFunc(set, recovers) {
			out.Stays = idleLooking(is, r.humans)
		}
		r.costs[key] = out
	}
	return out
}

// text returns the text that is made of something, once.
func (r *remedies) text(of any, make func() string) string {
	key := fmt.Sprintf("%#v", of)
	text, known := r.written[key]
	if !known {
		text = make()
		r.written[key] = text
	}
	return text
}

// means says how a fix is written: by which kind of --fix, or why by none.
type means struct {
	kind, unable string
	instead      string // why it is not the first way; empty if it is
	edits        []effective.Edit
}

// meansOf returns the means of a fix of a finding. They are the same for all findings of a cause.
func (r *remedies) meansOf(in judge.Release, f rules.Finding, fix *rules.Fix) means {
	key := fmt.Sprint(in.Cause(f), fix.Set)
	out, known := r.means[key]
	if known {
		return out
	}
	edits, err := editsOf(in, fix)
	out.edits = edits
	switch {
	case err != nil:
		out.unable = err.Error()
	case len(edits) == 0:
		out.unable = "nothing is written that could be changed"
	case fix.Safe && !replaces(edits):
		out.kind = "safe"
	default:
		out.kind = "unsafe"
	}
	if why := tangled(in, edits); why != "" {
		out.kind, out.unable = "", why
	}
	r.means[key] = out
	return out
}

// propose finds the patches that repair the most findings, each finding by one patch. A
// patch that would change a release that is set otherwise is none.
func (r *remedies) propose(all []judge.Release) {
	p := newPlanner(Options{Unsafe: true, Central: true}, all)
	for _, c := range p.candidates(all) {
		c = c.without(func(t target) bool { return r.central[exactKey(t.release, t.finding)] != nil || c.unnamed(t) })
		if len(c.releases) > 0 && (c.above() || len(c.selectors()) == 0) {
			c = c.without(c.hasNamesake)
		}
		if len(c.names()) < 2 {
			continue
		}
		site := c.site()
		if site == nil {
			continue
		}
		for _, t := range c.targets {
			r.central[exactKey(t.release, t.finding)] = site
		}
	}
}

// unnamed reports whether a patch cannot name what is edited of a release: a variable stands in its name, which
// patches see before it is substituted, or a Secret supplies part of it, which no report may
// tell.
func (c centralCandidate) unnamed(t target) bool {
	of := c.subject(t.of)
	name := of.WrittenName()
	return of.NameSubstituted() || t.of.Mask(name) != name
}

// hasNamesake reports whether a patch cannot name a release without one that is set otherwise, in
// another namespace or cluster.
func (c centralCandidate) hasNamesake(t target) bool {
	name := c.subject(t.of).WrittenName()
	return slices.ContainsFunc(c.reached, func(other judge.Release) bool {
		return c.subject(other).WrittenName() == name && !sameAround(other, t.of, c.set)
	})
}

// without returns the candidate for the other findings.
func (c centralCandidate) without(done func(target) bool) centralCandidate {
	out := centralCandidate{at: c.at, set: c.set, reached: c.reached, all: c.all}
	for i, t := range c.targets {
		if !done(t) {
			out.releases, out.targets = append(out.releases, c.releases[i]), append(out.targets, t)
		}
	}
	return out
}

// site returns what to write in the place of the candidate; nil if nothing fits.
func (c centralCandidate) site() *report.Site {
	var to effective.Target
	if c.above() {
		to.Names = c.names()
	} else if slices.ContainsFunc(c.others(), func(other judge.Release) bool { return !sameAround(other, c.releases[0], c.set) }) {
		to = append(c.selectors(), effective.Target{Names: c.names()})[0]
	}
	if !c.above() && to.Names != nil && c.few() {
		return nil
	}
	text := c.releases[0].Mask(c.at.Written(c.set, to))
	if text == "" {
		return nil
	}
	return &report.Site{Place: report.Place{File: c.at.File, Line: c.at.Line, What: c.at.What}, Lines: lines(text), Releases: c.width()}
}

// width counts the releases of the candidate: one in several clusters once.
func (c centralCandidate) width() int {
	names := map[release.Name]bool{}
	for _, r := range c.releases {
		names[r.ID()] = true
	}
	return len(names)
}

// exactKey names a finding of a release of one cluster.
func exactKey(of identity, f rules.Finding) string { return of.key() + findingKey(of, f) }

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
