package timeline

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// mostCards is how many timelines a page draws. A fleet in which no two releases are alike would
// make a page that no browser scrolls.
const mostCards = 150

// ending is forecasts of one scenario that are not drawn, and end the same way.
type ending struct {
	Cards []*card // the soonest end first
}

// endingKey is what an end is, without its times.
type endingKey struct {
	tone    string
	end     forecast.End
	reason  string
	running forecast.Running
	endless bool
}

// bound keeps the worst cards of every scenario for drawing: the first of each, then the second
// of each, as long as there is room. Of the others it says how they end.
func (s *sheet) bound() {
	kept := make([]int, len(s.Sections))
	for _, section := range s.Sections {
		s.Timelines += len(section.Cards)
	}
	for row := 0; s.Drawn < min(mostCards, s.Timelines); row++ {
		for i, section := range s.Sections {
			if row < len(section.Cards) && s.Drawn < mostCards {
				kept[i]++
				s.Drawn++
			}
		}
	}
	for i := range s.Sections {
		section := &s.Sections[i]
		section.Rest = endings(section.Cards[kept[i]:])
		section.Cards = section.Cards[:kept[i]]
	}
}

// endings joins cards by how they end, and keeps their order.
func endings(cards []*card) []ending {
	at := map[endingKey]int{}
	var out []ending
	for _, c := range cards {
		o := c.Outcome
		key := endingKey{tone(o), o.End, o.Reason, o.Running, o.Every.Duration > 0}
		i, seen := at[key]
		if !seen {
			i = len(out)
			at[key], out = i, append(out, ending{})
		}
		out[i].Cards = append(out[i].Cards, c)
	}
	for _, e := range out {
		slices.SortStableFunc(e.Cards, func(a, b *card) int {
			return cmp.Or(cmp.Compare(a.Outcome.Every.Duration, b.Outcome.Every.Duration), cmp.Compare(a.Outcome.After.Duration, b.Outcome.After.Duration))
		})
	}
	return out
}

// Releases counts those of an ending.
func (e ending) Releases() int {
	n := 0
	for _, c := range e.Cards {
		n += c.Releases()
	}
	return n
}

// Numbers lists the groups of an ending, for the script of the page.
func (e ending) Numbers() string { return numbersOf(e.Cards...) }

// Tone is the class that colours an ending.
func (e ending) Tone() string { return tone(e.Cards[0].Outcome) }

// Brief names the end of the soonest and, if it differs, that of the latest.
func (e ending) Brief() string {
	first, last := e.Cards[0].Outcome, e.Cards[len(e.Cards)-1].Outcome
	switch {
	case brief(first) == brief(last):
		return brief(first)
	case label(first) == label(last):
		return brief(first) + " to " + when(last)
	}
	return brief(first) + " to " + lowerFirst(brief(last))
}

// Runs says what the cluster runs then.
func (e ending) Runs() string { return string(e.Cards[0].Outcome.Running) + " runs" }
