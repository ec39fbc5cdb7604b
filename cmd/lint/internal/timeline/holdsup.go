package timeline

import (
	"fmt"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
)

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
