package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/flux-remedy/remedy/pkg/release"
)

// beforeUID and the uid begin every answer.
const beforeUID = `{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"`

// text returns the answer to a request as JSON: what [json.Marshal] writes.
func (d *decision) text(uid types.UID) ([]byte, error) {
	response := d.answer()
	out := appendQuoted(append(make([]byte, 0, 1<<9), beforeUID[:len(beforeUID)-1]...), string(uid))
	out = strconv.AppendBool(append(out, `,"allowed":`...), response.Allowed)
	if response.Result != nil {
		status, err := json.Marshal(response.Result)
		if err != nil {
			return nil, err
		}
		out = append(append(out, `,"status":`...), status...)
	}
	for i, key := range slices.Sorted(maps.Keys(response.AuditAnnotations)) {
		out = appendQuoted(append(out, begin(i, `,"auditAnnotations":{`)...), key)
		out = appendQuoted(append(out, ':'), response.AuditAnnotations[key])
	}
	out = append(out, '}')
	for i, warning := range response.Warnings {
		out = appendQuoted(append(out, begin(i, `,"warnings":[`)...), warning)
	}
	if len(response.Warnings) > 0 {
		out = append(out, ']')
	}
	return append(out, "}}"...), nil
}

// begin returns what is before an item of a list: its begin or a comma.
func begin(item int, list string) string {
	if item == 0 {
		return list
	}
	return ","
}

// appendQuoted appends a text as JSON.
func appendQuoted(to []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, _ := json.Marshal(text) // a text cannot fail
			return append(to, quoted...)
		}
	}
	return append(append(append(to, '"'), text...), '"')
}

// answer returns the decision as the API server expects it.
func (d *decision) answer() *admissionv1.AdmissionResponse {
	response := &admissionv1.AdmissionResponse{
		Allowed:          d.outcome != denied,
		Warnings:         d.warnings(),
		AuditAnnotations: d.audit(),
	}
	if !response.Allowed {
		response.Result = &metav1.Status{
			Status:  metav1.StatusFailure,
			Code:    http.StatusForbidden,
			Reason:  metav1.StatusReasonForbidden,
			Message: d.denial(),
			Details: &metav1.StatusDetails{
				Name: d.release.Name, Group: release.Group, Kind: "HelmRelease", Causes: d.causes(),
			},
		}
	}
	return response
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
