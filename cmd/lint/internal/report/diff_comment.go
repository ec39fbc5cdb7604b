package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// repaired are the findings of one rule that a change has repaired.
type repaired struct {
	rule     string
	severity rules.Severity
	changes  []Change
	findings []Finding
}

// inPart counts those of which something remains.
func (r repaired) inPart() int {
	n := 0
	for i, f := range r.findings {
		if r.changes[i].leaves(f) {
			n++
		}
	}
	return n
}

// repairs groups by rule what is repaired, the worst first, of these what concerns the most
// releases.
func (d Diff) repairs() []repaired {
	var out []repaired
	for _, c := range d.Changes {
		for _, f := range c.repairs() {
			if d.Policy.excuses(c, f) {
				continue
			}
			i := slices.IndexFunc(out, func(r repaired) bool { return r.rule == f.Rule && r.severity == f.Severity })
			if i < 0 {
				i = len(out)
				out = append(out, repaired{rule: f.Rule, severity: f.Severity})
			}
			out[i].changes, out[i].findings = append(out[i].changes, c), append(out[i].findings, f)
		}
	}
	slices.SortStableFunc(out, func(a, b repaired) int {
		if a.severity != b.severity {
			return a.severity.Rank() - b.severity.Rank()
		}
		return len(b.changes) - len(a.changes)
	})
	return out
}

// markdownRepairs says what got better, with a forecast before and after.
func (d Diff) markdownRepairs(opts Options) []string {
	all := d.repairs()
	if len(all) == 0 {
		return nil
	}
	blocks := []string{"\n### Better\n\n"}
	for _, r := range all {
		what := "repaired"
		if part := r.inPart(); part == len(r.changes) {
			what += " in part"
		} else if part > 0 {
			what += fmt.Sprintf(" (%d in part)", part)
		}
		blocks = append(blocks, fmt.Sprintf("- %s %s: %s %s, of %s\n", words.Count(len(r.changes), string(r.severity)), what,
			document.Escape(opts.titleOf(r.rule, r.rule)), document.Code(r.rule), document.Escape(words.First(names(r.findings), mostNames, "")+where(r.findings))))
	}
	for _, r := range all {
		if text := opts.markdownBeforeAfter(r.changes[0], r.findings[0]); text != "" {
			return append(blocks, "\n"+text)
		}
	}
	return blocks
}

// shownOpen is how many of them are not folded.
const shownOpen = 3

// markdownGained shows what is new or worse as it is edited, with how to waive it.
func (d Diff) markdownGained(opts Options) []string {
	var out []string
	for _, b := range blocks(d.gained().Findings) {
		if !b.first().ofOne() {
			continue // the policy, which has its own part
		}
		if len(out) == 0 {
			out = append(out, "\n### New or worse\n")
		}
		text := opts.markdownBlock(b)
		end := strings.LastIndex(text, "\n\n</details>")
		if len(out) <= shownOpen {
			text, end = strings.Replace(text, "<details>", "<details open>", 1), end+len(" open")
		}
		out = append(out, "\n"+text[:end]+"\n"+opts.markdownNext(d, b)+text[end:])
	}
	return out
}

// markdownNext says of a block what to read and how to waive it.
func (o Options) markdownNext(d Diff, b block) string {
	f := b.first()
	rule := document.Code("flux-remedy rules " + f.Rule)
	if url := o.ruleURL(f.Rule); url != "" {
		rule = "[" + f.Rule + "](" + url + ")"
	}
	text := "\nAbout the rule: " + rule + ". To accept it until a given day, " + o.markdownWaiver(b) + "\n" +
		"A waiver changes the policy: here it fails as " + document.Code("policy-weakened") + " unless " + document.Code("--allow-policy-change") +
		" accepts it. Whoever may change the policy can also accept it first, in a change of its own.\n"
	for _, c := range d.Changes {
		if c.Name == f.Release && (f.Cluster == "" || c.Cluster == f.Cluster) {
			text += o.markdownBeforeAfter(c, f)
			break
		}
	}
	return strings.TrimSuffix(text, "\n")
}

// markdownWaiver says how to waive a block: on its release or, where a patch decides for several, beside the line.
func (o Options) markdownWaiver(b block) string {
	f, several := b.first(), len(b.releaseNames()) > 1
	switch {
	case several && len(f.Provenance) > 0:
		line := "the line"
		if len(b.causes) > 1 {
			line = "each line that decides, as"
		}
		return "write a comment at the end of " + line + " " + o.markdownPlace(place(f.File, f.Line, 0)) + ":\n\n" +
			document.Block("yaml", fmt.Sprintf("# %s%s until YYYY-MM-DD: the reason", rules.WaiverComment, f.Rule))
	case several:
		return "annotate each of the releases:\n\n" + waiverAnnotation(f.Rule)
	}
	return "annotate the release:\n\n" + waiverAnnotation(f.Rule)
}

func waiverAnnotation(rule string) string {
	return document.Block("yaml", "metadata:", "  annotations:", fmt.Sprintf("    waive.flux-remedy.io/%s: %q", rule, "YYYY-MM-DD the reason"))
}

// markdownBeforeAfter draws as text how the forecast of a finding changes for a release, or
// the one that shows best what changes; empty if nothing ends otherwise.
func (o Options) markdownBeforeAfter(c Change, of Finding) string {
	full, _ := inFull(c.Forecasts)
	if len(full) == 0 || o.Drawings.Lines == nil || full[0].was == nil {
		return ""
	}
	f := full[0]
	for _, change := range c.Forecasts {
		if of.Forecast != nil && change.Scenario == of.Forecast.Scenario {
			f = change
		}
	}
	lines := append([]string{"before"}, shortened(o.Drawings.Lines(*f.was))...)
	lines = append(append(lines, "", "after"), shortened(o.Drawings.Lines(*f.is))...)
	title := "Forecast of " + document.Escape(c.Name.String()) + " in the scenario " + document.Code(f.Scenario) + ", before and after"
	return document.Fold(title, document.Block("text", lines...))
}

// shortened leaves out the middle of a long forecast: its end says how it goes on.
func shortened(lines []string) []string {
	const first, last = 4, 2
	if len(lines) <= first+last {
		return lines
	}
	left := fmt.Sprintf("%9s  %s", "...", words.Count(len(lines)-first-last, "more step"))
	return slices.Concat(lines[:first], []string{left}, lines[len(lines)-last:])
}

type ruleMessage struct{ rule, text string }

func (d Diff) shownByPlace() map[ruleMessage]bool {
	out := map[ruleMessage]bool{}
	for _, b := range blocks(d.gained().Findings) {
		f := b.first()
		out[ruleMessage{f.Rule, f.Message}] = f.ofOne()
	}
	return out
}
