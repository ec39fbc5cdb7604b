package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Plan is what --fix repairs, or with --diff would repair.
type Plan struct {
	// Made is true if the files are written.
	Made bool `json:"made"`
	// Fixed counts the findings of before that go away; those of several clusters that are
	// equal are one.
	Fixed   int          `json:"fixed"`
	Repairs []Repair     `json:"repairs"`
	Left    []Unrepaired `json:"left"`
	// Comments are those that go: with what they are about, or as they would be untrue. Absent
	// without any.
	Comments []LostComment `json:"comments,omitempty"`
	Checked  Checked       `json:"checked"`

	// Patch is all edits as a unified diff, without lines that may hold a secret.
	Patch plain.Verbatim `json:"-"`
}

// Repair is one change of files, with all that it repairs.
type Repair struct {
	Edits []PlannedEdit `json:"edits"`
	// Causes are what makes the findings: rule, file and field, as of the findings.
	Causes  []Cause    `json:"causes"`
	Repairs []Repaired `json:"repairs"`
	// Also are the releases, with their clusters, that a patch for many changes although
	// nothing is found of them; absent without any.
	Also []Repaired `json:"also,omitempty"`
	// Scenario is the one that shows what changes, and Before and After how it ends; absent
	// if no scenario ends otherwise.
	Scenario string `json:"scenario,omitempty"`
	Before   string `json:"before,omitempty"`
	After    string `json:"after,omitempty"`
}

// PlannedEdit is a field of a file that is written, or removed if the value is null.
type PlannedEdit struct {
	File  string `json:"file"`
	Field string `json:"field"`
	Value any    `json:"value"`
}

// Repaired is a release in clusters, and the rule whose finding goes away.
type Repaired struct {
	Rule     string   `json:"rule,omitempty"`
	Release  string   `json:"release"`
	Clusters []string `json:"clusters"`
}

// Unrepaired is a finding that stays, and why. Rule, file and field are its cause.
type Unrepaired struct {
	Repaired
	Severity rules.Severity `json:"severity"`
	File     string         `json:"file"`
	Line     int            `json:"line"`
	Field    string         `json:"field"`
	Reason   string         `json:"reason"`
}

// LostComment is a comment that the repairs take away. Its text is empty if it may hold a
// secret.
type LostComment struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// String names a comment with its place.
func (c LostComment) String() string {
	if c.Text == "" {
		return place(c.File, c.Line, 0) + ": not shown, as it may hold a secret"
	}
	return place(c.File, c.Line, 0) + ": # " + c.Text
}

// Checked counts the releases that the repairs were judged with.
type Checked struct {
	Releases  int      `json:"releases"`
	Unchanged int      `json:"unchanged"`
	Clusters  []string `json:"clusters"`
}

// String says what the repairs were checked against.
func (c Checked) String() string {
	text := "re-checked " + words.Count(c.Releases, "release")
	if len(c.Clusters) > 0 {
		text += " in " + words.Count(len(c.Clusters), "cluster")
	}
	changed := "none"
	if n := c.Releases - c.Unchanged; n > 0 {
		changed = strconv.Itoa(n)
	}
	return text + ": the edits change the settings of " + changed
}

// What names what is repaired: "no-recovery of shop/cart in production".
func (r Repaired) What() string {
	text := r.Release
	if r.Rule != "" {
		text = r.Rule + " of " + text
	}
	if len(r.Clusters) > 0 {
		text += " in " + strings.Join(r.Clusters, ", ")
	}
	return text
}

// mostRepaired is how many releases of one rule are named.
const mostRepaired = 5

// repairedLines names what is repaired. Many releases of one rule are one line.
func repairedLines(all []Repaired) []string {
	var out []string
	for len(all) > 0 {
		same := func(r Repaired) bool { return r.Rule == all[0].Rule && slices.Equal(r.Clusters, all[0].Clusters) }
		n := slices.IndexFunc(all, func(r Repaired) bool { return !same(r) })
		if n < 0 {
			n = len(all)
		}
		of := all[:n]
		if more := n - mostRepaired; more > 1 {
			some := all[0]
			for _, r := range all[1:mostRepaired] {
				some.Release += ", " + r.Release
			}
			some.Release += fmt.Sprintf(" and %d more", more)
			of = []Repaired{some}
		}
		for _, r := range of {
			out = append(out, r.What())
		}
		all = all[n:]
	}
	return out
}
