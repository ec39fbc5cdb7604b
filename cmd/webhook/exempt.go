package main

import (
	"maps"
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"
)

// exemption returns why a request must not be blocked whatever the object
// contains; empty if it may be blocked.
func exemption(r *review) string {
	switch {
	case r.SubResource != "":
		return "subresource " + r.SubResource
	case r.Operation != admissionv1.Create && r.Operation != admissionv1.Update:
		return "operation " + string(r.Operation)
	case leaving(r.Object) || leaving(r.Old):
		return "the object is being deleted"
	case r.Operation == admissionv1.Create || r.Old == nil:
		return ""
	case reflect.DeepEqual(r.Object["spec"], r.Old["spec"]):
		return "the spec is unchanged"
	case reflect.DeepEqual(unsuspended(r.Object), unsuspended(r.Old)):
		return "only spec.suspend is changed"
	}
	return ""
}

// leaving reports whether an object is being deleted and waits for finalizers.
func leaving(object map[string]any) bool {
	meta, _ := object["metadata"].(map[string]any)
	return meta["deletionTimestamp"] != nil
}

func unsuspended(object map[string]any) map[string]any {
	spec, _ := object["spec"].(map[string]any)
	spec = maps.Clone(spec)
	delete(spec, "suspend")
	return spec
}
