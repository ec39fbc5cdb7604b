package main

import (
	"encoding/json"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// answer is a decision as it is answered and recorded, for all releases of which it holds: in
// words, and as JSON, but for the names of the release.
type answer struct {
	decision *decision
	words
	causes []byte
	audit  json.RawMessage
}

// answer returns the answer of a decision.
func (d *decision) answer() *answer {
	var causes []byte
	if d.outcome == denied {
		causes, _ = json.Marshal(d.causes()) // texts cannot fail
	}
	kept := *d
	kept.release, kept.expired, kept.lapsed = nil, nil, nil
	kept.waived = nil // with reasons of any length
	for _, finding := range d.waived {
		kept.waived = append(kept.waived, rules.Finding{Rule: finding.Rule})
	}
	return &answer{&kept, d.words(), causes, appendMap(nil, d.audit())}
}

// size returns about how many bytes the texts of an answer take.
func (a *answer) size() int {
	size := len(a.causes) + len(a.audit) + len(a.after) + len(a.decision.user)
	for _, text := range slices.Concat(a.faults, a.notices, a.lead.ways) {
		size += len(text)
	}
	return size
}

// text returns the answer to a request as JSON: what [json.Marshal] writes of an
// AdmissionReview.
func (a *answer) text(uid string, of place) []byte {
	out := make([]byte, 0, 512+len(a.audit)+len(a.causes)+2*len(a.after))
	out = append(out, `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":`...)
	out = appendQuoted(out, uid)
	out = strconv.AppendBool(append(out, `,"allowed":`...), a.decision.outcome != denied)
	if a.decision.outcome == denied {
		out = a.appendStatus(append(out, `,"status":`...), of)
	}
	out = append(append(out, `,"auditAnnotations":`...), a.audit...)
	warnings := a.warnings(of)
	for i, warning := range warnings {
		out = appendQuoted(append(out, begin(i, `,"warnings":[`)...), warning)
	}
	if len(warnings) > 0 {
		out = append(out, ']')
	}
	return append(out, "}}"...)
}

// appendStatus appends why a release is denied.
func (a *answer) appendStatus(out []byte, of place) []byte {
	out = append(out, `{"metadata":{},"status":"Failure","message":`...)
	out = appendQuoted(out, a.denial(of))
	out = append(out, `,"reason":"Forbidden","details":{`...)
	if of.name != "" {
		out = append(appendQuoted(append(out, `"name":`...), of.name), ',')
	}
	out = append(out, `"group":"`+release.Group+`","kind":"HelmRelease","causes":`...)
	return append(append(out, a.causes...), `},"code":403}`...)
}

// causes returns one cause for each wrong field; its type is the rule's id.
func (d *decision) causes() []metav1.StatusCause {
	causes := make([]metav1.StatusCause, 0, len(d.denied))
	for _, finding := range d.denied {
		causes = append(causes, metav1.StatusCause{
			Type: metav1.CauseType(finding.Rule), Field: finding.Path.String(), Message: finding.Message,
		})
	}
	return causes
}
