package timeline

import (
	"fmt"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// strip is a timeline that is drawn on an axis of time: what installs, upgrades and tests
// above, what remediates and unlocks below it, the waits between, and what the cluster
// runs meanwhile. Places and widths are parts of the axis, from 0 to 1.
type strip struct {
	Bars  []bar
	Waits []wait
	Runs  []stretch
	// Lanes are the Kustomizations that the release holds up.
	Lanes []lane
	Ticks []tick
	// Lower reports whether there are bars in the lower lane.
	Lower bool
	// End is where the mark of the end stands. An endless run goes on behind the axis.
	End     float64
	Endless bool
	Tone    string
	Label   string
}

// bar is an action.
type bar struct {
	X, Width float64
	Lower    bool
	Class    string
	Title    string
	caption
}

// wait is time in which the controller does nothing.
type wait struct {
	X, To float64
	Title string
	caption
}

// stretch is time in which the cluster runs the same.
type stretch struct {
	X, To float64
	Class string
	caption
}

// caption is text that is shown where the axis is at least Need pixels wide: narrower, it
// has no room.
type caption struct {
	Text   string
	Need   int
	At     float64 // of its middle or, beside a bar, of its beginning
	Beside bool
}

type tick struct {
	X    float64
	Text string
}

const (
	thinnest   = 0.006 // of a bar, so that it is seen
	character  = 6.6   // pixels of one at most
	axisNeeds  = 40    // pixels between ticks at least, for their text
	mostDrawn  = 8     // steps of what goes on for ever
	mostNeeded = 1100  // pixels: no axis is wider
)

// lasts returns how much time a drawing of a timeline takes: behind the end, some in which
// the cluster runs what it ends with.
func lasts(line forecast.Timeline) time.Duration {
	total := endOf(line)
	if line.Outcome.Every.Duration == 0 {
		total += total / 5
	}
	return max(total, time.Second)
}

func endOf(line forecast.Timeline) time.Duration {
	end := line.Outcome.After.Duration
	for _, s := range drawnSteps(line) {
		end = max(end, s.At.Duration+s.Took.Duration)
	}
	return end
}

// drawnSteps leaves out what only repeats: the list of steps has more of it.
func drawnSteps(line forecast.Timeline) []forecast.Step {
	if line.Outcome.Every.Duration > 0 {
		return line.Steps[:min(mostDrawn, len(line.Steps))]
	}
	return line.Steps
}

// stripOf draws a timeline on an axis that is as long as total.
func stripOf(line forecast.Timeline, total time.Duration) strip {
	at := func(d time.Duration) float64 { return d.Seconds() / total.Seconds() }
	s := strip{
		Label: upperFirst(brief(line.Outcome)), Tone: tone(line.Outcome), Endless: line.Outcome.Every.Duration > 0,
		Ticks: ticks(total), End: at(endOf(line)),
	}
	steps := drawnSteps(line)
	done, note := time.Duration(0), ""
	for i, step := range steps {
		s.wait(at(done), at(step.At.Duration), step.At.Duration-done, note)
		s.runs(step.Before, at(done), at(step.At.Duration+step.Took.Duration))
		s.bar(step, at(step.At.Duration), at(step.Took.Duration), s.roomBehind(steps[i+1:], at))
		done, note = max(done, step.At.Duration+step.Took.Duration), step.Note
	}
	s.wait(at(done), s.End, line.Outcome.After.Duration-done, note)
	if len(steps) < len(line.Steps) {
		s.runs(line.Steps[len(steps)].Before, at(done), 1)
	} else {
		s.runs(line.Outcome.Running, at(done), 1)
	}
	return s
}

func (s *strip) bar(step forecast.Step, x, width, behind float64) {
	b := bar{
		X: x, Width: max(width, thinnest), Lower: remediates(step.Action), Class: string(step.Result),
		Title: fmt.Sprintf("%s %s after %s, for %s", step.Action, resultWords[step.Result],
			forecast.Readable(step.At.Duration), forecast.Readable(step.Took.Duration)),
	}
	if step.Deletes != "" {
		b.Title += "; " + step.Deletes
	}
	b.caption = captionOf(string(step.Action), b.X, b.Width)
	if room := behind - b.X - b.Width; b.Lower && room > b.Width {
		b.caption = captionOf(string(step.Action), b.X+b.Width, room)
		b.Beside, b.At = true, b.X+b.Width
	}
	s.Lower = s.Lower || b.Lower
	s.Bars = append(s.Bars, b)
}

// roomBehind returns where the next bar of the lower lane begins, or the mark of the end.
func (s *strip) roomBehind(next []forecast.Step, at func(time.Duration) float64) float64 {
	for _, step := range next {
		if remediates(step.Action) {
			return at(step.At.Duration)
		}
	}
	return s.End
}

func (s *strip) wait(x, to float64, d time.Duration, note string) {
	if to-x < thinnest {
		return
	}
	text := forecast.Readable(d.Round(time.Second))
	w := wait{X: x, To: to, Title: "wait " + text, caption: captionOf(text, x, to-x)}
	if note != "" {
		w.Title += ": " + note
	}
	s.Waits = append(s.Waits, w)
}

// runs adds what the cluster runs up to a time. What goes on is one stretch.
func (s *strip) runs(what forecast.Running, x, to float64) {
	text := string(what) + " runs"
	if n := len(s.Runs); n > 0 && s.Runs[n-1].Text == text {
		s.Runs[n-1].To = to
	} else if to > x {
		s.Runs = append(s.Runs, stretch{X: x, To: to, Class: runningTones[what], caption: caption{Text: text}})
	}
	for i, r := range s.Runs {
		s.Runs[i].caption = captionOf(r.Text, r.X, r.To-r.X)
	}
}

// runningTones are the classes that colour what runs.
var runningTones = map[forecast.Running]string{
	forecast.Nothing: "none", forecast.OldVersion: "old", forecast.NewVersion: "good", forecast.FixedVersion: "good",
	forecast.BadFixRuns: "good", forecast.FailedOld: "bad", forecast.FailedNew: "bad", forecast.FailedFixed: "bad",
	forecast.FailedBadFix: "bad", forecast.ChangedOld: "busy", forecast.ChangedNew: "busy", forecast.ChangedFixed: "busy",
}

// captionOf returns the caption of something that is a part of the axis wide.
func captionOf(text string, x, width float64) caption {
	need := int((character*float64(len(text)) + 8) / max(width, 1e-6))
	if need > mostNeeded {
		return caption{Text: text}
	}
	return caption{Text: text, Need: need, At: x + width/2}
}

// Fits reports whether there is a width at which the label has room.
func (c caption) Fits() bool { return c.Need > 0 }

// remediates reports whether an action is drawn in the lower lane.
func remediates(a forecast.Action) bool {
	return a == forecast.Rollback || a == forecast.Uninstall || a == forecast.Unlock
}

var resultWords = map[forecast.Result]string{forecast.OK: "succeeds", forecast.Fail: "fails", forecast.Killed: "is interrupted"}

// tickSteps are the distances of ticks that people read easily.
var tickSteps = []time.Duration{
	time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute,
	10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// ticks returns marks of time, so few that a phone has room for their text.
func ticks(total time.Duration) []tick {
	const most = 6
	step := tickSteps[len(tickSteps)-1]
	for total > most*step {
		step *= 2
	}
	for _, s := range tickSteps {
		if total <= most*s {
			step = s
			break
		}
	}
	var out []tick
	for at := time.Duration(0); at <= total; at += step {
		out = append(out, tick{at.Seconds() / max(total, time.Second).Seconds(), forecast.Readable(at)})
	}
	return out
}
