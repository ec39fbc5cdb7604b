package report

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/rules"
)

//go:embed page
var pageFiles embed.FS

// pages are parsed only for a report that is one: most runs write none.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"count":  count,
		"place":  place,
		"plural": plural,
	}).ParseFS(pageFiles, "page/page.html"))
})

// page is what the template shows. Its policy lets the page's own style and
// script run and nothing else, and asks nobody for anything.
type page struct {
	Report
	Policy     string
	Style      template.CSS
	Script     template.JS
	Found      string    // what is found, by severity and places
	Shared     []Finding // of no single release
	Clusters   []clusterRow
	Remarks    []string
	Rules      []ruleRow
	Classes    []rules.Class
	ClassTexts classTexts
	Timelines  []template.HTML
	Data       pageData
	Version    string
}

// writeHTML writes one page that needs nothing else: summaries and whatever
// concerns no single release as HTML, the releases as data that the page's
// script makes rows of when they are looked at.
func writeHTML(w io.Writer, r Report, opts Options) error {
	style, err := pageFiles.ReadFile("page/page.css")
	if err != nil {
		return err
	}
	script, err := pageFiles.ReadFile("page/page.js")
	if err != nil {
		return err
	}
	style = append(style, opts.Drawings.Style...)
	data, lines := dataOf(r, opts)
	drawn, err := draw(lines, opts)
	if err != nil {
		return err
	}
	return pages().ExecuteTemplate(w, "page.html", page{
		Report: r, Found: r.found(), Shared: shared(r.Findings), Data: data, Timelines: drawn, Version: opts.Version,
		Clusters: clusterRows(data), Remarks: remarks(r.Releases), Rules: ruleRows(data, opts), Classes: pageClasses, ClassTexts: r.classTexts(),
		Style: template.CSS(style), Script: template.JS(script),
		Policy: fmt.Sprintf("default-src 'none'; img-src data:; style-src %s; script-src %s; base-uri 'none'; form-action 'none'",
			digest(style), digest(script)),
	})
}

// shared returns the findings that are of no single release, which no row shows.
func shared(all []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(all), Finding.ofOne)
}

// digest names an inline style or script in a Content-Security-Policy.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
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
