package timeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
)

// lane is a Kustomization that the release holds up, while it is not ready: below its name a line of stretches.
type lane struct {
	Name  string
	Spans []stretch
}

// doings are the words and the classes of what a Kustomization does.
var doings = map[wave.Doing][2]string{
	wave.Checking: {"checks health", "busy"}, wave.Failing: {"has failed", "bad"}, wave.Blocked: {"waits", "none"},
}

// spanned returns how much time a drawing of a forecast takes. What recovers after the release has ended is
// drawn to its end, and what does not is not drawn further than the release.
func spanned(f Forecast) time.Duration {
	total := lasts(f.Timeline)
	if r := f.HoldsUp; r != nil && r.For.Duration > 0 {
		total = max(total, r.For.Duration+r.For.Duration/10)
	}
	return total
}

// drawn returns a forecast on an axis that is as long as total, with its lanes.
func drawn(f Forecast, total time.Duration) strip {
	s := stripOf(f.Timeline, total)
	for _, l := range f.lanes() {
		s.Lanes = append(s.Lanes, laneOf(l, total))
	}
	return s
}

// lanes returns the Kustomizations that are drawn: the first that stop being ready before the drawing ends.
func (f Forecast) lanes() []wave.Lane {
	if f.HoldsUp == nil {
		return nil
	}
	total := spanned(f)
	out := slices.DeleteFunc(slices.Clone(f.HoldsUp.Lanes), func(l wave.Lane) bool { return l.Stretches[0].From.Duration >= total })
	return out[:min(mostLanes, len(out))]
}

// laneOf draws a Kustomization on an axis that is as long as total: to its end if it is not ready again.
func laneOf(l wave.Lane, total time.Duration) lane {
	out, all := lane{Name: l.Kustomization}, slices.Clone(l.Stretches)
	if last := all[len(all)-1]; l.Open && last.Doing == wave.Checking { // which ends so
		all = append(all, wave.Stretch{From: last.To, Doing: wave.Failing})
	}
	if last := &all[len(all)-1]; l.Open {
		last.To.Duration = max(last.To.Duration, total)
	}
	for _, s := range all {
		x, to := s.From.Seconds()/total.Seconds(), min(1, s.To.Seconds()/total.Seconds())
		if x >= 1 {
			break
		}
		words := doings[s.Doing]
		out.Spans = append(out.Spans, stretch{X: x, To: to, Class: words[1], caption: captionOf(words[0], x, to-x)})
	}
	return out
}

// laneHeights are pixels of a lane: its name, and its line with the words below it.
const laneHeights = 34

// moreLanes says how many Kustomizations are not drawn; empty if all are.
func (f Forecast) moreLanes() string {
	if f.HoldsUp == nil || len(f.HoldsUp.Lanes) == len(f.lanes()) {
		return ""
	}
	return fmt.Sprintf("%s not drawn", words.Count(len(f.HoldsUp.Lanes)-len(f.lanes()), "more Kustomization"))
}

// held says in a sentence what is held up; empty if nothing is.
func (f Forecast) held() string {
	if f.HoldsUp == nil || f.HoldsUp.String() == "" {
		return ""
	}
	text := upperFirst(f.HoldsUp.String())
	if more := f.moreLanes(); more != "" {
		text += "; " + more
	}
	return text + "."
}

// heldUp returns all that is told of what is held up, to compare it.
func heldUp(r *wave.Radius) string {
	if r == nil {
		return ""
	}
	return fmt.Sprint(*r)
}

// mostLanes is how many Kustomizations are told of one by one.
const mostLanes = 8

// holdUp lists what is held up: in a line, and what each Kustomization does meanwhile.
func holdUp(r *wave.Radius) []string {
	if r == nil || r.String() == "" {
		return nil
	}
	lines := []string{r.String() + ":"}
	for _, l := range r.Lanes[:min(mostLanes, len(r.Lanes))] {
		lines = append(lines, "  "+laneText(l))
	}
	if more := len(r.Lanes) - mostLanes; more > 0 {
		lines = append(lines, fmt.Sprintf("  and %s; -o json lists all", words.Count(more, "more Kustomization")))
	}
	if n := len(r.Dependents); n > 0 {
		lines = append(lines, "  by dependsOn: "+strings.Join(r.Dependents[:min(mostLanes, n)], ", "))
		if n > mostLanes {
			lines = append(lines, fmt.Sprintf("  and %s; -o json lists all", words.Count(n-mostLanes, "more release")))
		}
	}
	for _, why := range r.Unknown {
		lines = append(lines, "  not known: "+why)
	}
	return lines
}

// laneText says what a Kustomization does while it is not ready: what it does first, and how it goes on.
func laneText(l wave.Lane) string {
	if l.Waits {
		return l.Kustomization + ": waits for " + strings.Join(l.For, ", ")
	}
	var words []string
	failed := 0
	var end time.Duration
	for _, s := range l.Stretches {
		long := forecast.Readable(s.To.Duration - s.From.Duration)
		switch {
		case s.Doing == wave.Checking && failed == 0:
			words = append(words, "checks health for "+long)
		case s.Doing == wave.Failing:
			if failed++; failed == 1 {
				words = append(words, "fails, again after "+long)
			}
		}
		end = s.To.Duration
	}
	if failed > 1 {
		words = append(words, "and so on")
	}
	if failed > 0 && !l.Open {
		words = append(words, "ready after "+forecast.Readable(end))
	}
	return l.Kustomization + ": " + strings.Join(words, ", ")
}
