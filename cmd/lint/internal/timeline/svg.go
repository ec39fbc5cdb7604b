package timeline

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
)

// picture is an SVG that needs nothing else: its colours follow the reader's scheme.
//
//go:embed picture.svg
var picture string

var pictures = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{"pixel": pixel}).Parse(picture))
})

// figure is one forecast, or one before and after, drawn to one scale.
type figure struct {
	Title, Description string
	Sides              []figureSide
	Ticks              []tick
	Height, Card       int
	AxisY              int
}

// figureSide is one timeline of a figure, from its upper edge.
type figureSide struct {
	strip
	Y     int
	Name  string         // "" of a figure with one side
	Lines []sentenceLine // what happens
}

type sentenceLine struct {
	Y    int
	Text string
}

// The measures of a figure, in pixels.
const (
	figureLeft = 24.0
	figureAxis = 792.0 // the mark of the end is behind
	figureLine = 112   // characters of a sentence in one line
	figureTop  = 52
	figureBars = 138 // of a side, without its sentence
	figureRow  = 18
)

func writeSVG(w io.Writer, r Report, _ Options) error {
	switch {
	case len(r.Forecasts) == 0 && len(r.Undetermined) > 0:
		u := r.Undetermined[0]
		return fmt.Errorf("-o svg: %s is undetermined: %s", heading(u.Release, u.Cluster), u.Reason)
	case len(r.Forecasts) != 1 || len(r.Undetermined) > 0:
		return notOne(len(r.Forecasts) + len(r.Undetermined))
	}
	f := r.Forecasts[0]
	return drawFigure(w, heading(f.Release, f.Cluster)+": "+titleOf(f.Scenario), []figureSide{{}}, []Forecast{f})
}

func compareSVG(w io.Writer, all Comparisons, _ Options) error {
	if len(all.Comparisons) != 1 {
		return notOne(len(all.Comparisons))
	}
	c := all.Comparisons[0]
	if c.Before == nil || c.After == nil {
		return errors.New("-o svg: the release is not on both sides of the comparison")
	}
	sides := []figureSide{{Name: all.Before}, {Name: all.After}}
	return drawFigure(w, heading(c.Release, c.Cluster)+": "+titleOf(c.Scenario), sides, []Forecast{{Timeline: *c.Before}, {Timeline: *c.After}})
}

func notOne(n int) error {
	return fmt.Errorf("-o svg draws one release in one scenario, and here are %d: choose one with --release, --cluster and --scenario", n)
}

// drawFigure draws timelines below each other, to one scale.
func drawFigure(w io.Writer, title string, sides []figureSide, lines []Forecast) error {
	total := time.Duration(0)
	for _, line := range lines {
		total = max(total, spanned(line))
	}
	f := figure{Title: title, Height: figureTop, Ticks: ticks(total)}
	var descriptions []string
	for i, line := range lines {
		side := sides[i]
		side.Y, side.strip = f.Height, drawn(line, total)
		below := laneHeights * len(side.Lanes)
		for i, text := range (document.Screen{Width: figureLine}).Wrap(strings.TrimSpace(upperFirst(line.Outcome.Summary)+". "+line.held()), 0) {
			side.Lines = append(side.Lines, sentenceLine{figureBars - 16 + below + i*figureRow, text})
		}
		f.Height += figureBars + below + figureRow*len(side.Lines)
		descriptions = append(descriptions, strings.TrimPrefix(side.Name+": ", ": ")+line.Outcome.Summary+".")
		f.Sides = append(f.Sides, side)
	}
	f.Description = strings.Join(descriptions, " ")
	f.AxisY = f.Height - 4
	f.Height += 28
	f.Card = f.Height - 1
	return pictures().Execute(w, f)
}

// LaneY returns the upper edge of a lane.
func (s figureSide) LaneY(i int) int { return figureBars - 28 + i*laneHeights }

// pixel places a part of the axis.
func pixel(x float64) string { return fmt.Sprintf("%.1f", figureLeft+x*figureAxis) }

// Shown reports whether a label has room in a picture.
func (c caption) Shown() bool { return c.Need > 0 && c.Need <= figureAxis }

// Pixels returns how wide a bar is in a picture.
func (b bar) Pixels() string { return fmt.Sprintf("%.1f", b.Width*figureAxis) }
