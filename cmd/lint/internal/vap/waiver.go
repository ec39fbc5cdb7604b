package vap

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

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
