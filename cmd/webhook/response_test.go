package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/flux-remedy/remedy/pkg/release"
)

// responseOf returns what the API server reads of a decision.
func responseOf(d *decision) *admissionv1.AdmissionResponse {
	said, of := d.words(), place{}
	if d.release != nil {
		of = (&review{Namespace: d.release.Namespace, Object: d.release.Object}).where()
	}
	response := &admissionv1.AdmissionResponse{
		Allowed: d.outcome != denied, Warnings: said.warnings(of), AuditAnnotations: d.audit(),
	}
	if !response.Allowed {
		response.Result = &metav1.Status{
			Status: metav1.StatusFailure, Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden,
			Message: said.denial(of),
			Details: &metav1.StatusDetails{Name: of.name, Group: release.Group, Kind: "HelmRelease", Causes: d.causes()},
		}
	}
	return response
}

// TestText holds answers to what json.Marshal writes.
func TestText(t *testing.T) {
	p := newHandler(t).ruleset()
	for name, text := range reviews() {
		read, err := newLimits(1<<20, 1).read(t.Context(), bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := read.decode()
		if err != nil {
			t.Fatal(err)
		}
		for _, tier := range release.Tiers {
			d, err := p.decide(t.Context(), r, tier, day)
			if err != nil {
				t.Fatal(err)
			}
			d.notes = append(d.notes, "odd: \"\\<&>\u2028\x00\xff é", "")
			d.why += `"`
			for _, uid := range []types.UID{"a", "", "<\xff\n>"} {
				response := responseOf(d)
				response.UID = uid
				want, err := json.Marshal(&admissionv1.AdmissionReview{TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Response: response})
				if err != nil {
					t.Fatal(err)
				}
				if got := d.answer().text(string(uid), r.place); !bytes.Equal(got, want) {
					t.Errorf("%s in %s:\n%s\nwant\n%s", name, tier, got, want)
				}
			}
		}
	}
}

// TestTextsAgain holds that what is remembered of denials is what is made without it.
func TestTextsAgain(t *testing.T) {
	h := newHandler(t)
	other := *h
	for _, body := range seeds(t) {
		p := *h.ruleset()
		p.answers, p.texts = nil, nil
		other.ruleset = func() *ruleset { return &p }
		wantCode, want := post(&other, body)
		forgotten := forgetful(h)
		for range 2 {
			if code, got := post(forgotten, body); code != wantCode || !bytes.Equal(got, want) {
				t.Errorf("answered %d %s\nwant %d %s", code, got, wantCode, want)
			}
		}
	}
	if texts := h.ruleset().texts; len(texts.fixes) == 0 || len(texts.fixes) > maxTexts || len(texts.foreseen) == 0 || len(texts.foreseen) > maxTexts {
		t.Errorf("%d fixes and %d forecasts are remembered", len(texts.fixes), len(texts.foreseen))
	}
}
