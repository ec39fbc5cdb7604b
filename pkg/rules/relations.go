package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// apiCategory is the category of the rules that may report on an object that the API
// server refuses.
const apiCategory = "api"

// Relations are the relations of a rule to others, which are named by their ids. The
// webhook uses them to decide which faults of an updated release are new: a fault that
// an old one kept from being reported is not.
type Relations struct {
	// Hides lists rules that do not report on a half (spec.install or
	// spec.upgrade) while this one does, although their fault is there.
	Hides []string `json:"hides"`
	// Leaves lists rules that may report once this one's fault is repaired in
	// part, each on a release that recovers from more than before. A rule that
	// lists itself reports one fault at different fields.
	Leaves []string `json:"leaves"`
	// Nearer lists rules that report the same field when its number has come
	// nearer to what is allowed.
	Nearer []string `json:"nearer"`
	// Accepted is true if the rule reports only on releases of an accepted class, so
	// that its fault appears as soon as a release recovers.
	Accepted bool `json:"accepted"`
	// Refuses is true if the API server refuses an object that the rule reports. Then
	// only rules of the category api report on it.
	Refuses bool `json:"refuses"`
	// Ignored is true if the controller ignores what the rule's repairs take away: no
	// scenario of the forecast ends otherwise without it.
	Ignored bool `json:"ignored"`
	// Alone is true if, while the rule reports, only rules of the category api report
	// beside it.
	Alone bool `json:"alone"`
}

// Covers reports whether an older finding of the rule, at the field before, held the fault that
// another rule now reports at a field: it is left of it after a repair in part, was hidden by
// it, or is the same number nearer to what is allowed. Unchanged says whether the field is as
// it was.
func (r Relations) Covers(before release.Path, rule string, now release.Path, unchanged bool) bool {
	switch {
	case slices.Contains(r.Leaves, rule):
		return true
	case slices.Contains(r.Hides, rule) && slices.Equal(section(before), section(now)):
		return unchanged
	}
	return slices.Contains(r.Nearer, rule) && slices.Equal(before, now)
}

// section returns the first two steps of a path, such as spec.install.
func section(path release.Path) release.Path { return path[:min(2, len(path))] }

// relate replaces aliases in the relations by ids. It refuses an unknown id, and a
// circle: two faults that excuse each other could be exchanged in every update.
func relate(rules []Rule) error {
	hides, milder := map[string][]string{}, map[string][]string{}
	for i := range rules {
		rule := &rules[i]
		for _, list := range []struct {
			name string
			ids  *[]string
		}{{"hides", &rule.Hides}, {"leaves", &rule.Leaves}, {"nearer", &rule.Nearer}} {
			*list.ids = currentIDs(rules, *list.ids)
			for _, id := range *list.ids {
				if len(named(rules, id)) == 0 {
					return rule.wrong("custom."+list.name, fmt.Errorf("there is no rule %q", id))
				}
			}
		}
		hides[rule.ID] = rule.Hides
		milder[rule.ID] = slices.Concat(rule.Nearer, slices.DeleteFunc(slices.Clone(rule.Leaves), func(id string) bool { return id == rule.ID }))
	}
	for _, graph := range []struct {
		field string
		edges map[string][]string
	}{{"custom.hides", hides}, {"custom.leaves, custom.nearer", milder}} {
		if circle := circleIn(graph.edges); circle != nil {
			return newestOf(rules, circle).wrong(graph.field, fmt.Errorf("a circle: %s", strings.Join(circle, ", ")))
		}
	}
	return nil
}

// newestOf returns of some rules the one of the last source.
func newestOf(rules []Rule, ids []string) Rule {
	return slices.MaxFunc(slices.DeleteFunc(slices.Clone(rules), func(r Rule) bool { return !slices.Contains(ids, r.ID) }),
		func(a, b Rule) int { return a.Origin.Source - b.Origin.Source })
}

// currentIDs replaces aliases by the ids of their rules. An unknown id stays as it is.
func currentIDs(rules []Rule, ids []string) (now []string) {
	for _, id := range ids {
		for _, rule := range named(rules, id) {
			now = append(now, rule.ID)
		}
		if len(named(rules, id)) == 0 {
			now = append(now, id)
		}
	}
	return now
}

// circleIn returns the first circle of edges, which ends where it begins; nil if there is none.
func circleIn(edges map[string][]string) []string {
	var visit func(id string, above []string) []string
	visit = func(id string, above []string) []string {
		if slices.Contains(above, id) {
			return append(above, id)
		}
		for _, next := range edges[id] {
			if circle := visit(next, append(slices.Clip(above), id)); circle != nil {
				return circle
			}
		}
		return nil
	}
	for _, id := range sortedKeys(edges) {
		if circle := visit(id, nil); circle != nil {
			return circle
		}
	}
	return nil
}
