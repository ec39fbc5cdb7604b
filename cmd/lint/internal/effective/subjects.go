package effective

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/alert"
)

// subjectOf returns the release as Alerts see it. Its message begins as fmtUpgradeFailure of
// helm-controller does.
func subjectOf(r *Release) alert.Subject {
	s := alert.Subject{Kind: "HelmRelease", Namespace: r.Namespace, Name: r.Name, Labels: alert.Labels(r.Object)}
	if r.Settings != nil {
		s.Message = fmt.Sprintf("Helm upgrade failed for release %s/%s with chart ", cmp.Or(object.String(r.Object, "spec", "targetNamespace"), r.Namespace), r.Settings.Target.Name)
	}
	return s
}

// subjectsOf returns the release, and the Kustomizations that fail with it: the one that
// applies it if that waits for it, and so on outwards.
// Source: checkHealth in kustomize-controller, whose events are of severity error and
// begin so.
func subjectsOf(r *Release) []alert.Subject {
	all := []alert.Subject{subjectOf(r)}
	for _, k := range r.chain {
		if k.Folder || !waitsFor(k, all[len(all)-1]) {
			break
		}
		obj := resource.Readable(k.Object)
		all = append(all, alert.Subject{
			Kind: "Kustomization", Namespace: object.Namespace(obj), Name: object.Name(obj), Labels: alert.Labels(obj), Message: "health check failed after ",
		})
	}
	return all
}

// waitsFor reports whether a Kustomization fails if an object that it applies does. What
// is not known may say so.
func waitsFor(k *entries.Kustomization, s alert.Subject) bool {
	wait, set := object.At(k.Object, "spec", "wait").(bool)
	if wait || !set && object.At(k.Object, "spec", "wait") != nil {
		return true
	}
	checks, _ := object.At(k.Object, "spec", "healthChecks").([]any)
	return slices.ContainsFunc(checks, func(check any) bool {
		namespace := variables.Unmark(object.String(check, "namespace"))
		return object.String(check, "kind") == s.Kind && variables.Unmark(object.String(check, "name")) == s.Name && (namespace == "" || namespace == s.Namespace)
	})
}
