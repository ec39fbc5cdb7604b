package vap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// old is when a fault of the new object is not new: the old one had it, no milder, or
// another one that made or hid it, or no scenario ends worse and the update leaves its field
// alone or puts another word there. A fault that was waived makes nothing old. It is what cmd/webhook decides
// in inherit.go.
func (f fault) old(all []fault) string {
	had := "!" + f.waived(1)
	if f.Degree != "" {
		had = fmt.Sprintf("%s && variables.%s_degree[1] >= variables.%s_degree[0]", had, f.name, f.name)
	}
	violating := fmt.Sprintf("variables.releases[1]['class'] == '%s' && ", rules.ClassViolating)
	others := []string{violating + "variables.noWorse && " + f.first(untouched)}
	if f.rule.Accepted {
		others = append(others, violating+f.unchanged())
	}
	for _, before := range all {
		if when, ok := f.excused(before); ok {
			others = append(others, fmt.Sprintf("variables.%s[1] && !%s%s", before.name, before.waived(1), when))
		}
	}
	return fmt.Sprintf("variables.releases.size() == 2 && (variables.%s[1] ? %s :\n  %s)", f.name, had, strings.Join(others, " ||\n  "))
}

// excused returns on which further condition an old fault of another rule, or at another
// field, makes this one old, and whether it does.
func (f fault) excused(before fault) (when string, ok bool) {
	switch {
	case before.name == f.name || before.severity != rules.Error:
		return "", false
	case slices.Contains(before.rule.Leaves, f.rule.ID):
		return "", true
	case slices.Contains(before.rule.Hides, f.rule.ID) && slices.Equal(section(before.At[0]), section(f.At[0])):
		return " && " + f.unchanged(), true
	}
	return "", len(f.At) == 1 && len(before.At) == 1 && slices.Equal(before.At[0], f.At[0]) && slices.Contains(before.rule.Nearer, f.rule.ID)
}

func section(path release.Path) release.Path { return path[:min(2, len(path))] }

// unchanged is whether the update leaves the fault's field as it was.
func (f fault) unchanged() string { return f.first(same) }

// first is a condition on the fault's field: of several the first that is written.
func (f fault) first(of func(release.Path) string) string {
	last := len(f.At) - 1
	text := of(f.At[last])
	for i := last - 1; i >= 0; i-- {
		text = fmt.Sprintf("%s.hasValue() ? %s : %s", field("object", f.At[i]), of(f.At[i]), text)
	}
	return "(" + text + ")"
}

func same(path release.Path) string { return field("object", path) + " == " + field("oldObject", path) }

// untouched is whether a field is the same, or has another word.
func untouched(path release.Path) string {
	return fmt.Sprintf("(%s || [%s, %s].all(v, !v.hasValue() || type(v.value()) == string && !v.value().matches('[0-9]')))",
		same(path), field("object", path), field("oldObject", path))
}

// field is a field of an object, as an optional value.
func field(object string, path release.Path) string {
	for _, step := range path {
		object += fmt.Sprintf(".?%s", step)
	}
	return object
}

// day is how a waiver begins: its last day, and a reason. Which day it is today CEL
// cannot know.
const day = `^\s*[0-9]{4}-[0-9]{2}-[0-9]{2} \s*\S`

// waivers is the variable of the rules that are waived on each object. Entries of the
// configuration that have ended by now, or that no API server can match, are left out.
func waivers(config rules.WaiverConfig, tier release.Tier, now time.Time) variable {
	terms := []string{annotated(config, tier)}
	for _, entry := range config.Entries {
		if entry.Until.Over(now) || entry.OnlyInTree() {
			continue
		}
		conditions := append(matching("request.namespace", entry.Namespace), matching("object.metadata.name", entry.Name)...)
		if len(conditions) == 0 {
			conditions = []string{"true"}
		}
		terms = append(terms, fmt.Sprintf("(%s ? [%s] : [])", strings.Join(conditions, " && "), quote(entry.Rule)))
	}
	return variable{"waived", "([object] + (request.operation == 'UPDATE' ? [oldObject] : [])).map(o,\n  " + strings.Join(terms, " +\n  ") + ")"}
}

// annotated are the rules that annotations of an object o waive.
func annotated(config rules.WaiverConfig, tier release.Tier) string {
	if config.Annotations[tier] == "forbid" {
		return "[]"
	}
	wanted := fmt.Sprintf("a[k].matches(%s)", quote(day))
	if config.ReasonPattern != "" {
		wanted += fmt.Sprintf(" && a[k].trim().substring(10).trim().matches(%s)", quote(config.ReasonPattern))
	}
	return fmt.Sprintf("[o.metadata.?annotations.orValue({})].map(a, a.filter(k, k.startsWith('%s') && %s))[0].map(k, k.substring(%d))",
		rules.WaiverAnnotation, wanted, len(rules.WaiverAnnotation))
}

// matching is the condition that a text matches a glob; none if there is no glob.
func matching(text, glob string) []string {
	if glob == "" {
		return nil
	}
	return []string{fmt.Sprintf("%s.matches(%s)", text, quote(pattern(glob)))}
}

// quote returns a text as CEL writes it.
func quote(text string) string { return strconv.Quote(text) }
