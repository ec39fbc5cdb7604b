package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// sheet is a report by scenario: what several releases do alike stands in it once.
type sheet struct {
	Groups       []*alike // the largest first
	Sections     []section
	Undetermined []Unforeseen
	Remarks      []string
	Releases     int
	Cluster      string // of all of them; "" if there are several, or none is known
	Timelines    int    // that differ
	Drawn        int
	// Compared is nil but of a comparison.
	Compared *compared
}

// Waves reports whether a Kustomization is drawn.
func (s sheet) Waves() bool {
	return s.Compared == nil && slices.ContainsFunc(s.Sections, func(at section) bool {
		return slices.ContainsFunc(at.Cards, func(c *card) bool { return len(c.Forecast.lanes()) > 0 })
	})
}

// compared are two states, and how many forecasts there are.
type compared struct {
	Before, After string
	Changed, All  int
}

// alike are releases that do the same in every scenario.
type alike struct {
	Number int
	Names  []string
	Cards  []*card // in the order of scenarios
}

type section struct {
	Scenario string
	Cards    []*card  // the worst end first
	Rest     []ending // of those that are not drawn
}

// card is a fate with the releases that share it. The fate is that of the first.
type card struct {
	fate
	Groups []*alike
}

// Open reports whether the sheet is so short that its steps are shown.
func (s sheet) Open() bool { return len(s.Sections) == 1 && len(s.Sections[0].Cards) == 1 }

// tally counts the releases of a section whose end has a tone, and had it.
type tally struct {
	Tone     string
	Was, Now int
}

// Tallies counts the releases of a section by how they end.
func (s section) Tallies() []tally {
	out := []tally{{Tone: "bad"}, {Tone: "busy"}, {Tone: "good"}}
	add := func(f fate, n int) {
		for i := range out {
			if f.Tone() == out[i].Tone {
				out[i].Now += n
			}
			if toneOf(f.was()) == out[i].Tone {
				out[i].Was += n
			}
		}
	}
	for _, c := range s.Cards {
		add(c.fate, c.Releases())
	}
	for _, e := range s.Rest {
		add(e.Cards[0].fate, e.Releases())
	}
	return out
}

// Releases counts those of a card.
func (c *card) Releases() int {
	n := 0
	for _, g := range c.Groups {
		n += len(g.Names)
	}
	return n
}

// Numbers lists the groups of a card, for the script of the page.
func (c *card) Numbers() string { return numbersOf(c) }

func numbersOf(cards ...*card) string {
	var numbers []string
	for _, c := range cards {
		for _, g := range c.Groups {
			numbers = append(numbers, strconv.Itoa(g.Number))
		}
	}
	return strings.Join(numbers, " ")
}

// mostNamed is how many groups a card names: all of them are in the list of groups.
const mostNamed = 10

// Named are the groups that a card names.
func (c *card) Named() []*alike { return c.Groups[:min(mostNamed, len(c.Groups))] }

// Unnamed counts the others.
func (c *card) Unnamed() int { return len(c.Groups) - len(c.Named()) }

// Name names the releases by the first.
func (g *alike) Name() string {
	if len(g.Names) == 1 {
		return g.Names[0]
	}
	return g.Names[0] + " and " + strconv.Itoa(len(g.Names)-1) + " more"
}

// sheetOf orders a report by scenario and joins what is alike.
func sheetOf(r Report) sheet {
	return ordered(r.fates(), sheet{Undetermined: r.Undetermined, Remarks: r.Remarks})
}

// ordered adds what releases do to a sheet.
func ordered(fates []fate, to sheet) sheet {
	b := sheetBuilder{sheet: to, groups: map[string]*alike{}, sections: map[string]int{}, cards: map[int]*card{}}
	all, cluster := titled(fates)
	b.Cluster = cluster
	for _, g := range all {
		b.add(g)
	}
	b.sort()
	return b.sheet
}

// titled returns the groups, which name their cluster unless all have the same; this one.
func titled(fates []fate) (all []group, cluster string) {
	all, cluster = groups(fates), onlyCluster(fates)
	for i, g := range all {
		if cluster != "" {
			all[i].Title = g.Fates[0].Release.String()
		}
	}
	return all, cluster
}

// onlyCluster returns the cluster of all; "" if they differ.
func onlyCluster(all []fate) string {
	for _, f := range all {
		if f.Cluster != all[0].Cluster {
			return ""
		}
	}
	if len(all) == 0 {
		return ""
	}
	return all[0].Cluster
}

// sheetBuilder adds one release after the other.
type sheetBuilder struct {
	sheet
	lines    distinct
	groups   map[string]*alike // by the numbers of their timelines
	sections map[string]int    // by scenario
	cards    map[int]*card     // by the number of the timeline
}

func (b *sheetBuilder) add(of group) {
	b.Releases++
	numbers := b.lines.numbers(of)
	key := fmt.Sprint(numbers)
	if like, seen := b.groups[key]; seen {
		like.Names = append(like.Names, of.Title)
		return
	}
	like := &alike{Names: []string{of.Title}}
	b.groups[key], b.Groups = like, append(b.Groups, like)
	for i, f := range of.Fates {
		c := b.cards[numbers[i]]
		if c == nil {
			c = b.card(f)
			b.cards[numbers[i]] = c
		}
		c.Groups, like.Cards = append(c.Groups, like), append(like.Cards, c)
	}
}

// card adds one to the section of its scenario.
func (b *sheetBuilder) card(f fate) *card {
	i, seen := b.sections[f.Scenario]
	if !seen {
		i = len(b.Sections)
		b.sections[f.Scenario], b.Sections = i, append(b.Sections, section{Scenario: f.Scenario})
	}
	c := &card{fate: f}
	b.Sections[i].Cards = append(b.Sections[i].Cards, c)
	return c
}

// sort puts the largest groups, after those for which a change is worse, and the worst ends first, and numbers the groups. What a
// card of several releases advises names none of them.
func (s *sheet) sort() {
	bySize := func(a, b *alike) int { return cmp.Compare(len(b.Names), len(a.Names)) }
	slices.SortStableFunc(s.Groups, func(a, b *alike) int {
		return cmp.Or(cmp.Compare(b.worse(), a.worse()), bySize(a, b))
	})
	for i, g := range s.Groups {
		g.Number = i + 1
	}
	for _, section := range s.Sections {
		for _, c := range section.Cards {
			slices.SortStableFunc(c.Groups, bySize)
			if c.Releases() > 1 {
				c.unname()
			}
		}
		slices.SortStableFunc(section.Cards, func(a, b *card) int {
			return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.Releases(), a.Releases()))
		})
	}
}

// joinedGroup is the forecasts of releases that do the same, by the first of them.
type joinedGroup struct {
	group
	like alike
}

// joined joins what is alike; what such releases are advised names none of them.
func joined(all []group) []joinedGroup {
	var lines distinct
	return words.Of(words.Alike[[]group](all, func(g group) string { return fmt.Sprint(lines.numbers(g)) }), func(of []group) joinedGroup {
		out := joinedGroup{of[0], alike{Names: words.Of(of, func(g group) string { return g.Title })}}
		for i, f := range out.Fates {
			if len(of) > 1 {
				out.Fates[i].Revive = unnamed(f.Revive, f.Release)
			}
		}
		return out
	})
}

// mostListed is how many releases a line names.
const mostListed = 5

// listed names the first of the releases, counts the others, and names the cluster unless it is
// empty.
func (g *alike) listed(cluster string) string {
	return words.First(g.Names, mostListed, "") + words.InCluster(cluster)
}
