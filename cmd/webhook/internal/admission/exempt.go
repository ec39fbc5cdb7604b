package admission

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// exemption returns why a request must not be blocked whatever the object
// contains; empty if it may be blocked.
func exemption(r *Review) string {
	switch {
	case r.SubResource != "":
		return "subresource " + r.SubResource
	case r.Operation != admissionv1.Create && r.Operation != admissionv1.Update:
		return "operation " + string(r.Operation)
	case leaving(r.Object) || leaving(r.Old):
		return "the object is being deleted"
	case r.Operation == admissionv1.Create || r.Old == nil:
		return ""
	case !reflect.DeepEqual(waivers(r.Object), waivers(r.Old)):
		return "" // without its waiver a fault is not accepted any more
	case equal(r.Object["spec"], r.Old["spec"]):
		return "the spec is unchanged"
	case equal(unsuspended(r.Object), unsuspended(r.Old)):
		return "only spec.suspend is changed"
	}
	return ""
}

// equal reports whether values from JSON are the same: what [reflect.DeepEqual] says of them,
// but sooner.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) || (a == nil) != (b == nil) {
			return false
		}
		for key, value := range a {
			if other, ok := b[key]; !ok || !equal(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && (a == nil) == (b == nil) && slices.EqualFunc(a, b, equal)
	case string, bool, float64, nil:
		return a == b
	}
	return reflect.DeepEqual(a, b)
}

// leaving reports whether an object is being deleted and waits for finalizers.
func leaving(object map[string]any) bool {
	meta, _ := object["metadata"].(map[string]any)
	return meta["deletionTimestamp"] != nil
}

// resumed returns a release that is not suspended.
func resumed(object map[string]any) map[string]any {
	spec, _ := object["spec"].(map[string]any)
	if spec["suspend"] != true {
		return object
	}
	object = maps.Clone(object)
	object["spec"] = unsuspended(object)
	return object
}

func unsuspended(object map[string]any) map[string]any {
	spec, _ := object["spec"].(map[string]any)
	spec = maps.Clone(spec)
	delete(spec, "suspend")
	return spec
}

// waivers returns the annotations of an object that waive rules.
func waivers(object map[string]any) map[string]any {
	meta, _ := object["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	annotations = maps.Clone(annotations)
	maps.DeleteFunc(annotations, func(key string, _ any) bool { return !strings.HasPrefix(key, rules.WaiverAnnotation) })
	if len(annotations) == 0 {
		return nil
	}
	return annotations
}
