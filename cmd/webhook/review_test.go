package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// request makes the review of a creation or, with an old object, an update.
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

// send posts a review and gives the response; an answer that is none is an
// error.
func (i *instance) send(client *http.Client, path string, review *admissionv1.AdmissionReview) (*admissionv1.AdmissionResponse, error) {
	body, err := json.Marshal(review)
	if err != nil {
		return nil, err
	}
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
