package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

var day = time.Date(2026, time.June, 15, 12, 0, 0, 0, time.UTC)

// newHandler returns a handler for production with the rules of the project.
func newHandler(t testing.TB) *handler {
	t.Helper()
	p := newRules(t)
	return &handler{
		ruleset:  func() *ruleset { return p },
		evidence: func(*ruleset, string) release.Evidence { return release.Evidence{Configured: release.Production} },
		now:      func() time.Time { return day }, metrics: newMetrics(), log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		limits: newLimits(1<<20, 4), timeout: 10 * time.Second,
	}
}

// post returns the handler's answer to a body.
func post(h http.Handler, body []byte) (code int, answer []byte) {
	r := httptest.NewRequest(http.MethodPost, "/validate/production", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.Bytes()
}

// gathered returns the value of a metric without labels.
func gathered(t testing.TB, m *metrics, name string) float64 {
	t.Helper()
	families, err := m.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			return family.GetMetric()[0].GetCounter().GetValue()
		}
	}
	return -1
}

// FuzzHandle checks that any body is answered with a decision or with an error,
// never with both. What is not a review of JSON objects is never admitted.
func FuzzHandle(f *testing.F) {
	for _, review := range seeds(f) {
		f.Add(review)
	}
	h := newHandler(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		code, answer := post(h, body)
		if code != http.StatusOK {
			status := metav1.Status{}
			if err := json.Unmarshal(answer, &status); err != nil || status.Status != metav1.StatusFailure || int(status.Code) != code {
				t.Fatalf("code %d with %s", code, answer)
			}
			return
		}
		out := admissionv1.AdmissionReview{}
		if err := json.Unmarshal(answer, &out); err != nil || out.Kind != "AdmissionReview" || out.Response == nil {
			t.Fatalf("no review: %v: %s", err, answer)
		}
		if !out.Response.Allowed && (out.Response.Result == nil || out.Response.Result.Code != http.StatusForbidden) {
			t.Fatalf("denied without a 403: %s", answer)
		}
		var in struct {
			Request struct {
				UID    string         `json:"uid"`
				Object map[string]any `json:"object"`
				Old    map[string]any `json:"oldObject"`
			} `json:"request"`
		}
		if err := json.Unmarshal(body, &in); err != nil {
			t.Fatalf("decided though the body cannot be decoded: %v: %s", err, answer)
		}
		if string(out.Response.UID) != in.Request.UID {
			t.Fatalf("answered %q, asked %q", out.Response.UID, in.Request.UID)
		}
	})
	if n := gathered(f, h.metrics, "remedy_webhook_panics_total"); n != 0 {
		f.Errorf("%v panics", n)
	}
}

// seeds returns reviews of the rules' examples, as creations and updates.
func seeds(f testing.TB) [][]byte {
	f.Helper()
	files, err := filepath.Glob("../../policies/rules/*/*/bad.yaml")
	if err != nil || len(files) == 0 {
		f.Fatalf("no examples: %v", err)
	}
	var out [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		object := helmRelease("app", "{}")
		if err := yaml.Unmarshal(data, &object.Object); err != nil {
			f.Fatal(err)
		}
		for _, review := range []*admissionv1.AdmissionReview{request(object, nil), request(object, helmRelease("app", retried))} {
			body, err := json.Marshal(review)
			if err != nil {
				f.Fatal(err)
			}
			out = append(out, body)
		}
	}
	return out
}
