package timeline

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// page is one self-contained page: its style and script are in it, and its policy lets
// nothing else run and nothing be asked for.
//
//go:embed page.html
var pageTemplate string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

// Style is the style sheet of timelines. The page around them says what the colours are:
// --card, --ink, --soft, --line, --ok, --fail, --killed, --good, --bad, --busy, --old.
//
//go:embed timeline.css
var Style string

// pages are parsed only for a run that writes one.
var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"brief":    brief,
		"clock":    readable,
		"command":  forecast.Command,
		"count":    words.Count,
		"heading":  heading,
		"mark":     func(r forecast.Result) string { return symbols[r][0] },
		"part":     part,
		"policy":   func() string { return document.ContentPolicy(pageStyle+Style, pageScript) },
		"remedies": remedies,
		"revision": revision,
		"revives":  func() string { return upperFirst(revives) },
		"sides":    sidesOf,
		"script":   func() template.JS { return template.JS(pageScript) },
		"sentence": func(s string) string { return upperFirst(s) + "." },
		"strip":    func(line forecast.Timeline) htmlStrip { return htmlStrip{stripOf(line, lasts(line))} },
		"wave":     func(f Forecast) htmlStrip { return htmlStrip{drawn(f, spanned(f))} },
		"held":     Forecast.held,
		"style":    func() template.CSS { return template.CSS(pageStyle + Style) },
		"title":    titleOf,
		"tone":     tone,
	}).Parse(pageTemplate))
})

// readable takes the durations of forecasts as well as plain ones.
func readable(d interface{ Seconds() float64 }) string {
	return forecast.Readable(time.Duration(d.Seconds() * float64(time.Second)))
}

func writeHTML(w io.Writer, r Report, _ Options) error {
	return pages().ExecuteTemplate(w, "page", sheetOf(r).bound())
}

// Fragment draws a timeline for another page, which has [Style] in it.
func Fragment(line forecast.Timeline) (template.HTML, error) {
	var b strings.Builder
	err := pages().ExecuteTemplate(&b, "fragment", line)
	return template.HTML(b.String()), err
}

// Brief names the end of a timeline that is not drawn, and what runs then.
func Brief(line forecast.Timeline) string {
	return brief(line.Outcome) + "; " + string(line.Outcome.Running) + " runs"
}

func compareHTML(w io.Writer, c Comparisons, _ Options) error {
	return pages().ExecuteTemplate(w, "page", sheetOfChanges(c).bound())
}

// htmlStrip is a strip as the page draws it: its height in pixels, its width that of the
// page, so that text keeps its shape.
type htmlStrip struct{ strip }

// The measures of a strip in a page, in pixels.
const (
	laneHeight = 20
	laneGap    = 4
)

// LaneY returns the upper edge of a bar.
func (s htmlStrip) LaneY(lower bool) int {
	if lower {
		return 2 + laneHeight + laneGap
	}
	return 2
}

// RunsY returns the upper edge of what runs.
func (s htmlStrip) RunsY() int { return s.LaneY(s.Lower) + laneHeight + 2*laneGap }

// WaveY returns the upper edge of the lane of a Kustomization.
func (s htmlStrip) WaveY(i int) int { return s.RunsY() + laneHeight + laneGap + i*laneHeights }

// NameY returns where the name of a lane is.
func (s htmlStrip) NameY(i int) int { return s.WaveY(i) + 10 }

// SpanY returns where the line of a lane is.
func (s htmlStrip) SpanY(i int) int { return s.WaveY(i) + 17 }

// AxisY returns where the ticks end, and their text begins.
func (s htmlStrip) AxisY() int { return s.WaveY(len(s.Lanes)) - laneGap }

// Height returns that of the whole.
func (s htmlStrip) Height() int { return s.AxisY() + 16 }

// part writes a part of the axis. The rest of the width is for the mark of the end.
func part(x float64) string { return fmt.Sprintf("%.2f%%", 97*x) }

// Part writes how wide a bar is.
func (b bar) Part() string { return part(b.Width) }

// Room is the class of a label that narrow pages have no room for.
func (c caption) Room() string {
	for _, width := range []int{280, 400, 560, 760, mostNeeded} {
		if c.Need <= width {
			return fmt.Sprintf("n%d", width)
		}
	}
	return ""
}

// Strip draws one state of a comparison to the scale of both.
func (c *Comparison) Strip(line *forecast.Timeline) htmlStrip {
	total := time.Duration(0)
	for _, side := range []*forecast.Timeline{c.Before, c.After} {
		if side != nil {
			total = max(total, lasts(*side))
		}
	}
	return htmlStrip{stripOf(*line, total)}
}

// namedState is one state of a comparison, with its name.
type namedState struct {
	Name string
	Line *forecast.Timeline
}

// bothStates is a change as a page shows it.
type bothStates struct {
	Change *Comparison
	Sides  []namedState
}

func sidesOf(of *compared, c *Comparison) bothStates {
	return bothStates{c, []namedState{{of.Before, c.Before}, {of.After, c.After}}}
}
