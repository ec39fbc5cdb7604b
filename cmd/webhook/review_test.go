package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission/admissiontest"
)

// What tests of this package and of the package admission share.
var (
	helmRelease = admissiontest.HelmRelease
	request     = admissiontest.Request
	whole       = admissiontest.Whole
)

const (
	bad     = admissiontest.Bad
	half    = admissiontest.Half
	retried = admissiontest.Retried
)

// send posts a review and returns the response. An answer without a response is
// an error.
func (i *instance) send(client *http.Client, path string, review *admissionv1.AdmissionReview) (*admissionv1.AdmissionResponse, error) {
	body, err := json.Marshal(review)
	if err != nil {
		return nil, err
	}
	return i.post(client, path, body)
}

// post does the same with a review that is already encoded.
func (i *instance) post(client *http.Client, path string, body []byte) (*admissionv1.AdmissionResponse, error) {
	answer, err := client.Post("https://"+i.admission+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	out := admissionv1.AdmissionReview{}
	if err := json.Unmarshal(text, &out); err != nil || answer.StatusCode != http.StatusOK || out.Response == nil {
		return nil, fmt.Errorf("%s: %s", answer.Status, text)
	}
	return out.Response, nil
}

// wantDenied fails the test unless the error is the webhook's denial for exactly
// these rules.
func wantDenied(t *testing.T, err error, rules ...string) {
	t.Helper()
	status := &apierrors.StatusError{}
	if !errors.As(err, &status) || !apierrors.IsForbidden(err) || status.ErrStatus.Details == nil {
		t.Fatalf("got %v, want a refusal for %v", err, rules)
	}
	var got []string
	for _, cause := range status.ErrStatus.Details.Causes {
		got = append(got, string(cause.Type))
		if !strings.HasPrefix(cause.Field, "spec") {
			t.Errorf("cause %s has the field %q", cause.Type, cause.Field)
		}
	}
	if slices.Sort(got); !slices.Equal(got, rules) {
		t.Errorf("refused for %v, want %v", got, rules)
	}
}
