package timeline

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// picture is an SVG that needs nothing else: its colours follow the reader's scheme.
//
//go:embed picture.svg
var picture string

var pictures = template.Must(template.New("").Parse(picture))

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
	Y       int
	Name    string // "" of a figure with one side
	Label   string
	Tone    string
	Marks   []mark
	Waits   []wait
	End     float64
	Endless bool
	Lines   []sentenceLine // what happens
}

type sentenceLine struct {
	Y    int
	Text string
}

// mark is an action: a bar.
type mark struct {
	X, Width float64
	Middle   float64
	Y        int
	Class    string
	Text     string // in the bar, if it has room
	Beside   string // right of a bar that has none
	Title    string
}

// wait is time in which nothing is done.
type wait struct {
	X, To, Middle float64
	Text          string
}

type tick struct {
	X    float64
	Text string
}

// The measures of a figure, in pixels.
const (
	figureLeft  = 24.0
	figureRight = 816.0 // of the bars; the mark of the end is behind
	figureLine  = 112   // characters of a sentence in one line
	figureChar  = 6.4   // of the text in bars, at most
	figureTop   = 52
	figureBars  = 118 // of a side, without its sentence
	figureRow   = 18
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
	return drawFigure(w, heading(f.Release, f.Cluster)+": "+titleOf(f.Scenario), []figureSide{{}}, []*forecast.Timeline{&f.Timeline})
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
	return drawFigure(w, heading(c.Release, c.Cluster)+": "+titleOf(c.Scenario), sides, []*forecast.Timeline{c.Before, c.After})
}

func notOne(n int) error {
	return fmt.Errorf("-o svg draws one release in one scenario, and here are %d: choose one with --release, --cluster and --scenario", n)
}

// drawFigure draws timelines below each other, to one scale.
func drawFigure(w io.Writer, title string, sides []figureSide, lines []*forecast.Timeline) error {
	total := time.Duration(0)
	for _, line := range lines {
		total = max(total, drawingOf(*line).Total, line.Outcome.After.Duration)
	}
	scale := (figureRight - figureLeft) / max(total.Seconds(), 1)
	f := figure{Title: title, Height: figureTop, Ticks: ticks(total, scale)}
	var told []string
	for i, line := range lines {
		side := sides[i]
		side.Y = f.Height
		side.draw(*line, scale)
		f.Height += figureBars + figureRow*len(side.Lines)
		told = append(told, strings.TrimPrefix(side.Name+": ", ": ")+line.Outcome.Summary+".")
		f.Sides = append(f.Sides, side)
	}
	f.Description = strings.Join(told, " ")
	f.AxisY = f.Height - 4
	f.Height += 28
	f.Card = f.Height - 1
	return pictures.Execute(w, f)
}

// draw places the bars of a timeline and the waits between them.
func (s *figureSide) draw(line forecast.Timeline, scale float64) {
	at := func(d time.Duration) float64 { return figureLeft + d.Seconds()*scale }
	s.Label, s.Tone, s.Endless = upperFirst(brief(line.Outcome)), tone(line.Outcome), line.Outcome.Every.Duration > 0
	for i, text := range folded(upperFirst(line.Outcome.Summary)+".", figureLine) {
		s.Lines = append(s.Lines, sentenceLine{figureBars - 16 + i*figureRow, text})
	}
	done := time.Duration(0)
	for i, step := range line.Steps {
		if gap := (step.At.Duration - done).Seconds() * scale; gap > 3 {
			s.Waits = append(s.Waits, waitOf(at(done), gap, step.At.Duration-done))
		}
		done = max(done, step.At.Duration+step.Took.Duration)
		m := mark{
			X: at(step.At.Duration), Width: max(step.Took.Seconds()*scale, thinnest), Class: string(step.Result),
			Title: fmt.Sprintf("%s %s after %s, for %s", step.Action, resultWords[step.Result],
				forecast.Readable(step.At.Duration), forecast.Readable(step.Took.Duration)),
		}
		m.Middle = m.X + m.Width/2
		if remediates(step.Action) {
			m.Y = figureRow + 8
		}
		switch text, room := string(step.Action), figureChar*float64(len(step.Action))+8; {
		case m.Width > room:
			m.Text = text
		case m.Y > 0 && m.X+m.Width+room < roomTo(line.Steps[i+1:], at):
			m.Beside, m.Middle = text, m.X+m.Width+4
		}
		s.Marks = append(s.Marks, m)
	}
	s.End = max(at(done), at(line.Outcome.After.Duration)) + 4
	if s.Endless {
		s.Waits = append(s.Waits, wait{X: s.End, To: figureRight})
		s.End = figureRight + 4
	}
}

// roomTo returns where the next bar of the lower lane begins, or the mark of the end.
func roomTo(next []forecast.Step, at func(time.Duration) float64) float64 {
	for _, step := range next {
		if remediates(step.Action) {
			return at(step.At.Duration)
		}
	}
	return figureRight
}

var resultWords = map[forecast.Result]string{forecast.OK: "succeeds", forecast.Fail: "fails", forecast.Killed: "is interrupted"}

func waitOf(x, width float64, d time.Duration) wait {
	w := wait{X: x, To: x + width, Middle: x + width/2}
	if text := forecast.Readable(d.Round(time.Second)); width > figureChar*float64(len(text))+8 {
		w.Text = text
	}
	return w
}

// tickSteps are the distances of ticks that people read easily.
var tickSteps = []time.Duration{
	time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// ticks returns at most ten marks of time.
func ticks(total time.Duration, scale float64) []tick {
	step := tickSteps[len(tickSteps)-1]
	for total > 10*step {
		step *= 2
	}
	for _, s := range tickSteps {
		if total <= 10*s {
			step = s
			break
		}
	}
	var out []tick
	for at := time.Duration(0); at <= total; at += step {
		out = append(out, tick{figureLeft + at.Seconds()*scale, forecast.Readable(at)})
	}
	return out
}

// folded breaks text into lines of at most so many characters.
func folded(text string, most int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > most {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}
