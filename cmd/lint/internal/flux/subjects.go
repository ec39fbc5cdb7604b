package flux

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/alert"
)

// subject returns the release as Alerts see it. Its message begins as fmtUpgradeFailure of
// helm-controller does.
func (r *Release) subject() alert.Subject {
	s := alert.Subject{Kind: "HelmRelease", Namespace: r.Namespace, Name: r.Name, Labels: alert.Labels(r.Object)}
	if r.Settings != nil {
		s.Message = fmt.Sprintf("Helm upgrade failed for release %s/%s with chart ", cmp.Or(object.String(r.Object, "spec", "targetNamespace"), r.Namespace), r.Settings.Target.Name)
	}
	return s
}

// subjects returns the release, and the Kustomizations that fail with it: the one that
// applies it if that waits for it, and so on outwards.
// Source: checkHealth in kustomize-controller, whose events are of severity error.
func (r *Release) subjects() []alert.Subject {
	all := []alert.Subject{r.subject()}
	for _, k := range r.origins.chain {
		if k.Folder || !waitsFor(k, all[len(all)-1]) {
			break
		}
		obj := plain(k.Object)
		all = append(all, alert.Subject{Kind: "Kustomization", Namespace: object.Namespace(obj), Name: object.Name(obj), Labels: alert.Labels(obj)})
	}
	return all
}

// waitsFor reports whether a Kustomization fails if an object that it applies does. What
// is not known may say so.
func waitsFor(k *fleet.Kustomization, s alert.Subject) bool {
	wait, set := object.At(k.Object, "spec", "wait").(bool)
	if wait || !set && object.At(k.Object, "spec", "wait") != nil {
		return true
	}
	checks, _ := object.At(k.Object, "spec", "healthChecks").([]any)
	return slices.ContainsFunc(checks, func(check any) bool {
		namespace := build.Unmark(object.String(check, "namespace"))
		return object.String(check, "kind") == s.Kind && build.Unmark(object.String(check, "name")) == s.Name && (namespace == "" || namespace == s.Namespace)
	})
}

// alertsOnMetrics reports whether a manifest of the tree alerts on the metrics of Flux: a
// rule for Prometheus, or values of a chart that has some.
func (l *loader) alertsOnMetrics() bool {
	files := l.in.Files
	return slices.ContainsFunc(files.Paths(), func(name string) bool {
		if !build.IsManifest(name) {
			return false
		}
		data, err := files.File(name).Data()
		return err == nil && bytes.Contains(data, []byte("expr:")) &&
			slices.ContainsFunc(fluxMetrics, func(metric string) bool { return bytes.Contains(data, []byte(metric)) })
	})
}

// fluxMetrics begin the names of metrics that say whether an object of Flux is ready.
// Source: the monitoring pages of Flux and flux-operator.
var fluxMetrics = []string{"gotk_resource_info", "gotk_reconcile_condition", "flux_resource_info"}
