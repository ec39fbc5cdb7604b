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
	Title  int    `json:"title"` // of Texts
	// Place is the one to edit.
	Place  int `json:"place"`
	Column int `json:"column"`
	// Happens says what happens, and is of Texts.
	Happens int `json:"happens"`
	// Shown is the finding by which it is shown, All are all of them.
	Shown    int   `json:"shown"`
	All      []int `json:"all"`
	Releases int   `json:"releases"`
	// Help says what to do, and Write is the YAML to write; of Texts, -1 if it is not known.
	Help  int `json:"help"`
	Write int `json:"write"`
	// HoldsUp says what stands still meanwhile, and is of Texts; -1 if nothing does.
	HoldsUp int `json:"holdsUp"`
	// Label says what the further places are.
	Label     string `json:"label"`
	Elsewhere []int  `json:"elsewhere"` // of Places
}

// pageRule is what a rule is about.
type pageRule struct {
	Title string `json:"title"`
	About string `json:"about"`
}

// blocks adds what is found by place.
func (t *tables) blocks(findings []Finding, opts Options) []pageBlock {
	findings = slices.Clone(findings)
	for i := range findings {
		findings[i].number = i
	}
	out := []pageBlock{}
	for _, e := range entries(findings) {
		for i, b := range e {
			p := t.block(b, opts)
			p.Joined = i > 0
			out = append(out, p)
		}
	}
	return out
}

func (t *tables) block(b block, opts Options) pageBlock {
	f := b.first()
	help, lines := opts.help(b)
	help = strings.Join(append([]string{help}, b.notes()...), "; ")
	t.timeline(f.Forecast) // the first numbers are drawn
	p := pageBlock{
		Rule: f.Rule, Severity: f.Severity, Milder: b.milder(), Title: t.texts.number(opts.title(f)),
		Happens: t.texts.number(b.happens()), Shown: f.number, All: []int{}, Releases: width(b.findings()),
		Place: t.place(Place{File: f.File, Line: f.Line}), Column: f.Column,
		Help: t.texts.number(help), Write: -1, HoldsUp: -1, Label: b.elsewhereLabel(), Elsewhere: []int{},
	}
	if site := b[0].site(); site != nil {
		p.Place, p.Column = t.place(Place{File: site.File, Line: site.Line}), 0
	}
	if of := b.heldUp(); of != "" {
		p.HoldsUp = t.texts.number(of)
	}
	if len(lines) > 0 {
		p.Write = t.texts.number(strings.Join(lines, "\n"))
	}
	for _, found := range b.findings() {
		p.All = append(p.All, found.number)
	}
	for _, at := range b.elsewhere() {
		p.Elsewhere = append(p.Elsewhere, t.place(at))
	}
	return p
}

// pageRules describes the rules of findings.
func pageRules(findings []Finding, opts Options) map[string]pageRule {
	out := map[string]pageRule{}
	for _, f := range findings {
		if rule, ok := opts.rule(f.Rule); ok {
			out[f.Rule] = pageRule{rule.Title, rule.Description}
		}
	}
	return out
}
