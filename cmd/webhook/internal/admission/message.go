package admission

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
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

// Response returns the answer to the request, but for its uid.
func (d *Decision) Response() *admissionv1.AdmissionResponse {
	out := &admissionv1.AdmissionResponse{Allowed: d.Outcome != Denied, Warnings: d.warnings(), AuditAnnotations: d.Audit()}
	if !out.Allowed {
		out.Result = &metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden, Message: d.message(),
			Details: &metav1.StatusDetails{Name: d.review.name(), Group: release.Group, Kind: "HelmRelease", Causes: d.causes()},
		}
	}
	return out
}

// causes returns one cause for each wrong field; its type is the rule's id.
func (d *Decision) causes() []metav1.StatusCause {
	causes := make([]metav1.StatusCause, 0, len(d.Denied))
	for _, finding := range d.Denied {
		causes = append(causes, metav1.StatusCause{
			Type: metav1.CauseType(finding.Rule), Field: finding.Path.String(), Message: finding.Message,
		})
	}
	return causes
}

// message returns the fault and the way out in a line, all faults, what would happen, the fix, how to
// waive what is found, and what is blocked until then. Findings that find no room are counted.
func (d *Decision) message() string {
	text := d.lead().line(d.review.release(), string(d.Tier)) + "\n"
	after := d.foresight() + d.fix.text() + d.advice() + d.waive()
	if ks := d.review.kustomization(); ks != "" {
		after += "\nUntil then the Flux Kustomization " + ks + " cannot be applied."
	}
	after += "\nJudged by " + d.judge.InForce.String() + "."
	room := maxDenial - len(after) - len("; and 9999 more")
	for i, finding := range d.Denied {
		next := finding.Path.String() + ": " + d.say(finding)
		if i > 0 && len(text)+len(next) > room {
			text += fmt.Sprintf("; and %d more", len(d.Denied)-i)
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
func (d *Decision) waive() string {
	rule := d.Denied[0].Rule
	if d.judge.Config.Spec.Waivers.Annotations[d.Tier] == "forbid" {
		return fmt.Sprintf("\nMore: flux-remedy rules %s. Only spec.waivers.entries of the configuration can waive it here.", rule)
	}
	return fmt.Sprintf("\nMore: flux-remedy rules %s. To accept it for a time, annotate %s%s: \"YYYY-MM-DD reason\".",
		rule, rules.WaiverAnnotation, rule)
}

// advice says what to do about what the fix does not repair, once for each rule.
func (d *Decision) advice() string {
	left := d.fix.but
	if d.fix.text() == "" {
		left = ids(d.Denied)
	}
	var help []string
	for _, id := range left {
		if text := d.helpOf(id); text != "" {
			help = append(help, text+" ["+id+"]")
		}
	}
	if len(help) == 0 {
		return ""
	}
	return "\nWhat to do: " + cut(strings.Join(help, " "), maxHelp)
}

// helpOf returns what to do about what a rule reports.
func (d *Decision) helpOf(id string) string {
	for _, finding := range d.Denied {
		if finding.Rule == id && finding.Help != "" {
			return finding.Help
		}
	}
	rule, _ := d.judge.Engine.Rule(id)
	return rule.Help
}

// foresight returns one sentence on what helm-controller would do, from the
// first finding with a scenario.
func (d *Decision) foresight() string {
	if !d.release.KnownSettings() {
		return ""
	}
	for _, finding := range d.Denied {
		if scenario, err := forecast.Find(finding.Scenario); err == nil {
			return "\nForecast: " + scenario.Title + ": " + cut(forecast.Run(*d.release.Settings, d.release.Controller, scenario, forecast.Options{}).Outcome.Summary, maxDenial/4) + "."
		}
	}
	return ""
}

// say returns a finding as a sentence with its rule, and with the waiver that
// has expired, if there is one.
func (d *Decision) say(finding rules.Finding) string {
	text := finding.Message + " [" + finding.Rule + "]"
	if waiver, ok := d.expired[finding.Rule]; ok {
		text += fmt.Sprintf(" (its waiver ended on %s: %s)", waiver.Until, waiver.Reason)
	} else if waiver, ok := d.lapsed[finding.Rule]; ok && finding.Severity == rules.Error {
		text += fmt.Sprintf(" (it was waived until %s: keep the waiver until it is repaired)", waiver.Until)
	}
	return text
}

// notices returns what is wrong but does not deny, the worst first. There are none where the tier
// is only audited.
func (d *Decision) notices() (all []string) {
	if d.release == nil || d.mode() == rules.EnforceAudit {
		return nil
	}
	for _, finding := range d.Inherited {
		all = append(all, "as before this update: "+d.say(finding))
	}
	bySeverity := slices.SortedStableFunc(slices.Values(d.Warned), func(a, b rules.Finding) int {
		return cmp.Compare(a.Severity.Rank(), b.Severity.Rank())
	})
	for _, finding := range bySeverity {
		all = append(all, d.say(finding))
	}
	return append(all, d.Notes...)
}

// warnings returns the notices of the release, as far as the API server shows them.
func (d *Decision) warnings() (out []string) {
	room := maxAllWarnings
	for _, text := range d.notices() {
		text = cut(d.review.release()+": "+text, maxWarning)
		if room -= len(text); room < 0 {
			break
		}
		out = append(out, text)
	}
	return out
}

func (d *Decision) mode() rules.Enforcement { return d.judge.Config.Enforcement(d.Tier) }

// Audit returns the decision as annotations for the API server's audit log.
func (d *Decision) Audit() map[string]string {
	out := map[string]string{
		"decision": string(d.Outcome),
		"tier":     string(d.Tier),
		"policy":   d.judge.Sources,
		"digest":   d.judge.InForce.Digest.String(),
		// remedy-webhook check reads it.
		"enforcement": string(d.mode()),
	}
	if d.Exempted || len(d.Waived) > 0 {
		out["requestedBy"] = d.review.UserInfo.Username
	}
	for key, text := range map[string]string{
		"bundle": d.judge.InForce.Bundle, "exempt": d.Why,
		"unknown": cut(strings.Join(d.Unknown, ","), maxUnknown), "undetermined": strings.Join(d.Open, ","),
		"denied": listed(d.Denied), "warned": listed(d.Warned), "inherited": listed(d.Inherited), "waived": listed(d.Waived),
	} {
		if text != "" {
			out[key] = text
		}
	}
	return out
}

func listed(findings []rules.Finding) string { return strings.Join(ids(findings), ",") }

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
