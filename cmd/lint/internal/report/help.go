package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// help says what to do about a block, and the YAML to write; the text is never empty.
func (o Options) help(b block) (text string, lines []string) {
	f, site := b.first(), b.causes[0].site()
	r := f.Remedy
	if r == nil {
		if f.Help != "" {
			return f.Help, nil
		}
		if rule, ok := o.rule(f.Rule); ok && rule.Help != "" {
			return rule.Help, nil
		}
		return `"flux-remedy rules ` + f.Rule + `" says what to do`, nil
	}
	if site != nil {
		return b.sitesText() + with(f, "central"), site.Lines
	}
	var parts []string
	of := ""
	if r.Above {
		of = " in the Kustomization"
	}
	if len(r.Lines) > 0 {
		parts = append(parts, "set this"+of)
		of = ""
	}
	if len(r.Remove) > 0 {
		parts = append(parts, "remove "+strings.Join(r.Remove, " and ")+of)
	}
	return strings.Join(parts, ", and ") + with(f, ""), r.Lines
}

// sitesText says where patches set a field, and for how many releases.
func (b block) sitesText() string {
	site, n := b.causes[0].site(), width(b.findings)
	what := words.Count(n, "release")
	if b.first().Remedy.Above {
		what = "the Kustomizations of " + what
	}
	switch {
	case len(b.causes) > 1:
		return fmt.Sprintf("one patch in each of %d places sets this for %s", len(b.causes), what)
	case site.Releases > n && !b.first().Remedy.Above:
		return fmt.Sprintf("one patch in %s sets this for %s, %d of them here", site.name(), words.Count(site.Releases, "release"), n)
	}
	return "one patch in " + site.name() + " sets this for " + what
}

// notes says what is to be known of a repair beside what it writes: what it does not do, what it
// costs, and the other way.
func (b block) notes() []string {
	r := b.first().Remedy
	if r == nil {
		return nil
	}
	var needs []string
	var need []Finding
	stay := map[string][]Finding{}
	for _, f := range b.findings {
		if f.Remedy.Cost == nil {
			continue
		}
		cost := f.Remedy.Cost()
		if len(cost.NeedsHuman) > 0 {
			needs, need = append(needs, cost.NeedsHuman...), append(need, f)
		}
		if cost.Stays != "" {
			stay[cost.Stays] = append(stay[cost.Stays], f)
		}
	}
	var out []string
	if help := b.first().Help; help != "" {
		out = append(out, help)
	}
	if needs = words.Distinct(needs); len(needs) > 0 {
		out = append(out, words.NeedHuman(needs)+b.only(need))
	}
	for _, stays := range slices.Sorted(maps.Keys(stay)) {
		out = append(out, stays+b.only(stay[stays]))
	}
	if r.Other != nil {
		if other := r.Other(); other != "" {
			out = append(out, other)
		}
	}
	return out
}

// only names the releases of some findings of a block; "" if these are all.
func (b block) only(of []Finding) string {
	some := names(of)
	if len(some) == len(names(b.findings)) {
		return ""
	}
	return " (of " + words.First(some, mostNames, "") + " only)"
}

// with says which --fix writes a remedy, for the end of a sentence.
func with(f Finding, central string) string {
	r, kind := f.Remedy, central
	switch {
	case r.Kind == "":
		return " by hand: " + r.Unable
	case r.Kind == "unsafe" && central != "":
		kind = central + ",unsafe"
	case r.Kind == "unsafe":
		kind = "unsafe"
	}
	flags := "--fix"
	if kind != "" {
		flags += "=" + kind
	}
	if r.Selected {
		flags += " --select " + f.Rule
	}
	if r.Kind == "unsafe" {
		flags = "changes behaviour; " + flags
	}
	return " (" + flags + " applies it)"
}

// planned returns findings of which no remedy says that --fix writes it where no plan has
// that edit, as of a file that another release shares. Patches for many are planned apart.
func planned(all []Finding) []Finding {
	out := slices.Clone(all)
	for i, f := range out {
		if f.Remedy != nil && f.Remedy.Kind != "" && !f.Remedy.Selected && f.Remedy.Central == nil && len(f.Hunks) == 0 {
			remedy := *f.Remedy
			remedy.Unable = "lint --fix=" + remedy.Kind + " --diff says why it is not written"
			remedy.Kind = ""
			out[i].Remedy = &remedy
		}
	}
	return out
}

// name names a place for people.
func (s Site) name() string {
	if s.What == "" || s.What == s.File {
		return s.File
	}
	return s.What
}
