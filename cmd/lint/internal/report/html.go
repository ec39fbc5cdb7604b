package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

var (
	//go:embed page/page.html
	pageTemplate string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// pages are parsed only for a report that is one: most runs write none.
var pages = sync.OnceValue(func() *template.Template {
	return document.ParsePage(template.FuncMap{"count": words.Count, "place": place, "plural": words.Plural}, pageTemplate)
})

// sheet is what the template shows.
type sheet struct {
	Report
	Frame      document.Frame
	Found      string // what is found, by severity and places
	Spread     string // names and clusters of the releases
	Unresolved int    // places that may contain more releases
	Unjudged   string // counts releases that are not judged in whole
	Gaps       []release.Undetermined
	GapRemarks []string
	Shared     []Finding // of no single release
	Clusters   []clusterRow
	Remarks    []string
	Rules      []ruleRow
	Classes    []rules.Class
	ClassTexts classTexts
	Timelines  []template.HTML
	Places     int // what is found, by place
	Data       template.JS
}

// writeHTML writes one page that needs nothing else: summaries and whatever
// concerns no single release as HTML, the releases as data that the page's
// script makes rows of when they are looked at.
func writeHTML(w io.Writer, r Report, opts Options) error {
	frame := document.NewFrame(document.Frame{
		Title: words.Count(r.Summary.Errors, "error") + ", " + words.Count(r.Summary.Warnings, "warning"),
		About: "What Flux will do when a HelmRelease fails", Version: opts.Version,
		Top: "places", Search: "name, file, rule, message", Sorted: "findings",
		Filters: document.Choices("cluster", "Cluster", "tier", "Tier", "class", "Class", "severity", "Severity", "rule", "Rule"),
		Columns: document.Choices("name", "Release", "cluster", "Cluster", "tier", "Tier", "class", "Class", "findings", "Findings"),
	}, pageStyle+opts.Drawings.Style, pageScript)
	data, lines := dataOf(r, opts)
	packed, err := document.Pack(data)
	if err != nil {
		return err
	}
	drawn, err := draw(lines, opts)
	if err != nil {
		return err
	}
	return pages().Execute(w, sheet{
		Report: r, Frame: frame, Found: r.found(), Spread: strings.Trim(spreadOf(r.Releases).String(), " ()"), Unresolved: r.unresolved(), Unjudged: r.unjudged(),
		Gaps: folded(r.Undetermined), GapRemarks: r.unknowns(), Shared: kept(r.Findings, func(f Finding) bool { return !f.ofOne() }), Places: len(data.Blocks), Data: packed, Timelines: drawn,
		Clusters: clusterRows(data), Remarks: remarks(r.Releases, r.Controllers), Rules: ruleRows(data, opts), Classes: pageClasses, ClassTexts: r.classTexts(),
	})
}

func draw(lines []forecast.Timeline, opts Options) ([]template.HTML, error) {
	var drawn []template.HTML
	for _, line := range lines {
		html := template.HTML(template.HTMLEscapeString(line.Scenario + ": " + line.Outcome.Summary))
		if opts.Drawings.Draw != nil {
			var err error
			if html, err = opts.Drawings.Draw(line); err != nil {
				return nil, fmt.Errorf("draw forecast %s: %w", line.Scenario, err)
			}
		}
		drawn = append(drawn, html)
	}
	return drawn, nil
}

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
		Happens: b.happens(), Shown: f.number, All: []int{}, Releases: width(b.findings),
		Help: strings.Join(append([]string{help}, b.notes()...), "; "), Write: strings.Join(write, "\n"), HoldsUp: b.heldUp(),
		Label: b.elsewhereLabel(), Elsewhere: orEmpty(b.elsewhere()),
	}
	if site := b.causes[0].site(); site != nil {
		p.Place, p.Column = Place{File: site.File, Line: site.Line}, 0
	}
	for _, found := range kept(b.findings, Finding.counts) {
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
