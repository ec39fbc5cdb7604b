package fleet

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// denied says which source of a release helm-controller must not read, because it is in another namespace and the flag
// --no-cross-namespace-refs is set; "" if there is none. No retry follows before the release or the flag changes.
// Source: AllowsAccessTo in internal/acl of helm-controller, and reconcileRelease and getSource in its helmrelease_controller.go.
func (f *flux) denied(cluster string, obj map[string]any) string {
	field, ref := "chartRef", object.At(obj, "spec", "chartRef")
	if ref == nil {
		field, ref = "sourceRef", object.At(obj, "spec", "chart", "spec", "sourceRef")
	}
	own, source := object.Namespace(obj), sources.ReferenceOf(ref, obj)
	if !object.IsHelmRelease(obj) || own == "" || source.Namespace == own || len(variables.Unknown(own+source.String())) > 0 || !f.locks(cluster, obj) {
		return ""
	}
	return fmt.Sprintf("names %s %s/%s (%s) in another namespace, and helm-controller runs with --no-cross-namespace-refs: it is Stalled (AccessDenied), neither installed nor upgraded",
		source.Kind, source.Namespace, source.Name, field)
}

// locks reports whether it is known that the helm-controller of a release takes no source of another namespace.
func (f *flux) locks(cluster string, release map[string]any) bool {
	installed := f.installation(cluster)
	watching, doubt := controllers.Watching(append([]controllers.Installation{installed}, installed.Shards...), release)
	return doubt == "" && !slices.ContainsFunc(watching, func(i controllers.Installation) bool { return !i.Locked })
}
