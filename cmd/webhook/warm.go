package main

import (
	"context"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission"
	"github.com/flux-remedy/remedy/pkg/release"
)

// maxWarm is how long rules that take long may delay the start, or a change of them.
const maxWarm = 2 * time.Second

// warm decides on releases like many others, so that the first review finds what is made
// once and what the rules say of the usual settings. What goes wrong is met again, and
// reported, by a review that it concerns.
func (p *ruleset) warm(ctx context.Context, now time.Time) {
	defer func() { _ = recover() }()
	ctx, cancel := context.WithTimeout(ctx, maxWarm)
	defer cancel()
	retry := map[string]any{"strategy": map[string]any{"name": "RetryOnFailure"}}
	for _, tier := range release.Tiers {
		for _, half := range []map[string]any{retry, nil} {
			_, _ = p.Decide(ctx, &admission.Review{Operation: admissionv1.Create, Object: usual(half)}, tier, now)
			_, _ = p.Decide(ctx, &admission.Review{Operation: admissionv1.Update, Object: usual(half), Old: usual(retry)}, tier, now)
		}
	}
}

// usual returns a release with settings of both halves.
func usual(half map[string]any) map[string]any {
	spec := map[string]any{
		"interval": "10m",
		"chart": map[string]any{"spec": map[string]any{
			"chart": "app", "version": "1.0.0", "sourceRef": map[string]any{"kind": "HelmRepository", "name": "charts"},
		}},
	}
	if half != nil {
		spec["install"], spec["upgrade"] = half, half
	}
	return map[string]any{
		"apiVersion": release.Group + "/" + release.Versions[0], "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": "apps"}, "spec": spec,
	}
}
