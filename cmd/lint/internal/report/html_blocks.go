package report

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// pageBlock is what is found by place: causes that say the same, shown by the first.
type pageBlock struct {
	Rule     string         `json:"rule"`
	Severity rules.Severity `json:"severity"`
	// Milder says in which tiers it is milder; Joined is true if the block before is edited in the
	// same documents for the same releases.
	Milder string `json:"milder,omitempty"`
	Joined bool   `json:"joined,omitempty"`
	Title  string `json:"title"`
	// Place is the one to edit.
	Place   Place  `json:"place"`
	Column  int    `json:"column"`
	Happens string `json:"happens"`
	// Shown is the finding by which it is shown, All are all of them.
	Shown    int   `json:"shown"`
	All      []int `json:"all"`
	Releases int   `json:"releases"`
	// Help says what to do, Write is the YAML to write, and HoldsUp says what stands still meanwhile; these
	// two may be empty.
	Help    string `json:"help"`
	Write   string `json:"write"`
	HoldsUp string `json:"holdsUp"`
	// Label says what the further places are.
	Label     string  `json:"label"`
	Elsewhere []Place `json:"elsewhere"`
}

type pageRule struct {
	Title string `json:"title"`
	About string `json:"about"`
}

func pageBlocks(findings []Finding, opts Options, lines *timelines) []pageBlock {
	findings = slices.Clone(findings)
	for i := range findings {
		findings[i].number = i
	}
	out := []pageBlock{}
	for _, e := range entries(findings) {
		for i, b := range e {
			lines.number(b.first().Forecast) // the first are drawn
			out = append(out, opts.pageBlock(b, i > 0))
		}
	}
	return out
}

func (o Options) pageBlock(b block, joined bool) pageBlock {
	f := b.first()
	help, write := o.help(b)
	p := pageBlock{
		Rule: f.Rule, Severity: f.Severity, Milder: b.milder(), Joined: joined, Title: o.title(f),
		Place: Place{File: f.File, Line: f.Line}, Column: f.Column,
		Happens: b.happens(), Shown: f.number, All: []int{}, Releases: width(b.findings()),
		Help: strings.Join(append([]string{help}, b.notes()...), "; "), Write: strings.Join(write, "\n"), HoldsUp: b.heldUp(),
		Label: b.elsewhereLabel(), Elsewhere: orEmpty(b.elsewhere()),
	}
	if site := b[0].site(); site != nil {
		p.Place, p.Column = Place{File: site.File, Line: site.Line}, 0
	}
	for _, found := range b.findings() {
		p.All = append(p.All, found.number)
	}
	return p
}

func pageRules(findings []Finding, opts Options) map[string]pageRule {
	out := map[string]pageRule{}
	for _, f := range findings {
		if rule, ok := opts.rule(f.Rule); ok {
			out[f.Rule] = pageRule{rule.Title, rule.Description}
		}
	}
	return out
}
