package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// summary says in few lines what was found, which releases were judged, and what to make of
// what was not.
func (r Report) summary() []string {
	return slices.Concat(r.counts(), r.remarks(), r.notListed(), r.inForce())
}

// counts says what was found, which releases were judged, and how much was not.
func (r Report) counts() []string {
	return append(words.NotEmpty(r.found(), r.JudgedBy(), r.legend(), r.besides()), r.unknowns()...)
}

// besides says how releases of accepted classes come to have errors, where none is violating; "" elsewhere.
func (r Report) besides() string {
	is := func(classes ...rules.Class) bool {
		return slices.ContainsFunc(r.Releases, func(of Release) bool { return slices.Contains(classes, of.Class) })
	}
	if r.Summary.Errors == 0 || is(rules.ClassViolating) || !is(rules.ClassRetry, rules.ClassBounded) {
		return ""
	}
	return "no release is violating: the class says how a failure ends, the errors what else is wrong"
}

// unknowns says how much could not be judged.
func (r Report) unknowns() (lines []string) {
	if n := r.unresolved(); n > 0 {
		lines = append(lines, words.Count(n, "place")+" could not be resolved and may contain more releases")
	}
	lines = append(lines, words.NotEmpty(r.Summary.accepts())...)
	if r.Summary.Undetermined > r.Summary.Accepted {
		lines = append(lines, "undetermined items were not checked; --strict fails on them")
	}
	return lines
}

// accepts says how much of what is not judged is accepted; "" if nothing is.
func (s Summary) accepts() string {
	var parts []string
	if s.Accepted > 0 {
		parts = append(parts, fmt.Sprintf("%d undetermined", s.Accepted))
	}
	if s.unappliedAccepted > 0 {
		parts = append(parts, fmt.Sprintf("%d unapplied", s.unappliedAccepted))
	}
	switch s.Accepted + s.unappliedAccepted {
	case 0:
		return ""
	case 1:
		return parts[0] + " item is accepted by the configuration; --all lists it"
	}
	return strings.Join(parts, " and ") + " items are accepted by the configuration; --all lists them"
}

// remarks says which releases no cluster applies, and what verdicts rest on.
func (r Report) remarks() []string {
	var lines []string
	if left := unapplied(open(r.Unapplied)); left != "" {
		lines = append(lines, left)
	}
	if r.Baseline != nil {
		lines = append(lines, passedOver(r.Baseline.Unapplied)...)
	}
	if r.Summary.AsWritten {
		lines = append(lines, asWritten(r.Releases))
	}
	return append(lines, remarks(r.Releases, r.Controllers)...)
}

func (r Report) notListed() []string {
	return words.NotEmpty(hint(strings.Join(r.hidden.texts(""), " and ")))
}

func (r Report) inForce() []string { return words.NotEmpty(r.InForce.Judged()) }

// Found counts what is found of all severities, by severity and places to edit.
func (r Report) Found() string { return countsOf(blocks(r.Findings)) }

// found counts what is listed, by severity and places to edit: "92 errors in 4 places (2
// repairable with --fix)".
func (r Report) found() string {
	text := countsOf(blocks(r.Findings))
	switch {
	case text != "":
	case r.hidden[rules.Warning] > 0:
		text = "no errors"
	case r.hidden[rules.Info] > 0:
		text = "no errors or warnings"
	default:
		text = "no findings"
	}
	if n := r.Summary.Waived; n > 0 {
		text += fmt.Sprintf(", %d waived", n)
	}
	if n := r.Summary.NotSelected; n > 0 {
		text += fmt.Sprintf(", %d not selected", n)
	}
	if n := r.Summary.Problems; n > 0 {
		text += ", " + words.Count(n, "problem")
	}
	return text + r.known()
}

// countsOf counts findings and the places to edit by severity.
func countsOf(all []block) string {
	var parts []string
	for _, severity := range rules.Severities {
		n := 0
		places := map[Cause]string{} // the kind of --fix by place, whatever the rule
		for _, b := range all {
			for _, c := range b.causes {
				of := kept(c.findings, func(f Finding) bool { return f.Severity == severity })
				if len(of) == 0 {
					continue
				}
				n += count(of, Finding.counts)
				at, kind := c.place(), repairOf(of)
				if was, seen := places[at]; seen && weaker(was, kind) {
					kind = was
				}
				places[at] = kind
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s in %s%s", words.Count(n, string(severity)), words.Count(len(places), "place"), repairable(places)))
		}
	}
	return strings.Join(parts, ", ")
}

// kinds of repair, from none to the safe ones.
var kinds = []string{"", "unsafe", "safe"}

// weaker reports whether less can be repaired by the first kind of repair.
func weaker(a, b string) bool { return slices.Index(kinds, a) < slices.Index(kinds, b) }

// repairable says how many places have a repair, in brackets.
func repairable(places map[Cause]string) string {
	n := map[string]int{}
	for _, kind := range places {
		n[kind]++
	}
	switch {
	case n["safe"] == len(places):
		return " (repairable with --fix)"
	case n["unsafe"] == len(places):
		return " (repairable with --fix=unsafe)"
	case n["safe"] > 0 && n["unsafe"] > 0:
		return fmt.Sprintf(" (%d repairable with --fix, %d more with --fix=unsafe)", n["safe"], n["unsafe"])
	case n["safe"] > 0:
		return fmt.Sprintf(" (%d repairable with --fix)", n["safe"])
	case n["unsafe"] > 0:
		return fmt.Sprintf(" (%d repairable with --fix=unsafe)", n["unsafe"])
	}
	return ""
}

// legend explains the classes that JudgedBy names, unless that has done so itself.
func (r Report) legend() string {
	if _, alike := r.alike(); alike {
		return ""
	}
	classes := judged(r.Releases)
	return r.classTexts().legend(func(class rules.Class) bool {
		return slices.ContainsFunc(release.Tiers, func(tier release.Tier) bool { return classes[State{tier, class}] > 0 })
	})
}

// JudgedBy counts the releases by tier and class: "74 releases: 74 in production (70 retry, 4
// violating)". A release counts once for each cluster that applies it; where that makes a
// difference both are counted.
func (r Report) JudgedBy() string {
	s := r.Summary
	releases := words.Count(s.Releases, "release") + spreadOf(r.Releases).String()
	if all, alike := r.alike(); alike {
		return fmt.Sprintf("%s in %s: %d %s (%s)", releases, all.Tier, s.Releases, all.Class, r.classTexts()[all.Class])
	}
	var parts []string
	classes := judged(r.Releases)
	for _, tier := range release.Tiers {
		total, of := 0, []string{}
		for _, class := range []rules.Class{rules.ClassViolating, rules.ClassBounded, rules.ClassRetry} {
			if n := classes[State{tier, class}]; n > 0 {
				total += n
				of = append(of, fmt.Sprintf("%d %s", n, class))
			}
		}
		switch {
		case total > 0 && total == s.Releases && r.partly() == 0:
			return fmt.Sprintf("%s in %s: %s", releases, tier, strings.Join(of, ", "))
		case total > 0:
			parts = append(parts, fmt.Sprintf("%d in %s (%s)", total, tier, strings.Join(of, ", ")))
		}
	}
	parts = append(parts, words.NotEmpty(r.unjudged())...)
	return strings.TrimSuffix(releases+": "+strings.Join(parts, ", "), ": ")
}

// unjudged counts the releases that are not judged, or in part; "" if there are none.
func (r Report) unjudged() string {
	var parts []string
	if n := r.Summary.Releases - r.Summary.Judged; n > 0 {
		parts = append(parts, fmt.Sprintf("%d undetermined", n))
	}
	if n := r.partly(); n > 0 {
		parts = append(parts, fmt.Sprintf("%d checked in part", n))
	}
	return strings.Join(parts, ", ")
}

// alike reports whether all releases are judged in whole, in one tier and of one class, and
// returns these.
func (r Report) alike() (State, bool) {
	for of, n := range judged(r.Releases) {
		return of, n == r.Summary.Releases && r.partly() == 0
	}
	return State{}, false
}

// known counts what the baseline leaves out, for the end of a sentence.
func (r Report) known() string {
	if r.Baseline == nil {
		return ""
	}
	text := fmt.Sprintf(", %d known from %s", r.Baseline.Known, r.Baseline.From)
	if n := r.Baseline.Inherited; n > 0 {
		text += fmt.Sprintf(", %d of new releases under known causes", n)
	}
	return text
}
