package main

import (
	"bytes"
	"encoding/json"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/flux-remedy/remedy/pkg/release"
)

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
				response := d.answer()
				response.UID = uid
				want, err := json.Marshal(&admissionv1.AdmissionReview{TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Response: response})
				if err != nil {
					t.Fatal(err)
				}
				if got, err := d.text(uid); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s in %s:\n%s, %v\nwant\n%s", name, tier, got, err, want)
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
