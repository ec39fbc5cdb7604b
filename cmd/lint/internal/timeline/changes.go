package timeline

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// sheetOfChanges orders what changes by scenario and joins what is alike.
func sheetOfChanges(all Comparisons) sheet {
	to := sheet{Remarks: all.Remarks, Compared: &compared{Before: all.Before, After: all.After, All: len(all.Comparisons)}}
	to.Undetermined = words.Of(all.Undetermined, func(u Incomparable) Unforeseen { return Unforeseen{u.Release, u.Cluster, u.Reason()} })
	fates := all.changes()
	to.Compared.Changed = len(fates)
	return ordered(fates, to)
}

func (c Comparisons) changes() []fate {
	var out []fate
	for i := range c.Comparisons {
		of := &c.Comparisons[i]
		if !of.Changed {
			continue
		}
		line := of.After
		if line == nil {
			line = of.Before
		}
		out = append(out, fate{Forecast{Release: of.Release, Cluster: of.Cluster, Timeline: *line}, of})
	}
	return out
}

// The tones of ends, the worst first: a human is needed, it goes on, it recovers; and of a
// release that is gone.
var tones = []string{"bad", "busy", "good", "gone"}

// Tone is the class that colours a fate.
func (f fate) Tone() string { return toneOf(f.now()) }

// toneOf is the tone of a timeline, "gone" of none.
func toneOf(line *forecast.Timeline) string {
	if line == nil {
		return "gone"
	}
	return tone(line.Outcome)
}

// now returns the timeline of the later state; nil if the release is gone.
func (f *fate) now() *forecast.Timeline {
	if f.Change != nil {
		return f.Change.After
	}
	return &f.Timeline
}

// was returns the timeline of the earlier state of a comparison; nil if there is none.
func (f *fate) was() *forecast.Timeline {
	if f.Change != nil {
		return f.Change.Before
	}
	return nil
}

// rank orders fates: what gets worse comes first, then what ends worst.
func (f fate) rank() int {
	rank := slices.Index(tones, f.Tone())
	if !f.worse() {
		rank += len(tones)
	}
	return rank
}

// worse reports whether a change makes the end worse.
func (f fate) worse() bool {
	return f.Change != nil && f.was() != nil && slices.Index(tones, f.Tone()) < slices.Index(tones, toneOf(f.was()))
}

// worse counts the scenarios in which releases end worse than before.
func (g *alike) worse() int {
	n := 0
	for _, c := range g.Cards {
		if c.worse() {
			n++
		}
	}
	return n
}

// Brief names the end; in a comparison, the later one.
func (f fate) Brief() string {
	switch line := f.now(); {
	case line == nil:
		return "gone"
	case f.Change != nil && f.was() == nil:
		return "New: " + brief(line.Outcome)
	case f.Change != nil:
		return "Now " + brief(line.Outcome)
	default:
		return brief(line.Outcome)
	}
}

// unname takes the name of a release from what is advised, for a card of several.
func (c *card) unname() {
	c.Revive = unnamed(c.Revive, c.Release)
	if c.Change == nil {
		return
	}
	change := *c.Change
	change.Before, change.After = nameless(change.Before, c.Release), nameless(change.After, c.Release)
	c.Change = &change
}

func nameless(line *forecast.Timeline, of release.Name) *forecast.Timeline {
	if line == nil {
		return nil
	}
	out := *line
	out.Revive = unnamed(line.Revive, of)
	return &out
}
