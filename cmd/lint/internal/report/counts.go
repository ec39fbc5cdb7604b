package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// writeCounts writes what a report counts, one name=value a line, as the later steps of a
// job in CI take variables. What the configuration accepts is not undetermined nor unapplied: it fails no run.
func writeCounts(w io.Writer, r Report, _ Options) error {
	s := r.Summary
	return writeCounted(w, []counted{
		{"releases", s.Releases},
		{"judged", s.Judged},
		{"undetermined", r.Undecided() - undecided(r.Unapplied)},
		{"unapplied", undecided(r.Unapplied)},
		{"errors", s.Errors},
		{"warnings", s.Warnings},
		{"infos", s.Infos},
		{"waived", s.Waived},
		{"causes", countCauses(r.Findings)},
		{"problems", s.Problems},
	}, r.InForce)
}

// writeDiffCounts writes what a change makes new or worse, and of how many releases it
// changes the class.
func writeDiffCounts(w io.Writer, d Diff, _ Options) error {
	s, classes := d.Summary, 0
	var gained []Finding
	for _, c := range d.Changes {
		gained = append(gained, c.Gained...)
		if c.Before != nil && c.After != nil && c.Before.Class != c.After.Class {
			classes++
		}
	}
	return writeCounted(w, []counted{
		{"releases", s.Releases},
		{"undetermined", d.undecided()},
		{"unapplied", undecided(d.Unapplied)},
		{"errors", s.Errors},
		{"warnings", s.Warnings},
		{"infos", s.Infos},
		{"waived", s.Waived},
		{"causes", countCauses(gained)},
		{"problems", len(d.Problems)},
		{"repaired", s.Repaired},
		{"class_changes", classes},
		{"policy_weakened", s.Weakened},
	}, d.Policy.InForce)
}

type counted struct {
	name string
	n    int
}

func writeCounted(w io.Writer, all []counted, by rules.InForce) error {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s=%d\n", c.name, c.n)
	}
	if by.Digest != "" {
		fmt.Fprintf(&b, "policy_digest=%s\n", by.Digest)
	}
	if by.Bundle != "" {
		fmt.Fprintf(&b, "policy_bundle=%s\n", by.Bundle)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// countCauses counts what makes findings that nothing waives.
func countCauses(findings []Finding) int { return len(causes(findings)) }
