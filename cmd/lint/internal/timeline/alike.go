package timeline

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
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
}

// alike are releases that do the same in every scenario.
type alike struct {
	Number int
	Names  []string
}

// section is one scenario.
type section struct {
	Scenario string
	Cards    []*card  // the worst end first
	Rest     []ending // of those that are not drawn
}

// card is a timeline with the releases that it is of.
type card struct {
	forecast.Timeline
	Groups []*alike
	of     release.Name // the first
}

// Open reports whether the sheet is so short that its steps are shown.
func (s sheet) Open() bool { return len(s.Sections) == 1 && len(s.Sections[0].Cards) == 1 }

// Ends counts the releases of a section by tone of their end.
func (s section) Ends() map[string]int {
	ends := map[string]int{}
	for _, c := range s.Cards {
		ends[tone(c.Outcome)] += c.Releases()
	}
	for _, e := range s.Rest {
		ends[tone(e.Cards[0].Outcome)] += e.Releases()
	}
	return ends
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

// sheetOf orders forecasts by scenario and joins what is alike.
func sheetOf(r Report) sheet {
	b := sheetBuilder{
		sheet: sheet{Undetermined: r.Undetermined, Remarks: r.Remarks}, groups: map[string]*alike{},
		sections: map[string]int{}, cards: map[int]*card{},
	}
	b.Cluster = onlyCluster(r.Forecasts)
	for _, g := range groups(r.Forecasts) {
		if b.Cluster != "" {
			g.Title = g.Forecasts[0].Release.String()
		}
		b.add(g)
	}
	b.sort()
	b.bound()
	return b.sheet
}

// onlyCluster returns the cluster of all forecasts; "" if they differ.
func onlyCluster(all []Forecast) string {
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
	for i, f := range of.Forecasts {
		c := b.cards[numbers[i]]
		if c == nil {
			c = b.card(f)
			b.cards[numbers[i]] = c
		}
		c.Groups = append(c.Groups, like)
	}
}

// card adds one to the section of its scenario.
func (b *sheetBuilder) card(f Forecast) *card {
	i, seen := b.sections[f.Scenario]
	if !seen {
		i = len(b.Sections)
		b.sections[f.Scenario], b.Sections = i, append(b.Sections, section{Scenario: f.Scenario})
	}
	c := &card{Timeline: f.Timeline, of: f.Release}
	b.Sections[i].Cards = append(b.Sections[i].Cards, c)
	return c
}

// sort puts the largest groups and the worst ends first, and numbers the groups. What a
// card of several releases advises names none of them.
func (s *sheet) sort() {
	bySize := func(a, b *alike) int { return cmp.Compare(len(b.Names), len(a.Names)) }
	slices.SortStableFunc(s.Groups, bySize)
	for i, g := range s.Groups {
		g.Number = i + 1
	}
	for _, section := range s.Sections {
		for _, c := range section.Cards {
			slices.SortStableFunc(c.Groups, bySize)
			if c.Releases() > 1 {
				c.Revive = unnamed(c.Revive, c.of)
			}
		}
		slices.SortStableFunc(section.Cards, func(a, b *card) int {
			return cmp.Or(cmp.Compare(toneRank(a.Outcome), toneRank(b.Outcome)), cmp.Compare(b.Releases(), a.Releases()))
		})
	}
}

func toneRank(o forecast.Outcome) int { return slices.Index(tones, tone(o)) }

// tones of ends, the worst first.
var tones = []string{"bad", "busy", "good"}

// distinct are timelines by what can be compared at once. Equal ones have one number.
type distinct struct {
	next int
	seen map[timelineKey][]numbered
}

type timelineKey struct {
	scenario string
	outcome  forecast.Outcome
	more     int
}

type numbered struct {
	steps  []forecast.Step
	revive []forecast.Way
	number int
}

// numbers returns those of the forecasts of a release.
func (d *distinct) numbers(of group) []int {
	out := make([]int, len(of.Forecasts))
	for i, f := range of.Forecasts {
		out[i] = d.number(f)
	}
	return out
}

func (d *distinct) number(f Forecast) int {
	key, revive := timelineKey{f.Scenario, f.Outcome, f.More}, unnamed(f.Revive, f.Release)
	for _, n := range d.seen[key] {
		if slices.Equal(n.steps, f.Steps) && slices.EqualFunc(n.revive, revive, sameWay) {
			return n.number
		}
	}
	if d.seen == nil {
		d.seen = map[timelineKey][]numbered{}
	}
	d.next++
	d.seen[key] = append(d.seen[key], numbered{f.Steps, revive, d.next})
	return d.next
}

func sameWay(a, b forecast.Way) bool {
	return a.Do == b.Do && a.Then == b.Then && a.Otherwise == b.Otherwise
}

// helmTarget is the Helm release in an advice.
var helmTarget = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`helm uninstall \S+ -n [^ ,]+`) })

// unnamed returns ways to revive a release with placeholders for its name.
func unnamed(ways []forecast.Way, name release.Name) []forecast.Way {
	own := " " + forecast.Argument(name.Name, "NAME") + " -n " + forecast.Argument(name.Namespace, "NAMESPACE")
	out := slices.Clone(ways)
	for i, w := range out {
		do := helmTarget().ReplaceAllString(w.Do, "helm uninstall RELEASE -n TARGET")
		out[i].Do = strings.ReplaceAll(do, own, " NAME -n NAMESPACE")
	}
	return out
}
