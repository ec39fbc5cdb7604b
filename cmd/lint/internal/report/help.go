package report

import (
	"strings"
)

// help says what to do about a block, and the YAML to write; the text is never empty.
func (o Options) help(b block) (text string, lines []string) {
	f, site := b.first(), b[0].site()
	r := f.Remedy
	if r == nil {
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

// name names a place for people.
func (s Site) name() string {
	if s.What == "" || s.What == s.File {
		return s.File
	}
	return s.What
}
