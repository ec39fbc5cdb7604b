package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Limits in bytes. The API server cuts longer warnings. The limit of a denial is
// our own: the text ends up in events and conditions.
const (
	maxDenial      = 2048
	maxWarning     = 256
	maxAllWarnings = 4096
	maxHelp        = 400
	maxRule        = 64
	maxUnknown     = 1024 // of the paths of unknown fields in the audit log
)

// words are what is said of a decision, but for the names of the release.
type words struct {
	tier    string
	lead    lead
	faults  []string // that deny, each with its field
	after   string   // what is said after the faults
	last    string   // and at last
	notices []string // what is wrong but does not deny, the worst first
}

// words returns what is said of a decision.
func (d *decision) words() (w words) {
	if d.outcome == denied {
		for _, finding := range d.denied {
			w.faults = append(w.faults, finding.Path.String()+": "+d.say(finding))
		}
		w.lead = d.lead()
		w.tier, w.last = string(d.tier), "\nJudged by "+d.inForce.String()+"."
		w.after = d.foresight() + d.texts.of(d.fix) + d.advice() + d.waive()
	}
	if d.release != nil && !d.silent {
		w.notices = d.notices()
	}
	return w
}

// denial returns the fault and the way out in a line, all faults, what would happen, the fix, how to waive what is found, and
// what is blocked until then. Findings that find no room are counted.
func (w *words) denial(of place) string {
	text := w.lead.line(of.release(), w.tier) + "\n"
	after := w.after
	if ks := of.kustomization(); ks != "" {
		after += "\nUntil then the Flux Kustomization " + ks + " cannot be applied."
	}
	after += w.last
	room := maxDenial - len(after) - len("; and 9999 more")
	for i, next := range w.faults {
		if i > 0 && len(text)+len(next) > room {
			text += fmt.Sprintf("; and %d more", len(w.faults)-i)
			break
		}
		if i > 0 {
			text += "; "
		}
		text += cut(next, room-len(text))
	}
	return text + after
}

// waive says how the findings can be accepted for a time, and what says more of them.
func (d *decision) waive() string {
	rule := d.denied[0].Rule
	if !d.annotations {
		return fmt.Sprintf("\nMore: flux-remedy rules %s. Only spec.waivers.entries of the configuration can waive it here.", rule)
	}
	return fmt.Sprintf("\nMore: flux-remedy rules %s. To accept it for a time, annotate %s%s: \"YYYY-MM-DD reason\".",
		rule, rules.WaiverAnnotation, rule)
}

// advice says what to do about what the fix does not repair.
func (d *decision) advice() string {
	if len(d.help) == 0 {
		return ""
	}
	return "\nWhat to do: " + cut(strings.Join(d.help, " "), maxHelp)
}

// foresight returns one sentence on what helm-controller would do, from the
// first finding with a scenario.
func (d *decision) foresight() string {
	if !d.release.KnownSettings() {
		return ""
	}
	for _, finding := range d.denied {
		if scenario, err := forecast.Find(finding.Scenario); err == nil {
			return "\nForecast: " + scenario.Title + ": " + cut(d.texts.foresee(d.release, scenario), maxDenial/4) + "."
		}
	}
	return ""
}

// say returns a finding as a sentence with its rule, and with the waiver that
// has expired, if there is one.
func (d *decision) say(finding rules.Finding) string {
	text := finding.Message + " [" + finding.Rule + "]"
	if waiver, ok := d.expired[finding.Rule]; ok {
		text += fmt.Sprintf(" (its waiver ended on %s: %s)", waiver.Until, waiver.Reason)
	} else if waiver, ok := d.lapsed[finding.Rule]; ok && finding.Severity == rules.Error {
		text += fmt.Sprintf(" (it was waived until %s: keep the waiver until it is repaired)", waiver.Until)
	}
	return text
}

// notices returns what is wrong but does not deny, the worst first.
func (d *decision) notices() (all []string) {
	for _, finding := range d.inherited {
		all = append(all, "as before this update: "+d.say(finding))
	}
	bySeverity := slices.SortedStableFunc(slices.Values(d.warned), func(a, b rules.Finding) int {
		return cmp.Compare(slices.Index(rules.Severities, a.Severity), slices.Index(rules.Severities, b.Severity))
	})
	for _, finding := range bySeverity {
		all = append(all, d.say(finding))
	}
	return append(all, d.notes...)
}

// warnings returns the notices of a release.
func (w *words) warnings(of place) (out []string) {
	room := maxAllWarnings
	for _, text := range w.notices {
		text = cut(of.release()+": "+text, maxWarning)
		if room -= len(text); room < 0 {
			break
		}
		out = append(out, text)
	}
	return out
}

// audit returns the decision as annotations for the API server's audit log.
func (d *decision) audit() map[string]string {
	out := map[string]string{
		"decision": string(d.outcome),
		"tier":     string(d.tier),
		"policy":   d.digests.config + "/" + d.digests.rules,
		"digest":   d.inForce.Digest.String(),
		// remedy-webhook check reads it.
		"enforcement": string(d.mode),
	}
	if d.inForce.Bundle != "" {
		out["bundle"] = d.inForce.Bundle
	}
	if d.why != "" {
		out["exempt"] = d.why
	}
	if len(d.unknown) > 0 {
		out["unknown"] = cut(strings.Join(d.unknown, ","), maxUnknown)
	}
	if len(d.open) > 0 {
		out["undetermined"] = strings.Join(d.open, ",")
	}
	if d.exempted || len(d.waived) > 0 {
		out["requestedBy"] = d.user
	}
	for key, findings := range map[string][]rules.Finding{
		"denied": d.denied, "warned": d.warned, "inherited": d.inherited, "waived": d.waived,
	} {
		if len(findings) > 0 {
			out[key] = strings.Join(ids(findings), ",")
		}
	}
	return out
}

// ids returns the rules of the findings, sorted, each once.
func ids(findings []rules.Finding) []string {
	var out []string
	for _, finding := range findings {
		out = append(out, finding.Rule)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// cut shortens text to at most size bytes without splitting a character.
func cut(text string, size int) string {
	const mark = "..."
	if len(text) <= size {
		return text
	}
	end := max(size-len(mark), 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + mark
}
