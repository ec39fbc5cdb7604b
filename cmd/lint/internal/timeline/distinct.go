package timeline

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// distinct are timelines by what can be compared at once. Equal ones have one number, and so have
// equal changes of a comparison.
type distinct struct {
	next    int
	seen    map[timelineKey][]lineNumber
	changes map[[2]int]int
}

type timelineKey struct {
	scenario string
	outcome  forecast.Outcome
	more     int
	holdsUp  string
}

type lineNumber struct {
	steps  []forecast.Step
	revive []forecast.Way
	number int
}

// numbers returns those of what a release does.
func (d *distinct) numbers(of group) []int {
	out := make([]int, len(of.Fates))
	for i, f := range of.Fates {
		out[i] = d.number(f)
	}
	return out
}

func (d *distinct) number(f fate) int {
	if f.Change == nil {
		return d.line(&f.Timeline, f.Release, heldUp(f.HoldsUp))
	}
	sides := [2]int{d.line(f.Change.Before, f.Release, ""), d.line(f.Change.After, f.Release, "")}
	number, seen := d.changes[sides]
	if !seen {
		if d.changes == nil {
			d.changes = map[[2]int]int{}
		}
		number = len(d.changes)
		d.changes[sides] = number
	}
	return number
}

// line returns the number of a timeline, zero of none.
func (d *distinct) line(f *forecast.Timeline, of release.Name, holdsUp string) int {
	if f == nil {
		return 0
	}
	key, revive := timelineKey{f.Scenario, f.Outcome, f.More, holdsUp}, unnamed(f.Revive, of)
	for _, n := range d.seen[key] {
		if slices.Equal(n.steps, f.Steps) && slices.EqualFunc(n.revive, revive, sameWay) {
			return n.number
		}
	}
	if d.seen == nil {
		d.seen = map[timelineKey][]lineNumber{}
	}
	d.next++
	d.seen[key] = append(d.seen[key], lineNumber{f.Steps, revive, d.next})
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
