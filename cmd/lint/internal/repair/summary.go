package repair

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Summary says what has been repaired, what has not and why: one line for what
// one edit does to many releases. Fixed is "fixed" or "would be fixed".
func (r *Repairer) Summary(w io.Writer, fixed string) error {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(plain.Line(fmt.Sprintf(format, args...)) + "\n") }
	told := r.told()
	for _, m := range r.made {
		scenario, before, after := told(m.targets)
		for _, targets := range alike(m.targets, m.central != nil) {
			how := instead(targets)
			if m.central != nil {
				how = ""
			}
			line("%s: %s", fixed, strings.TrimSpace(m.line(targets)+" "+how))
			if scenario != "" && fixed != "fixed" {
				line("  %s: %s (before: %s)", scenario, after, before)
				scenario = ""
			}
		}
		if len(m.others) > 0 {
			line("%s too: %s", strings.Replace(fixed, "fixed", "changed", 1), m.central.line("", m.others))
		}
	}
	for _, c := range r.lostComments() {
		line("%s: comment %s", strings.Replace(fixed, "fixed", "removed", 1), c)
	}
	if len(r.made) > 0 {
		line("%s", r.checked())
	}
	left := r.Left()
	for _, refused := range alikeRefusals(left) {
		targets := targetsIn(refused)
		line("%s: %s (%s): %s", not(fixed), targets[0].label(), releases(targets), refused[0].reason)
	}
	for _, of := range unrepairable(left) {
		line("%s: %s of %s (%s): %s", not(fixed), words.Count(distinct(targetsIn(of)), "finding"), of[0].finding.Rule, releases(targetsIn(of)), of[0].reason)
	}
	if without := r.withoutRollback(); len(without) > 0 {
		line("behaviour change: failed upgrades are retried instead of rolled back: %s", releases(without))
	}
	for _, same := range words.Alike[[]remark](r.remarks(), func(m remark) string { return m.text }) {
		line("%s: %s", same[0].text, releases(words.Of(same, func(m remark) target { return m.target })))
	}
	if assumed := r.assuming(); len(assumed) > 0 {
		line("check first: strategy needs helm-controller %s (Flux 2.7) or newer, and the repository does not say which one runs (spec.controller.version does): %s", strategySince, releases(assumed))
	}
	there, shown := r.fixed()
	fmt.Fprintf(&b, "%s %s in %s", words.Count(there, "finding"), fixed, words.Count(len(r.files.Names()), "file"))
	if shown > 0 {
		fmt.Fprintf(&b, ", and %d that only other repairs show", shown)
	}
	if n := distinct(targetsIn(slices.DeleteFunc(left, func(l refusal) bool { return l.reason != needsUnsafe }))); n > 0 {
		fmt.Fprintf(&b, "; %d more with --fix=unsafe", n)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// instead says why findings are repaired in another way than the first; empty if none is.
func instead(targets []target) string {
	at := slices.IndexFunc(targets, func(t target) bool { return t.instead != "" })
	return targets[max(at, 0)].instead
}

// fixed counts the findings that were there before all repairs and go away, and those that are
// repaired although only another repair has made or shown them.
func (r *Repairer) fixed() (there, shown int) {
	key := func(t target) string { return fmt.Sprint(t.release, t.finding.Rule, t.finding.Path) }
	before := map[string]bool{}
	for _, of := range r.before.state.Releases {
		for _, t := range targetsOf(of) {
			before[key(t)] = true
		}
	}
	var all []target
	for _, m := range r.made {
		all = append(all, m.targets...)
	}
	total := distinct(all)
	there = distinct(slices.DeleteFunc(all, func(t target) bool { return !before[key(t)] }))
	return there, total - there
}

// withoutRollback lists the releases whose failed upgrades were rolled back
// before the repairs and are retried after them.
func (r *Repairer) withoutRollback() []target {
	var out []target
	for _, c := range r.altered() {
		rolled := !slices.ContainsFunc(c.was, func(was judge.Release) bool { return was.Settings == nil || !rollsBack(was.Settings.Upgrade) })
		if rolled && c.of.Settings != nil && c.of.Settings.Upgrade.Strategy == release.RetryOnFailure {
			out = append(out, target{release: identityOf(c.of)})
		}
	}
	return out
}

// altered is a release after the repairs that nothing was like before, and what there was of its identity.
type altered struct {
	of  judge.Release
	was []judge.Release
}

func (r *Repairer) altered() []altered {
	was := byIdentity(r.before.state.Releases)
	var out []altered
	for _, of := range r.state.Releases {
		before := was[identityOf(of)]
		if len(before) > 0 && !slices.ContainsFunc(before, func(was judge.Release) bool { return reflect.DeepEqual(was.Object, of.Object) }) {
			out = append(out, altered{of, before})
		}
	}
	return out
}

// remarks lists what is to be known of releases after the repairs, each remark once, with them:
// who needs a human where nobody did, and what stays although it looks idle.
func (r *Repairer) remarks() []remark {
	var out []remark
	known := forecast.Humans{}
	for _, c := range r.altered() {
		is := target{release: identityOf(c.of)}
		var needs []string
		for i, was := range c.was {
			more := newHuman(was.Release.Release, c.of.Release.Release, known)
			if i == 0 {
				needs = more
			}
			needs = slices.DeleteFunc(slices.Clone(needs), func(s string) bool { return !slices.Contains(more, s) })
		}
		if len(needs) > 0 {
			out = append(out, remark{is, words.NeedHuman(needs)})
		}
		if text := idleLooking(c.of.Release, known); text != "" {
			out = append(out, remark{is, text})
		}
	}
	return out
}

type remark struct {
	target
	text string
}

// strategySince is the first helm-controller whose API has strategy.
const strategySince = "1.4.0"

// assuming lists the releases in which repairs have written a strategy although nothing
// says that their controller has it.
func (r *Repairer) assuming() []target {
	var out []target
	for _, c := range r.altered() {
		if c.of.Controller.Assumed && writesStrategy(c.of) && !slices.ContainsFunc(c.was, writesStrategy) {
			out = append(out, target{release: identityOf(c.of)})
		}
	}
	return out
}

func writesStrategy(of judge.Release) bool {
	return object.At(of.Object, "spec", "install", "strategy") != nil || object.At(of.Object, "spec", "upgrade", "strategy") != nil
}

func rollsBack(h release.Half) bool {
	return h.Strategy == release.RemediateOnFailure && h.Remediation == release.Rollback && (h.Retries != 0 || h.RemediateLastFailure)
}

// line says what a repair has done to findings of one rule: at their own place,
// or at that of the patch that decides them now.
func (c change) line(targets []target) string {
	if c.central == nil {
		return fmt.Sprintf("%s (%s)", targets[0].label(), releases(targets))
	}
	return c.central.line(" "+targets[0].finding.Rule, targets)
}

func (p *centralPatch) line(what string, targets []target) string {
	line := fmt.Sprintf("%s:%d%s (%s) by ", p.at.File, p.at.Line, what, releases(targets))
	switch {
	case p.at.Extends:
		return line + p.at.What
	case p.at.What == p.at.File:
		return line + "a patch"
	}
	return line + "a patch of " + p.at.What
}

// alike groups findings of one rule and, unless that does not matter, cause.
func alike(targets []target, anywhere bool) [][]target {
	return words.Alike[[]target](targets, func(t target) string {
		if anywhere {
			return t.finding.Rule
		}
		return fmt.Sprint(t.cause())
	})
}

// alikeRefusals groups what was refused by cause and reason.
func alikeRefusals(left []refusal) [][]refusal {
	tried := slices.DeleteFunc(slices.Clone(left), func(r refusal) bool { return r.untried })
	return words.Alike[[]refusal](tried, func(r refusal) string { return fmt.Sprint(r.cause(), r.reason) })
}

// unrepairable groups what was not tried by rule and reason. What is milder than a warning
// is left out, as in reports.
func unrepairable(left []refusal) [][]refusal {
	untried := slices.DeleteFunc(slices.Clone(left), func(r refusal) bool {
		return !r.untried || r.reason != needsUnsafe && !r.finding.Severity.AtLeast(rules.Warning)
	})
	return words.Alike[[]refusal](untried, func(r refusal) string { return r.finding.Rule + r.reason })
}

func targetsIn(refused []refusal) []target {
	return words.Of(refused, func(r refusal) target { return r.target })
}

// distinct counts findings as reports do: those of several clusters that are
// equal are one.
func distinct(targets []target) int {
	return len(words.Alike[[]target](targets, func(t target) string {
		at := t.at()
		return fmt.Sprint(t.release, t.finding.Rule, t.finding.Message, t.finding.Path, at.File, at.Line, at.Column)
	}))
}
