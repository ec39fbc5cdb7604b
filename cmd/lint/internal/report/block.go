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

// block is causes that say the same of several places: they are shown at once, by the
// first of them.
type block struct {
	causes   []cause
	findings []Finding // of all of them
}

// blocks returns what is found as it is shown to people, the worst first, of these what
// concerns the most releases.
func blocks(findings []Finding) []block {
	alike := words.Of(words.Alike[[]cause](byField(causes(findings)), cause.likeness), func(all []cause) block {
		return block{all, slices.Concat(words.Of(all, func(c cause) []Finding { return c.findings })...)}
	})
	return widestFirst(alike, func(b block) []Finding { return b.findings })
}

// likeness is what causes have in common that are shown at once: rule, severity, field,
// repair, help and kind of end. Their messages may differ in numbers and names.
func (c cause) likeness() string {
	f := c.first()
	k := fmt.Sprint(f.Rule, "\n", f.Severity, "\n", f.repairedAt(), "\n", f.Exact, "\n", f.Help)
	if f.Remedy != nil {
		k += fmt.Sprint("\n", f.Remedy.Kind, f.Remedy.Lines, f.Remedy.Remove)
	}
	if f.Forecast != nil {
		k += fmt.Sprint("\n", f.Forecast.Scenario, f.Forecast.Outcome.End, f.Forecast.Outcome.NeedsHuman)
	}
	if !f.ofOne() {
		k += "\n" + f.Message
	}
	return k
}

func (b block) first() Finding { return b.causes[0].first() }

// happens says what happens to the first release. Where others have other numbers, it is an
// example.
func (b block) happens() string {
	f := b.first()
	if f.ofOne() && slices.ContainsFunc(b.findings, func(o Finding) bool { return o.Message != f.Message }) {
		return "for example " + f.Release.String() + ": " + f.Message
	}
	return f.Message
}

// title returns the title of the rule of a finding; its message if the rule is not known.
func (o Options) title(f Finding) string { return o.titleOf(f.Rule, f.Message) }

// titleOf returns the title of a rule; another text if it is not known.
func (o Options) titleOf(id, otherwise string) string {
	rule, _ := o.rule(id)
	return cmp.Or(rule.Title, otherwise)
}

// ruleURL returns the address of the page of a rule; empty if it has none.
func (o Options) ruleURL(id string) string {
	rule, ok := o.rule(id)
	if !ok || o.RuleURL == nil {
		return ""
	}
	return o.RuleURL(rule)
}

// setBy says what sets the field of a block, from the place outwards.
func (b block) setBy() []string {
	return words.Of(b.first().Provenance, func(p Place) string { return "set by " + p.written() })
}

func (b block) releases(most int) string {
	all := b.releaseNames()
	if len(all) == 0 {
		return ""
	}
	return words.First(all, most, "") + where(b.findings)
}

// counted counts the releases and the places of a block, and names one release: "29 releases in 29 places, for
// example apps/shop", with " releases" as the noun; "" if its findings are of no single release.
func (b block) counted(noun string) string {
	all, n := b.releaseNames(), len(b.elsewhere())
	if len(all) == 0 {
		return ""
	}
	text, one := all[0], names(b.causes[0].findings)[0] // one of the first place, which is shown beside it
	if len(all) > 1 {
		text = fmt.Sprintf("%d%s, for example %s", len(all), noun, one)
	}
	switch {
	case n == 0:
		return text
	case b.unset():
		return text + "; " + b.elsewhereLabel() + " " + words.Count(n, "place")
	case len(all) > 1:
		return fmt.Sprintf("%d%s in %s, for example %s", len(all), noun, words.Count(n+1, "place"), one)
	}
	return fmt.Sprintf("%s in %s", text, words.Count(n+1, "place"))
}

// releaseNames lists the releases of a block; none if its findings are of no single release.
func (b block) releaseNames() []string {
	if !b.first().ofOne() {
		return nil
	}
	return names(b.findings)
}

// elsewhere returns the further places of a block with their releases: those to edit, or
// those of the releases that one patch is for.
func (b block) elsewhere() []Place {
	var out []Place
	if b.unset() {
		for _, p := range b.causes[0].decided() {
			of := kept(b.causes[0].findings, func(f Finding) bool { return f.File == p.File && f.Line == p.Line })
			out = append(out, Place{File: place(p.File, p.Line, 0), What: words.First(names(of), mostNames, "")})
		}
		return out
	}
	rest := slices.SortedStableFunc(slices.Values(b.causes[1:]), func(a, b cause) int {
		file, line := a.edit()
		otherFile, otherLine := b.edit()
		return cmp.Or(cmp.Compare(file, otherFile), cmp.Compare(line, otherLine))
	})
	for _, c := range rest {
		at := Place{File: c.line()}
		if c.first().ofOne() {
			at.What = words.First(names(c.findings), mostNames, "")
		}
		out = append(out, at)
	}
	return out
}

// unset reports whether one patch is proposed for what several releases do not set.
func (b block) unset() bool { return b.causes[0].site() != nil && len(b.causes) == 1 }

// places names the further places of a block, or some of them; "" if there are none.
func (b block) places(most int, shown func(string) string) string {
	return words.First(words.Of(b.elsewhere(), func(p Place) string { return shown(p.File) }), most, "place")
}

// elsewhereLabel says what the further places are.
func (b block) elsewhereLabel() string {
	if b.unset() {
		return "found in" // where another field may be set that is at fault
	}
	return "also at"
}

// severities says how bad a block is: "error", or "error (warning in staging)" where tiers
// differ.
func (b block) severities() string {
	return string(b.first().Severity) + inBrackets(b.milder())
}

// milder says in which tiers a block is not as bad as in the worst: "warning in staging".
func (b block) milder() string {
	worst := b.first().Severity
	var milder []string
	for _, severity := range rules.Severities {
		var tiers []string
		for _, tier := range release.Tiers {
			if b.worstIn(tier) == severity && severity != worst {
				tiers = append(tiers, string(tier))
			}
		}
		if len(tiers) > 0 {
			milder = append(milder, string(severity)+" in "+words.List(tiers))
		}
	}
	return strings.Join(milder, ", ")
}

// worstIn returns how bad a block is in a tier; empty if it has none of it.
func (b block) worstIn(tier release.Tier) rules.Severity {
	var worst rules.Severity
	for _, c := range b.causes {
		for i := range c.findings {
			if severity, has := c.findings[i].severityIn(tier); has && (worst == "" || severity.Rank() < worst.Rank()) {
				worst = severity
			}
		}
	}
	return worst
}

// facts are what a failure and the fault itself do, each with its label.
func (b block) facts() [][2]string {
	var out [][2]string
	if f := b.first(); f.Forecast != nil {
		out = append(out, [2]string{"forecast", f.Forecast.Scenario + ": " + f.Forecast.Outcome.Brief()})
	}
	if of := b.heldUp(); of != "" {
		out = append(out, [2]string{"holds up", of})
	}
	for _, of := range blocked(b.findings) {
		out = append(out, [2]string{"blocks", of + ": Flux applies nothing of it"})
	}
	return out
}

// heldUp returns what the findings of a block hold up at the most, in a line; empty if nothing.
func (b block) heldUp() string {
	var most *HoldsUp
	for _, f := range b.findings {
		if f.HoldsUp.weight() > most.weight() {
			most = f.HoldsUp
		}
	}
	if most == nil {
		return ""
	}
	return most.Summary
}

// blocked says of what Flux applies nothing because of a group of findings: "Kustomization
// flux-system/apps with 12 releases", each with its cluster if there are several.
func blocked(group []Finding) []string {
	all := words.Distinct(slices.Concat(words.Of(group, func(f Finding) []Blocked { return f.Blocks })...))
	slices.SortFunc(all, func(a, b Blocked) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Kustomization, b.Kustomization))
	})
	return words.Of(all, func(b Blocked) string {
		text := fmt.Sprintf("Kustomization %s with %s", b.Kustomization, words.Count(b.Releases, "release"))
		if len(all) > 1 {
			text += words.InCluster(b.Cluster)
		}
		return text
	})
}

func missing(f Finding) string {
	if f.Exact || f.Path == "" {
		return ""
	}
	return " " + f.Path + " is not set"
}

// entry is blocks that are edited in the same documents, for the same releases: they are
// shown at once.
type entry []block

// entries returns what is found by what is edited, the worst first.
func entries(findings []Finding) []entry {
	return words.Alike[entry](blocks(findings), block.documents)
}

// documents names what is to be edited for a block, and for which releases.
func (b block) documents() string {
	var all []string
	for _, c := range b.causes {
		object := strings.Fields(c.Field)
		if len(object) == 0 { // made by no field
			all = append(all, c.at()+" "+c.Rule)
			continue
		}
		all = append(all, fmt.Sprintf("%s %q", c.File, object[:min(2, len(object))]))
	}
	slices.Sort(all)
	return fmt.Sprintf("%q %q", slices.Compact(all), names(b.findings))
}

// rules names the rules of an entry, each once.
func (e entry) rules() string {
	return words.List(words.Distinct(words.Of(e, func(b block) string { return b.first().Rule })))
}

// First names what to repair first, each in a line: at most so many causes of errors and warnings, the
// worst first, of these what concerns the most releases.
func (o Options) First(r Report, most int) []string {
	var lines []string
	for _, e := range entries(r.without(rules.Warning).Findings) {
		if len(lines) == most {
			break
		}
		f := e[0].first()
		when := "then:"
		if len(lines) == 0 {
			when = "repair first:"
		}
		line := fmt.Sprintf("%-13s %s: %s [%s] at %s", when, f.Severity, o.title(f), e.rules(), e[0].causes[0].at())
		if reach := e[len(e)-1].counted(" releases"); reach != "" {
			line += ": " + reach
		}
		lines = append(lines, line)
	}
	return lines
}
