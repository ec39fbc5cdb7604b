package rules

import (
	"fmt"
	"slices"
	"strings"
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
	// Alone is true if, while the rule reports, only rules of the category api report
	// beside it.
	Alone bool `json:"alone"`
}

// relate replaces aliases in the relations by ids. It refuses an unknown id, and a
// circle: two faults that excuse each other could be exchanged in every update.
func relate(rules []Rule) error {
	hides, milder := map[string][]string{}, map[string][]string{}
	for i := range rules {
		rule := &rules[i]
		for _, list := range []*[]string{&rule.Hides, &rule.Leaves, &rule.Nearer} {
			*list = currentIDs(rules, *list)
		}
		hides[rule.ID] = rule.Hides
		milder[rule.ID] = slices.Concat(rule.Nearer, slices.DeleteFunc(slices.Clone(rule.Leaves), func(id string) bool { return id == rule.ID }))
	}
	for _, graph := range []map[string][]string{hides, milder} {
		if err := checkGraph(graph); err != nil {
			return fmt.Errorf("METADATA: custom.hides, custom.leaves, custom.nearer: %w", err)
		}
	}
	return nil
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

// checkGraph refuses edges to unknown rules and circles.
func checkGraph(edges map[string][]string) error {
	var visit func(id string, above []string) error
	visit = func(id string, above []string) error {
		if slices.Contains(above, id) {
			return fmt.Errorf("a circle: %s", strings.Join(append(above, id), ", "))
		}
		for _, next := range edges[id] {
			if _, ok := edges[next]; !ok {
				return fmt.Errorf("rule %s: there is no rule %q", id, next)
			}
			if err := visit(next, append(slices.Clip(above), id)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, id := range sortedKeys(edges) {
		if err := visit(id, nil); err != nil {
			return err
		}
	}
	return nil
}
