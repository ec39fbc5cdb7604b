package incident

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// Stands notes what holds up the release among the objects of its cluster, and what it holds up; or why
// that is not known, as they were not read.
func (i *Incident) Stands(in *standstill.Cluster, unlisted error) {
	if unlisted != nil {
		i.StandingUnknown = unlisted.Error()
	}
	if in == nil {
		return
	}
	i.HeldUpBy = in.Above(i.Release)
	if below := in.Below(i.Release); below.Len() > 0 {
		i.HoldsUp = &below
	}
}

// mostNamed is how many objects a line names.
const mostNamed = 4

// Standing are the lines on what the release has to do with others: which it fights, what holds it up, and what it
// holds up.
func (i Incident) Standing() []Line {
	var all []Line
	if text := fights(i.Rivals); text != "" {
		all = append(all, Line{Label: "fights", Text: text})
	}
	if i.StandingUnknown != "" && !i.Healthy {
		all = append(all, Line{Label: "unknown", Text: "what holds it up, and what it holds up: " + i.StandingUnknown})
	}
	for n, c := range i.HeldUpBy[:min(len(i.HeldUpBy), mostNamed)] {
		label := words.Once(n, "held")
		text := c.String()
		if n > 0 {
			text = "and " + text
		}
		line := Line{Label: label, Text: text}
		if !c.Direct() {
			line.Effect = "it " + c.Path
		}
		all = append(all, line)
	}
	if more := len(i.HeldUpBy) - mostNamed; more > 0 {
		all = append(all, Line{Text: fmt.Sprintf("and by %d more", more)})
	}
	if i.HoldsUp == nil {
		return all
	}
	return append(all, Line{Label: "holds", Text: "up " + i.HoldsUp.String() + ": " + words.First(i.HoldsUp.Names(), mostNamed, "")})
}

// afterwards are the lines on what is left to do once the release is Ready.
func (i Incident) afterwards() []Line {
	if i.HoldsUp == nil {
		return nil
	}
	var all []Line
	for n, late := range i.HoldsUp.After {
		all = append(all, Line{Label: words.Once(n, "then"), Text: i.to.At(late.Command()), Effect: "else it stays not Ready until it looks again, within " + forecast.Readable(late.Retry.Duration)})
	}
	return all
}
