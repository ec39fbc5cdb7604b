package report

import (
	"html/template"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Options say how a report is shown, where the format leaves it open.
type Options struct {
	// Color switches terminal colours on.
	Color bool
	// All shows everything: no list is cut, whatever Height is.
	All bool
	// Height is that of the terminal in lines; zero shows every cause.
	Height int
	// Width is that of the terminal in columns; zero wraps no lines.
	Width int
	// Length returns the characters of a line of a file, counted from 1; false if it
	// is not known. What stands there is not for a report: see [Position.Excerpt].
	Length func(file string, line int) (int, bool)
	// Rules describe the rules to formats that carry descriptions.
	Rules []rules.Rule
	// Page returns the whole page of a rule as Markdown; nil shows its description.
	Page func(rules.Rule) string
	// Version of the program; empty if unknown.
	Version string
	// MinSeverity is that of the mildest findings that are listed; empty lists all.
	// Formats that are [Format.Whole] list all anyway.
	MinSeverity rules.Severity
	// Ends says why the run fails and how to pass, to formats that stand alone; empty if it does not.
	Ends string
	// Statistics has the text count findings instead of listing them.
	Statistics bool
	// Quiet leaves notices and the summary out of the text.
	Quiet bool
	// FileURL and RuleURL return the addresses of a file and of the page of a rule, empty if
	// it has none. Without FileURL the text has no links.
	FileURL func(file string) string
	RuleURL func(rules.Rule) string
	// SourceURL returns the address of a line of a file where the change is reviewed, empty if it has none.
	// Nil if that is not known.
	SourceURL func(file string, line int) string
	// Drawings show forecasts in pages; without, they are described in a sentence.
	Drawings Drawings

	// plainRules are the rules that were asked for, in plain text; nil if they are shown as
	// they are.
	plainRules map[string]rules.Rule
}

// Drawings show forecasts in a page.
type Drawings struct {
	// Style is the style sheet of what Draw returns.
	Style string
	// Lines returns the steps of a forecast as plain text.
	Lines func(forecast.Timeline) []string
	Draw  func(forecast.Timeline) (template.HTML, error)
	// Brief says in a few words how a forecast ends.
	Brief func(forecast.Timeline) string
}

func (d Drawings) brief(line forecast.Timeline) string {
	if d.Brief == nil {
		return line.Outcome.Summary
	}
	return d.Brief(line)
}

func (o Options) length(file string, line int) (int, bool) {
	if o.Length == nil || line == 0 {
		return 0, false
	}
	return o.Length(file, line)
}

func (o Options) plain() Options {
	o.plainRules = map[string]rules.Rule{}
	return o
}

// rule returns a rule as the format shows it.
func (o Options) rule(id string) (rules.Rule, bool) {
	if rule, ok := o.plainRules[id]; ok {
		return rule, true
	}
	i := slices.IndexFunc(o.Rules, func(r rules.Rule) bool { return r.ID == id })
	if i < 0 {
		return rules.Rule{}, false
	}
	if o.plainRules == nil {
		return o.Rules[i], true
	}
	o.plainRules[id] = plain.Copy(o.Rules[i], plain.Text)
	return o.plainRules[id], true
}
