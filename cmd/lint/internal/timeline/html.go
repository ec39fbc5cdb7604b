package timeline

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// page is one self-contained page: its style is in it, it has no script, and it
// asks nobody for anything.
//
//go:embed page.html
var page string

// Style is the style sheet of timelines. The page around them says what the
// colours are: --line, --soft, --ok, --fail, --killed, --good, --bad, --busy.
//
//go:embed timeline.css
var Style string

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"brief":    brief,
	"clock":    readable,
	"drawing":  drawingOf,
	"heading":  heading,
	"command":  forecast.Command,
	"remedies": remedies,
	"revives":  func() string { return upperFirst(revives) },
	"mark":     func(r forecast.Result) string { return symbols[r][0] },
	"revision": revision,
	"title":    titleOf,
	"style":    func() template.CSS { return template.CSS(Style) },
	"sentence": func(s string) string { return upperFirst(s) + "." },
	"tone":     tone,
}).Parse(page))

// readable takes the durations of forecasts as well as plain ones.
func readable(d interface{ Seconds() float64 }) string {
	return forecast.Readable(time.Duration(d.Seconds() * float64(time.Second)))
}

func writeHTML(w io.Writer, r Report, _ Options) error {
	return pages.ExecuteTemplate(w, "report", struct {
		Groups       []group
		Undetermined []Unforeseen
		Open         bool // whether the steps show without a click
	}{groups(r.Forecasts), r.Undetermined, len(r.Forecasts) == 1})
}

// Fragment draws a timeline for another page, which has [Style] in it.
func Fragment(line forecast.Timeline) (template.HTML, error) {
	var b strings.Builder
	err := pages.ExecuteTemplate(&b, "fragment", line)
	return template.HTML(b.String()), err
}

func compareHTML(w io.Writer, c Comparisons, _ Options) error {
	return pages.ExecuteTemplate(w, "comparison", c)
}

// tone is the class that colours an outcome.
func tone(o forecast.Outcome) string {
	switch {
	case o.NeedsHuman:
		return "bad"
	case o.End == forecast.Ready:
		return "good"
	}
	return "busy"
}

// drawing is a timeline in SVG, 1000 units wide: what installs, upgrades and
// tests in the upper lane, what remediates and unlocks in the lower.
type drawing struct {
	Bars  []bar
	Total time.Duration
	// Endless reports whether it goes on behind the right edge.
	Endless bool
	// Tone colours the mark of the end.
	Tone string
}

type bar struct {
	X, Width float64
	Y        int
	Class    string
	Label    string
}

// The measures of a drawing.
const (
	span     = 960.0 // of the bars; the rest is for the end
	thinnest = 5.0
	lane     = 16
)

func drawingOf(line forecast.Timeline) drawing {
	d := drawing{Endless: line.Outcome.Every.Duration > 0, Tone: tone(line.Outcome)}
	for _, s := range line.Steps {
		d.Total = max(d.Total, s.At.Duration+s.Took.Duration)
	}
	scale := span / max(d.Total.Seconds(), 1)
	for _, s := range line.Steps {
		b := bar{
			X: s.At.Seconds() * scale, Width: max(s.Took.Seconds()*scale, thinnest), Class: string(s.Result),
			Label: fmt.Sprintf("%s %s at %s", s.Action, s.Result, forecast.Readable(s.At.Duration)),
		}
		if remediates(s.Action) {
			b.Y = lane
		}
		d.Bars = append(d.Bars, b)
	}
	return d
}

// remediates reports whether an action is drawn in the lower lane.
func remediates(a forecast.Action) bool {
	return a == forecast.Rollback || a == forecast.Uninstall || a == forecast.Unlock
}
