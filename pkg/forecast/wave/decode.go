package wave

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
)

// On is a dependency of a Kustomization.
type On struct {
	Name string // namespace/name
	// Expressed: an expression decides whether it is ready.
	Expressed bool
}

// Decode returns a Kustomization with the defaults of its API, and what it depends on. Its health checks are
// by Kind/namespace/name.
func Decode(object map[string]any) (Kustomization, []On, error) {
	meta, _ := object["metadata"].(map[string]any)
	namespace, _ := meta["namespace"].(string)
	name, _ := meta["name"].(string)
	out := Kustomization{Name: namespace + "/" + name, Object: object}
	spec := map[string]any{}
	written, _ := object["spec"].(map[string]any)
	for _, key := range []string{"interval", "retryInterval", "timeout", "wait", "suspend", "sourceRef", "healthChecks", "healthCheckExprs", "dependsOn"} {
		if value, set := written[key]; set {
			spec[key] = value
		}
	}
	text, err := json.Marshal(map[string]any{"spec": spec})
	if err != nil {
		return out, nil, err
	}
	var typed kustomizev1.Kustomization
	if err := json.Unmarshal(text, &typed); err != nil {
		return out, nil, fmt.Errorf("its spec cannot be read: %w", err)
	}
	ref := typed.Spec.SourceRef
	out.Source = strings.Join([]string{ref.Kind, cmp.Or(ref.Namespace, namespace), ref.Name}, "/")
	out.Interval.Duration, out.Retry.Duration, out.Timeout.Duration = typed.GetRequeueAfter(), typed.GetRetryInterval(), typed.GetTimeout()
	out.Wait, out.Suspend = typed.Spec.Wait, typed.Spec.Suspend
	out.RetryField, out.TimeoutField = "interval", "interval"
	if typed.Spec.Timeout != nil {
		out.TimeoutField = "timeout"
	}
	if typed.Spec.RetryInterval != nil {
		out.RetryField = "retryInterval"
	}
	out.Named = len(typed.Spec.HealthChecks) > 0
	for _, check := range typed.Spec.HealthChecks {
		out.Checks = append(out.Checks, check.Kind+"/"+cmp.Or(check.Namespace, namespace)+"/"+check.Name)
	}
	for _, check := range typed.Spec.HealthCheckExprs {
		group, _, _ := strings.Cut(check.APIVersion, "/")
		kind := map[string]string{helmv2.GroupVersion.Group: helmv2.HelmReleaseKind, kustomizev1.GroupVersion.Group: kustomizev1.KustomizationKind}[group]
		if kind != "" && cmp.Or(check.Kind, kind) == kind { // without a kind all of the group
			out.Expressed = append(out.Expressed, kind)
		}
	}
	var on []On
	for _, d := range typed.Spec.DependsOn {
		on = append(on, On{cmp.Or(d.Namespace, namespace) + "/" + d.Name, d.ReadyExpr != ""})
	}
	return out, on, nil
}

// DecodeRelease returns the interval of a HelmRelease, zero if it is not known, and what it depends on.
func DecodeRelease(object map[string]any) (interval time.Duration, depends []On, err error) {
	meta, _ := object["metadata"].(map[string]any)
	namespace, _ := meta["namespace"].(string)
	spec, _ := object["spec"].(map[string]any)
	if text, is := spec["interval"].(string); is {
		interval, _ = time.ParseDuration(text)
	}
	text, err := json.Marshal(spec["dependsOn"])
	if err != nil {
		return interval, nil, err
	}
	var on []helmv2.DependencyReference
	if err := json.Unmarshal(text, &on); err != nil {
		return interval, nil, fmt.Errorf("its dependsOn cannot be read: %w", err)
	}
	for _, d := range on {
		depends = append(depends, On{cmp.Or(d.Namespace, namespace) + "/" + d.Name, d.ReadyExpr != ""})
	}
	return interval, depends, nil
}
