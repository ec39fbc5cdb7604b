package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// remedies know how findings go away, from where their fields are written alone: nothing is
// tried. Whether a release objects, only a [Repairer] finds out.
type remedies struct {
	central map[string]*report.Site // by finding
	unable  map[string]string       // by cause and fix, why --fix cannot write it
	written map[string]string       // by edits, what they write
}

// Remedies returns a function that says of a finding how it goes away. With central, one
// patch for many releases is proposed where nothing decides yet.
func Remedies(all []judge.Release, central bool) func(judge.Release, rules.Finding) *report.Remedy {
	r := &remedies{central: map[string]*report.Site{}, unable: map[string]string{}, written: map[string]string{}}
	if central {
		r.propose(all)
	}
	return r.of
}

func (r *remedies) of(in judge.Release, f rules.Finding) *report.Remedy {
	if f.Fix == nil {
		return nil
	}
	out := &report.Remedy{Kind: "unsafe", Unable: r.unableTo(in, f), Central: r.central[findingKey(identityOf(in), f)]}
	if f.Fix.Safe {
		out.Kind = "safe"
	}
	if out.Unable != "" {
		out.Kind = ""
	}
	var set []rules.Edit
	for _, e := range f.Fix.Set {
		if e.Value == nil {
			out.Remove = append(out.Remove, e.Path.String())
		} else {
			set = append(set, e)
		}
	}
	out.Lines = lines(in.Mask(r.text(set)))
	return out
}

// text returns what edits write.
func (r *remedies) text(set []rules.Edit) string {
	key := fmt.Sprintf("%#v", set)
	text, known := r.written[key]
	if !known {
		text = flux.Written(set)
		r.written[key] = text
	}
	return text
}

// unableTo says why no file can be edited for a fix; empty if one can. It is the same for
// all findings of a cause.
func (r *remedies) unableTo(in judge.Release, f rules.Finding) string {
	key := fmt.Sprint(in.Cause(f), f.Fix.Set)
	why, known := r.unable[key]
	if !known {
		edits, err := editsOf(in, f.Fix)
		switch {
		case err != nil:
			why = err.Error()
		case len(edits) == 0:
			why = "nothing is written that could be changed"
		}
		r.unable[key] = why
	}
	return why
}

// propose finds the patches that repair the most findings, each finding by one patch. A
// patch that would change a release that is set otherwise is none.
func (r *remedies) propose(all []judge.Release) {
	p := newPlanner(Options{Unsafe: true, Central: true})
	sites := map[flux.Writer][]judge.Release{}
	candidates := p.candidates(all)
	if len(candidates) == 0 {
		return
	}
	for _, in := range all {
		for _, site := range in.PatchSites() {
			sites[site.Writer] = append(sites[site.Writer], in)
		}
	}
	for _, c := range candidates {
		c = c.without(func(t target) bool { return r.central[findingKey(t.release, t.finding)] != nil || unnamed(t.of) })
		if len(c.names()) < 2 {
			continue
		}
		site := c.site(sites[c.at.Writer])
		if site == nil {
			continue
		}
		for _, t := range c.targets {
			r.central[findingKey(t.release, t.finding)] = site
		}
	}
}

// unnamed reports whether a patch cannot name a release: a variable stands in its name, which
// patches see before it is substituted, or a Secret supplies part of it, which no report may
// tell.
func unnamed(r judge.Release) bool {
	name := r.WrittenName()
	return r.NameSubstituted() || r.Mask(name) != name
}

// without returns the candidate for the other findings.
func (c centralCandidate) without(done func(target) bool) centralCandidate {
	out := centralCandidate{at: c.at, set: c.set}
	for i, t := range c.targets {
		if !done(t) {
			out.releases, out.targets = append(out.releases, c.releases[i]), append(out.targets, t)
		}
	}
	return out
}

// site returns what to write in the place of the candidate, given the releases that a patch
// there reaches; nil if nothing fits.
func (c centralCandidate) site(reached []judge.Release) *report.Site {
	var names []string
	if slices.ContainsFunc(reached, func(other judge.Release) bool { return !sameAround(other, c.releases[0], c.set) }) {
		names = c.names()
	}
	text := c.releases[0].Mask(c.at.Written(c.set, names))
	if text == "" {
		return nil
	}
	return &report.Site{Place: report.Place{File: c.at.File, Line: c.at.Line, What: c.at.What}, Lines: lines(text)}
}

func findingKey(of identity, f rules.Finding) string { return fmt.Sprint(of, f.Rule, f.Path) }

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
