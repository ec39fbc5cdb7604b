package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// gained is a report of what is new or worse, and of nothing else.
func (d Diff) gained() Report {
	gained := slices.Clone(d.Policy.Weakened)
	for _, c := range d.Changes {
		gained = append(gained, c.Gained...)
	}
	return Report{InForce: d.Policy.InForce, Findings: merge(gained), Undetermined: d.hiding(), Unapplied: d.PassedOver(), Problems: d.Problems}
}

// PassedOver lists what the change adds, edits or leaves behind and no cluster applies.
func (d Diff) PassedOver() []release.Undetermined {
	return slices.Concat(d.Unapplied, d.UnappliedChanges)
}

// alike joins the changes that say the same, which a patch makes for many
// releases at once. The worst come first.
func alike(changes []Change) [][]Change {
	out := words.Alike[[]Change](changes, likeness)
	slices.SortStableFunc(out, func(a, b []Change) int { return a[0].rank() - b[0].rank() })
	return out
}

// rank orders changes: by the worst that is new, then what is repaired, then by what is
// forecast.
func (c Change) rank() int {
	if c.Unknown != nil && c.Unknown.Accepted == "" {
		return 0
	}
	rank := len(rules.Severities) + 2
	for _, f := range c.Forecasts {
		if f.Trend == Worse {
			rank = len(rules.Severities) + 1
		}
	}
	if len(c.repairs()) > 0 {
		rank = len(rules.Severities)
	}
	for _, f := range c.Gained {
		if f.Waived == nil {
			rank = min(rank, f.Severity.Rank())
		}
	}
	return rank
}

// likeness is all that is written of a change but its place.
func likeness(c Change) string {
	var b strings.Builder
	b.WriteString(c.headline())
	if c.Unknown != nil {
		b.WriteString(c.Unknown.Reason)
	}
	for i, list := range [][]Finding{c.Gained, c.Remaining, c.Lost, c.Inherited, c.Eased} {
		for _, f := range list {
			fmt.Fprintf(&b, "\n%d %s %s %s %s %s", i, f.Severity, f.Was, f.Rule, f.Path, f.Message)
		}
	}
	full, rest := inFull(c.Forecasts)
	for _, f := range full {
		fmt.Fprintf(&b, "\n%s\n%s\n%s\n%s", f.Scenario, f.Trend, f.Before, f.After)
	}
	return fmt.Sprint(b.String(), "\n", rest)
}

// headline says what becomes of the release: "class retry, now violating".
func (c Change) headline() string {
	text, lost := c.becomes(), "it"
	if c.From != nil {
		was := "was"
		if c.From.Name != c.Name {
			was += " " + c.From.Name.String()
		}
		if c.From.Cluster != c.Cluster {
			was += words.InCluster(c.From.Cluster)
		}
		text, lost = was+", "+text, c.From.Name.String()
	}
	if c.Uninstall != nil {
		text += "; Flux uninstalls " + lost
		if c.Uninstall.Deletes != "" {
			text += ": " + c.Uninstall.Deletes
		}
	}
	return text
}

func (c Change) becomes() string {
	switch {
	case c.Unknown != nil:
		return fmt.Sprintf("no longer determined in %s, was class %s", c.Before.Tier, c.Before.Class)
	case c.Before == nil && c.WasUnknown != nil:
		return fmt.Sprintf("could not be judged before in %s, class %s", c.After.Tier, c.After.Class)
	case c.Before == nil:
		return fmt.Sprintf("new in %s, class %s", c.After.Tier, c.After.Class)
	case c.After == nil:
		return fmt.Sprintf("gone from %s, was class %s", c.Before.Tier, c.Before.Class)
	}
	text := "class " + was(string(c.Before.Class), string(c.After.Class))
	if c.Before.Class == c.After.Class {
		text = "still " + text
	}
	if c.Before.Tier != c.After.Tier {
		text = "tier " + was(string(c.Before.Tier), string(c.After.Tier)) + ", " + text
	}
	if c.Suspended {
		return "suspended; " + text + " when it is resumed"
	}
	return text
}

func was(before, after string) string {
	if before == after {
		return after
	}
	return before + ", now " + after
}

// verdict says in a few words what matters most, what is repaired first: "3 errors repaired,
// 1 error repaired in part, 2 errors added".
func (d Diff) verdict() string {
	parts, news, unknown := d.Summary.repaired(), d.Summary.news(), d.unread()
	if news != "" || len(unknown) == 0 {
		parts = append(parts, cmp.Or(news, "no new findings"))
	}
	return strings.Join(append(parts, unknown...), ", ")
}

// unread counts what keeps the change from being judged: "1 place no longer readable", "2 newly undetermined".
func (d Diff) unread() (parts []string) {
	if n := len(d.Problems); n > 0 {
		parts = append(parts, words.Count(n, "place")+" no longer readable")
	}
	if n := d.undecided(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d newly undetermined", n))
	}
	return parts
}

// repaired counts what is repaired, and what is in part, by severity.
func (s DiffSummary) repaired() []string {
	return append(bySeverity(s.whole).texts(" repaired"), bySeverity(s.inPart).texts(" repaired in part")...)
}

// news counts what is new or worse; "" if nothing is.
func (s DiffSummary) news() string {
	parts := bySeverity(s.Counts).texts(" added")
	if s.Weakened > 0 {
		parts = append(parts, fmt.Sprintf("policy weakened in %s", words.Count(s.Weakened, "place")))
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + s.unjudged()
}

// unjudged counts the new findings whose releases could not be judged before,
// for the end of a sentence.
func (s DiffSummary) unjudged() string {
	if s.Unjudged == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d could not be judged before)", s.Unjudged)
}

// tally counts the rest: "2 of 12 releases changed, 1 removed; 3 errors gone with removed releases".
func (d Diff) tally() string {
	s := d.Summary
	text := fmt.Sprintf("%d of %s%s changed", s.Changed, words.Count(s.Releases, "release"), d.over)
	for _, part := range []struct {
		n    int
		what string
	}{
		{s.Added, "new"}, {s.Removed, "removed"}, {s.Renamed, "renamed"}, {s.Undetermined, "no longer determined"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	if lost := strings.Join(bySeverity(s.gone).texts(""), ", "); lost != "" {
		text += "; " + lost + " gone with removed releases"
	}
	if s.Waived > 0 {
		text += fmt.Sprintf("; %s waived", words.Count(s.Waived, "finding"))
	}
	if s.Eased > 0 {
		text += fmt.Sprintf("; %s milder", words.Count(s.Eased, "finding"))
	}
	if s.Inherited > 0 {
		text += fmt.Sprintf("; %s under known causes", words.Count(s.Inherited, "finding"))
	}
	if existing := bySeverity(s.existing).texts(""); len(existing) > 0 {
		text += "; " + strings.Join(existing, ", ") + " that only the new policy reports"
	}
	return text
}

// legend explains the classes that changes name.
func (d Diff) legend() string {
	var findings []Finding
	for _, c := range d.Changes {
		findings = slices.Concat(findings, c.Gained, c.Lost, c.Inherited, c.Eased)
	}
	return textsOf(findings).legend(func(class rules.Class) bool {
		return slices.ContainsFunc(d.Changes, func(c Change) bool {
			return c.Before != nil && c.Before.Class == class || c.After != nil && c.After.Class == class
		})
	})
}
