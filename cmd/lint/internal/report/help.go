package report

import (
	"slices"
	"strings"
)

// help says what to do about a block, and the YAML to write; the text is never empty.
func (o Options) help(b block) (text string, lines []string) {
	f, site := b.first(), b[0].site()
	r := f.Remedy
	if r == nil {
		if rule, ok := o.rule(f.Rule); ok && rule.Help != "" {
			return rule.Help, nil
		}
		return `"flux-remedy rules ` + f.Rule + `" says what to do`, nil
	}
	if site != nil {
		return "one patch in " + site.name() + " sets this for " + count(width(b[0].findings), "release") + with(r, "central"), site.Lines
	}
	var parts []string
	if len(r.Lines) > 0 {
		parts = append(parts, "set this")
	}
	if len(r.Remove) > 0 {
		parts = append(parts, "remove "+strings.Join(r.Remove, " and "))
	}
	return strings.Join(parts, ", and ") + with(r, ""), r.Lines
}

// with says which --fix writes a remedy, for the end of a sentence.
func with(r *Remedy, central string) string {
	kind := central
	switch {
	case r.Kind == "":
		return " by hand: " + r.Unable
	case r.Kind == "unsafe" && central != "":
		kind = central + ",unsafe"
	case r.Kind == "unsafe":
		kind = "unsafe"
	}
	if kind == "" {
		return " (--fix writes it)"
	}
	return " (--fix=" + kind + " writes it)"
}

// planned returns findings of which no remedy says that --fix writes it where no plan has
// that edit, as of a file that another release shares. Patches for many are planned apart.
func planned(all []Finding) []Finding {
	out := slices.Clone(all)
	for i, f := range out {
		if f.Remedy != nil && f.Remedy.Kind != "" && f.Remedy.Central == nil && len(f.Hunks) == 0 {
			remedy := *f.Remedy
			remedy.Kind, remedy.Unable = "", "--fix does not write it, and says why"
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
