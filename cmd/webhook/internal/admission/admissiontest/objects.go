// Package admissiontest makes releases and reviews for tests of admission.
package admissiontest

import (
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

// Specs of releases, without the fields that all of them need.
const (
	Bad     = `{}`
	Half    = `{install: {strategy: {name: RetryOnFailure}}}`
	Retried = `{install: {strategy: {name: RetryOnFailure}}, upgrade: {strategy: {name: RetryOnFailure}}}`
)

// HelmRelease returns a HelmRelease with a name and a spec in YAML.
func HelmRelease(name, spec string) *unstructured.Unstructured {
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

// Request returns the review of a creation or, with an old object, an update.
func Request(object, old *unstructured.Unstructured) *admissionv1.AdmissionReview {
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
			Resource:  metav1.GroupVersionResource{Group: "helm.toolkit.fluxcd.io", Version: "v2", Resource: "helmreleases"},
			Namespace: object.GetNamespace(), Name: object.GetName(),
			Object: raw(object), OldObject: raw(old),
		},
	}
}

// Whole returns a release with some settings.
func Whole(name string, settings map[string]any) *unstructured.Unstructured {
	out := HelmRelease(name, "{}")
	Merge(out.Object, settings)
	return out
}

// Merge writes fields over those of an object.
func Merge(into, from map[string]any) {
	for key, value := range from {
		inner, isMap := into[key].(map[string]any)
		if more, ok := value.(map[string]any); ok && isMap {
			Merge(inner, more)
		} else {
			into[key] = value
		}
	}
}
