package main

import (
	"maps"
	"reflect"

	admissionv1 "k8s.io/api/admission/v1"
)

// exemption says why a request must not be blocked whatever the object holds;
// empty if it may be.
func exemption(r *review) string {
	switch {
	case r.SubResource != "":
		return "subresource " + r.SubResource
	case r.Operation != admissionv1.Create && r.Operation != admissionv1.Update:
		return "operation " + string(r.Operation)
	case leaving(r.object) || leaving(r.old):
		return "the object is being deleted"
	case r.Operation == admissionv1.Create || r.old == nil:
		return ""
	case reflect.DeepEqual(r.object["spec"], r.old["spec"]):
		return "the spec is unchanged"
	case reflect.DeepEqual(unsuspended(r.object), unsuspended(r.old)):
		return "only spec.suspend is changed"
	}
	return ""
}

// leaving reports whether an object waits for its finalizers only.
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
