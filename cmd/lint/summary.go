package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// made is a repair that has been made, and which releases it has changed beside
// those that it is for.
type made struct {
	repair
	others []target
}

// summary says what has been repaired, what has not and why: one line for what
// one edit does to many releases.
func (f *fixer) summary(w io.Writer, fixed string) error {
	var b strings.Builder
	for _, m := range f.made {
		for _, targets := range alike(m.targets, m.central != nil) {
			fmt.Fprintf(&b, "%s: %s\n", fixed, m.line(targets))
		}
		if len(m.others) > 0 {
			fmt.Fprintf(&b, "%s too: %s\n", strings.Replace(fixed, "fixed", "changed", 1), m.central.line("", m.others))
		}
	}
	for _, refused := range alikeRefusals(f.left()) {
		targets := targetsIn(refused)
		fmt.Fprintf(&b, "%s: %s (%s): %s\n", not(fixed), targets[0].label(), releases(targets), refused[0].reason)
	}
	if without := f.withoutRollback(); len(without) > 0 {
		fmt.Fprintf(&b, "mind: a failed upgrade is retried and no longer rolled back: %s\n", releases(without))
	}
	var all []target
	for _, m := range f.made {
		all = append(all, m.targets...)
	}
	fmt.Fprintf(&b, "%s %s in %s", count(distinct(all), "finding"), fixed, count(len(f.files.Names()), "file"))
	if n := distinct(f.unsafeLeft()); n > 0 {
		fmt.Fprintf(&b, "; --fix=unsafe tries %d more", n)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// withoutRollback gives the releases whose failed upgrades were rolled back
// before the repairs and are retried after them.
func (f *fixer) withoutRollback() []target {
	rolled := map[identity]bool{}
	for _, j := range f.before {
		rolled[identityOf(j)] = j.Settings != nil && rollsBack(j.Settings.Upgrade)
	}
	var out []target
	for _, j := range f.all {
		if rolled[identityOf(j)] && j.Settings != nil && j.Settings.Upgrade.Strategy == release.RetryOnFailure {
			out = append(out, target{release: identityOf(j)})
		}
	}
	return out
}

func rollsBack(h release.Half) bool {
	return h.Strategy == release.RemediateOnFailure && h.Remediation == release.Rollback && (h.Retries != 0 || h.RemediateLastFailure)
}

// line says what a repair has done to findings of one rule: at their own place,
// or at that of the patch that decides them now.
func (r repair) line(targets []target) string {
	if r.central == nil {
		return fmt.Sprintf("%s (%s)", targets[0].label(), releases(targets))
	}
	return r.central.line(" "+targets[0].finding.Rule, targets)
}

func (c *central) line(what string, targets []target) string {
	line := fmt.Sprintf("%s:%d%s (%s) by ", c.by.File, c.by.Line, what, releases(targets))
	switch {
	case c.by.Extends:
		return line + c.by.What
	case c.by.What == c.by.File:
		return line + "a patch"
	}
	return line + "a patch of " + c.by.What
}

// label names a finding by its place and rule.
func (t target) label() string { return fmt.Sprintf("%s:%d %s", t.at.File, t.at.Line, t.finding.Rule) }

// alike groups findings of one rule and, unless that does not matter, place.
func alike(targets []target, anywhere bool) [][]target {
	return grouped(targets, func(t target) string {
		if anywhere {
			return t.finding.Rule
		}
		return t.label()
	})
}

func alikeRefusals(refused []refusal) [][]refusal {
	return grouped(refused, func(r refusal) string { return r.label() + r.reason })
}

// grouped puts together what has one key, in the order of the first of each.
func grouped[T any](all []T, key func(T) string) [][]T {
	var out [][]T
	at := map[string]int{}
	for _, v := range all {
		i, ok := at[key(v)]
		if !ok {
			i, at[key(v)] = len(out), len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], v)
	}
	return out
}

func targetsIn(refused []refusal) []target {
	out := make([]target, len(refused))
	for i, r := range refused {
		out[i] = r.target
	}
	return out
}

// mostNames is how many of equal things are named.
const mostNames = 5

// releases names those of findings, with their clusters.
func releases(targets []target) string {
	clusters := map[string][]string{}
	for _, t := range targets {
		name := t.release.String()
		if !slices.Contains(clusters[name], t.release.cluster) {
			clusters[name] = append(clusters[name], t.release.cluster)
		}
	}
	var parts []string
	for _, same := range grouped(targets, func(t target) string { return fmt.Sprint(clusters[t.release.String()]) }) {
		var names []string
		for _, t := range same {
			if !slices.Contains(names, t.release.String()) {
				names = append(names, t.release.String())
			}
		}
		part := some(names)
		if in := slices.DeleteFunc(slices.Clone(clusters[names[0]]), func(c string) bool { return c == "" }); len(in) > 0 {
			part += " in " + some(in)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

func (id identity) String() string {
	return release.Name{Namespace: id.namespace, Name: id.name}.String()
}

// some joins names: "a, b and c", or the first of them and how many more.
func some(names []string) string {
	if more := len(names) - mostNames; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), more)
	}
	return list(names)
}

// distinct counts findings as reports do: those of several clusters that are
// equal are one.
func distinct(targets []target) int {
	return len(grouped(targets, func(t target) string {
		return fmt.Sprint(t.release, t.finding.Rule, t.finding.Message, t.finding.Path, t.at.File, t.at.Line, t.at.Column)
	}))
}

// left are the refusals of what is found still: other repairs may have made it
// go away.
func (f *fixer) left() []refusal {
	var found []target
	for _, j := range f.all {
		found = append(found, targetsOf(j)...)
	}
	return slices.DeleteFunc(slices.Clone(f.refused), func(r refusal) bool { return !f.asked(r.target) || !slices.ContainsFunc(found, r.is) })
}

// not negates "fixed" and "would be fixed".
func not(fixed string) string {
	if rest, ok := strings.CutPrefix(fixed, "would "); ok {
		return "would not " + rest
	}
	return "not " + fixed
}

// unsafeLeft lists the findings that only an unsafe repair makes go away.
func (f *fixer) unsafeLeft() []target {
	var out []target
	unsafe := f.planner
	unsafe.unsafe = true
	for _, j := range f.all {
		for _, t := range targetsOf(j) {
			if f.asked(t) && !f.wants(t) && unsafe.wants(t) {
				out = append(out, t)
			}
		}
	}
	return out
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// list joins names: "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
