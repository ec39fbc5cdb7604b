package admission

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// maxLead is the size of a denial's first line, in bytes: what lists of events and conditions
// show of it. maxField is how much of a field it says, since keys may have any length. minNames
// is what is left to the names of the release by a way out of any length.
const (
	maxLead  = 200
	maxField = 100
	minNames = 64
)

// lead is the first line of a denial, but for the names of the release: the fault that is the
// first, and the way out.
type lead struct {
	fault string   // rule and field
	more  int      // other faults
	ways  []string // each a step; the first is always said
}

// lead returns the first line of a denial.
func (d *Decision) lead() lead {
	first := d.Denied[0]
	l := lead{fault: cut(first.Rule, maxRule) + " (" + cut(first.Path.String(), maxField) + ")", more: len(d.Denied) - 1}
	switch {
	case len(d.fix.edits) > 0 && !slices.Contains(d.fix.but, first.Rule):
		for _, e := range foremost(leaves(d.fix.edits), first) {
			l.ways = append(l.ways, step(e, first.Path))
		}
	case d.helpOf(first.Rule) != "":
		l.ways = []string{strings.TrimSuffix(d.helpOf(first.Rule), ".")}
	default:
		l.ways = []string{"change it or have it waived"}
	}
	return l
}

// leaves returns edits that set no objects but the fields of them.
func leaves(edits []rules.Edit) (all []rules.Edit) {
	for _, e := range edits {
		fields, _ := e.Value.(map[string]any)
		if len(fields) == 0 {
			all = append(all, e)
		}
		for _, key := range slices.Sorted(maps.Keys(fields)) {
			all = append(all, leaves([]rules.Edit{{Path: append(slices.Clip(e.Path), key), Value: fields[key]}})...)
		}
	}
	return all
}

// foremost returns the edits with those first that a finding asks for, and of these what is
// to be set before what is to be removed.
func foremost(edits []rules.Edit, of rules.Finding) []rules.Edit {
	rank := func(e rules.Edit) int {
		switch {
		case of.Fix == nil || !slices.ContainsFunc(of.Fix.Set, func(set rules.Edit) bool { return set.Path.String() == e.Path.String() }):
			return 2
		case e.Value == nil:
			return 1
		}
		return 0
	}
	slices.SortStableFunc(edits, func(a, b rules.Edit) int { return rank(a) - rank(b) })
	return edits
}

// step says an edit, with its field in spec; the field is not said again if it is the fault's.
func step(e rules.Edit, fault release.Path) string {
	field := strings.TrimPrefix(e.Path.String(), "spec.")
	if e.Path.String() == fault.String() {
		field = "it"
	}
	if e.Value == nil {
		return "remove " + field
	}
	value, ok := e.Value.(string)
	if !ok || value == "" {
		data, _ := json.Marshal(e.Value) // comes from JSON, so it cannot fail
		value = string(data)
	}
	return "set " + field + " to " + value
}

// line returns the first line. What Flux and the API server say before it takes half of 200
// characters, and names the release in Flux's events. So the fault and a step of the way out come
// first, then further steps, which are counted if they find no room, and at last the release.
func (l lead) line(of, tier string) string {
	text := l.fault + ": "
	text += cut(l.ways[0], max(maxLead-len(text)-min(len("; "+of), minNames), len("...")))
	last := "; HelmRelease " + of + " in " + tier
	if room := maxLead - len(text); len(last) > room {
		last = cut("; "+of, room)
	}
	others := ""
	if l.more > 0 {
		others = "; " + counted(l.more, "other fault")
	}
	for i, way := range l.ways[1:] {
		left := ", and " + counted(len(l.ways)-1-i, "other step")
		if len(text)+len(", ")+len(way)+len(left)+len(others)+len(last) > maxLead {
			others = left + others
			break
		}
		text += ", " + way
	}
	if len(text)+len(others)+len(last) > maxLead {
		others = ""
	}
	return text + others + last
}

func counted(number int, thing string) string {
	if number > 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", number, thing)
}
