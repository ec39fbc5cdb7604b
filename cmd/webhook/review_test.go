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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

// request returns the review of a creation or, with an old object, an update.
func request(object, old *unstructured.Unstructured) *admissionv1.AdmissionReview {
	raw := func(o *unstructured.Unstructured) runtime.RawExtension {
		if o == nil {
			return runtime.RawExtension{}
		}
		data, err := o.MarshalJSON()
		if err != nil {
			panic(err)
		}
		return runtime.RawExtension{Raw: data}
	}
	operation := admissionv1.Create
	if old != nil {
		operation = admissionv1.Update
	}
	return &admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request: &admissionv1.AdmissionRequest{
			UID: types.UID("uid-" + object.GetName()), Operation: operation,
			Resource:  metav1.GroupVersionResource(helmReleases),
			Namespace: object.GetNamespace(), Name: object.GetName(),
			Object: raw(object), OldObject: raw(old),
		},
	}
}

// reviewOf returns a request as the webhook reads it.
func reviewOf(t testing.TB, request *admissionv1.AdmissionRequest) *review {
	t.Helper()
	text, err := json.Marshal(&admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Request: request,
	})
	if err != nil {
		t.Fatal(err)
	}
	read, err := newLimits(int64(len(text)), 1).read(t.Context(), bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := read.decode()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

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

// Specs of releases, without the fields that all of them need.
const (
	bad     = `{}`
	half    = `{install: {strategy: {name: RetryOnFailure}}}`
	retried = `{install: {strategy: {name: RetryOnFailure}}, upgrade: {strategy: {name: RetryOnFailure}}}`
)

// helmRelease returns a HelmRelease with a name and a spec in YAML.
func helmRelease(name, spec string) *unstructured.Unstructured {
	fields := map[string]any{}
	if err := yaml.Unmarshal([]byte(spec), &fields); err != nil {
		panic(err)
	}
	fields["interval"] = "10m"
	fields["chartRef"] = map[string]any{"kind": "OCIRepository", "name": "app"}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": name}, "spec": fields,
	}}
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
