package timeline

import (
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// sides is a comparison as a page shows it.
type sides struct {
	Before, After     string
	Pairs             []pair
	Changed, Compared int
}

// pair is what changes in one scenario, for all releases of which it does.
type pair struct {
	Comparison
	Names []string
}

// pairsOf joins equal changes and leaves out what does not change.
func pairsOf(all Comparisons) sides {
	s := sides{Before: all.Before, After: all.After, Compared: len(all.Comparisons)}
	for _, c := range all.Comparisons {
		if !c.Changed {
			continue
		}
		s.Changed++
		i := slices.IndexFunc(s.Pairs, func(p pair) bool { return p.alike(c) })
		if i < 0 {
			i = len(s.Pairs)
			s.Pairs = append(s.Pairs, pair{Comparison: c})
		}
		s.Pairs[i].Names = append(s.Pairs[i].Names, heading(c.Release, c.Cluster))
	}
	return s
}

func (p pair) alike(c Comparison) bool {
	return p.Scenario == c.Scenario && p.Change == c.Change && sameLine(p.Before, c.Before) && sameLine(p.After, c.After)
}

func sameLine(a, b *forecast.Timeline) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Outcome == b.Outcome && a.More == b.More && slices.Equal(a.Steps, b.Steps)
}

// Strip draws one side to the scale of both.
func (p pair) Strip(line *forecast.Timeline) htmlStrip {
	total := time.Duration(0)
	for _, side := range []*forecast.Timeline{p.Before, p.After} {
		if side != nil {
			total = max(total, lasts(*side))
		}
	}
	return htmlStrip{stripOf(*line, total)}
}
