package timeline

import (
	"cmp"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// mostCards is how many timelines a page draws. A fleet in which no two releases are alike would
// make a page that no browser scrolls.
const mostCards = 150

// ending is forecasts of one scenario that are not drawn, and end the same way.
type ending struct {
	Cards []*card // the soonest end first
}

// endingKey is what an end is, without its times; in a comparison, what it was, too.
type endingKey struct{ now, was kind }

// kind is how a timeline ends, without its times; zero where there is none.
type kind struct {
	tone    string
	end     forecast.End
	reason  string
	running forecast.Running
	endless bool
}

func kindOf(line *forecast.Timeline) kind {
	if line == nil {
		return kind{}
	}
	o := line.Outcome
	return kind{tone(o), o.End, o.Reason, o.Running, o.Every.Duration > 0}
}

// endingKey returns what the fate has in common with others that are not drawn.
func (f fate) endingKey() endingKey { return endingKey{kindOf(f.now()), kindOf(f.was())} }

// bound keeps the worst cards of every scenario for drawing: the first of each, then the second
// of each, as long as there is room. Of the others it says how they end.
func (s sheet) bound() sheet {
	kept, most := make([]int, len(s.Sections)), mostCards
	if s.Compared != nil {
		most /= 2 // timelines on a card
	}
	for _, section := range s.Sections {
		s.Timelines += len(section.Cards)
	}
	for row := 0; s.Drawn < min(most, s.Timelines); row++ {
		for i, section := range s.Sections {
			if row < len(section.Cards) && s.Drawn < most {
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
	return s
}

// endings joins cards by how they end, and keeps their order.
func endings(cards []*card) []ending {
	out := words.Of(words.Alike[[]*card](cards, func(c *card) endingKey { return c.endingKey() }), func(of []*card) ending { return ending{of} })
	for _, e := range out {
		slices.SortStableFunc(e.Cards, func(a, b *card) int { return sooner(a.Outcome, b.Outcome) })
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
func (e ending) Tone() string { return e.Cards[0].Tone() }

// Brief names the end of the soonest and, if it differs, that of the latest; in a comparison,
// what it was as well.
func (e ending) Brief() string {
	change := e.Cards[0].Change
	if change == nil {
		return span(e.Cards, func(c *card) forecast.Outcome { return c.Outcome }) + "; " + runs(e.Cards[0].Outcome)
	}
	was, now := "new", "gone"
	if change.Before != nil {
		was = "was " + span(e.Cards, func(c *card) forecast.Outcome { return c.Change.Before.Outcome }) + ", " + runs(change.Before.Outcome)
	}
	if change.After != nil {
		now = "now " + span(e.Cards, func(c *card) forecast.Outcome { return c.Change.After.Outcome }) + ", " + runs(change.After.Outcome)
	}
	return was + "; " + now
}

// span names ends of one kind, from the soonest to the latest.
func span(cards []*card, of func(*card) forecast.Outcome) string {
	first, last := of(cards[0]), of(cards[0])
	for _, c := range cards {
		first, last = slices.MinFunc([]forecast.Outcome{first, of(c)}, sooner), slices.MaxFunc([]forecast.Outcome{last, of(c)}, sooner)
	}
	switch {
	case brief(first) == brief(last):
		return brief(first)
	case label(first) == label(last):
		return brief(first) + " to " + when(last)
	}
	return brief(first) + " to " + lowerFirst(brief(last))
}

func sooner(a, b forecast.Outcome) int {
	return cmp.Or(cmp.Compare(a.Every.Duration, b.Every.Duration), cmp.Compare(a.After.Duration, b.After.Duration))
}

// runs says what the cluster runs then.
func runs(o forecast.Outcome) string { return string(o.Running) + " runs" }
