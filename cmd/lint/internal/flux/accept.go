package flux

import (
	"fmt"
	"maps"
	"strings"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/yaml"
)

// refused says why the API server would not take a Flux Kustomization, so that
// the cluster keeps what it had before; "" if nothing speaks against it. A value
// does not if one in the object is not known.
func refused(ks map[string]any) string {
	if ks["apiVersion"] != kustomizev1.GroupVersion.String() {
		return ""
	}
	object := maps.Clone(ks)
	delete(object, traceKey)
	data, err := yaml.Marshal(object)
	if err != nil {
		return ""
	}
	err = yaml.UnmarshalStrict(data, &kustomizev1.Kustomization{})
	if err == nil {
		return ""
	}
	reason := err.Error()[strings.LastIndex(err.Error(), "JSON: ")+len("JSON: "):]
	reason = strings.TrimPrefix(reason, "json: ")
	if !strings.HasPrefix(reason, "unknown field") && (variableUse.Match(data) || markers.Match(data)) {
		return ""
	}
	return reason
}

// noAPI tells of a resource that is not Flux's only because its apiVersion is
// not right.
func noAPI(res *resource.Resource) string {
	group := res.GetGvk().Group
	if !traceable(res.GetKind()) || group == kept[res.GetKind()] || group != "" && !strings.Contains(group, "toolkit") {
		return ""
	}
	return fmt.Sprintf("has %s %s with the apiVersion %q, which there is not", res.GetKind(), res.GetName(), res.GetApiVersion())
}
