package incident

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Surroundings are what a release has to do with others of its cluster.
type Surroundings struct {
	// Rivals are other HelmReleases, among those that were read, with the same Helm release.
	Rivals []release.Name `json:"rivals,omitempty"`
	// HeldUpBy are the chains to what holds it up, HoldsUp is what it holds up itself; absent if nothing, or if
	// Kustomizations are not known.
	HeldUpBy []standstill.Chain `json:"heldUpBy,omitempty"`
	HoldsUp  *standstill.Held   `json:"holdsUp,omitempty"`
	// StandingUnknown says why that is not known; absent if it is.
	StandingUnknown string `json:"standingUnknown,omitempty"`
}

// Stands notes what holds up a release among the objects of its cluster, and what it holds up; or why
// that is not known, as they were not read.
func (s *Surroundings) Stands(of release.Name, in *standstill.Cluster, unlisted error) {
	if unlisted != nil {
		s.StandingUnknown = unlisted.Error()
	}
	if in == nil {
		return
	}
	s.HeldUpBy = in.Above(of)
	if below := in.Below(of); below.Len() > 0 {
		s.HoldsUp = &below
	}
}

// mostNamed is how many objects a line names.
const mostNamed = 4

// Standing are the lines on what the release has to do with others: which it fights, what holds it up, and what it
// holds up.
func (s Surroundings) Standing(healthy bool) []Line {
	var all []Line
	if text := fights(s.Rivals); text != "" {
		all = append(all, Line{Label: "fights", Text: text})
	}
	if s.StandingUnknown != "" && !healthy {
		all = append(all, Line{Label: "unknown", Text: "what holds it up, and what it holds up: " + s.StandingUnknown})
	}
	for n, c := range s.HeldUpBy[:min(len(s.HeldUpBy), mostNamed)] {
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
	if more := len(s.HeldUpBy) - mostNamed; more > 0 {
		all = append(all, Line{Text: fmt.Sprintf("and by %d more", more)})
	}
	if s.HoldsUp == nil {
		return all
	}
	return append(all, Line{Label: "holds", Text: "up " + s.HoldsUp.String() + ": " + words.First(s.HoldsUp.Names(), mostNamed, "")})
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
