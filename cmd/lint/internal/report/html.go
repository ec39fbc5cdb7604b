package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/page"
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
	return page.Parse(template.FuncMap{"count": words.Count, "place": place, "plural": words.Plural}, pageTemplate)
})

// sheet is what the template shows.
type sheet struct {
	Report
	Frame      page.Frame
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
	frame := page.New(page.Frame{
		Title: words.Count(r.Summary.Errors, "error") + ", " + words.Count(r.Summary.Warnings, "warning"),
		About: "What Flux will do when a HelmRelease fails", Version: opts.Version,
		Top: "places", Search: "name, file, rule, message", Filters: pageFilters, Columns: pageColumns, Sorted: "findings",
	}, pageStyle+opts.Drawings.Style, pageScript)
	data, lines := dataOf(r, opts)
	packed, err := page.Pack(data)
	if err != nil {
		return err
	}
	drawn, err := draw(lines, opts)
	if err != nil {
		return err
	}
	return pages().Execute(w, sheet{
		Report: r, Frame: frame, Found: r.found(), Spread: strings.Trim(r.spread(), " ()"), Unresolved: r.unresolved(), Unjudged: r.unjudged(),
		Gaps: folded(r.Undetermined), GapRemarks: r.unknowns(), Shared: kept(r.Findings, func(f Finding) bool { return !f.ofOne() }), Places: len(data.Blocks), Data: packed, Timelines: drawn,
		Clusters: clusterRows(data), Remarks: remarks(r.Releases), Rules: ruleRows(data, opts), Classes: pageClasses, ClassTexts: r.classTexts(),
	})
}

// What releases are filtered by, and the columns that they are sorted by.
var (
	pageFilters = []page.Choice{{Name: "cluster", Label: "Cluster"}, {Name: "tier", Label: "Tier"}, {Name: "class", Label: "Class"}, {Name: "severity", Label: "Severity"}, {Name: "rule", Label: "Rule"}}
	pageColumns = []page.Choice{{Name: "name", Label: "Release"}, {Name: "cluster", Label: "Cluster"}, {Name: "tier", Label: "Tier"}, {Name: "class", Label: "Class"}, {Name: "findings", Label: "Findings"}}
)

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
