package main

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission"
	"github.com/flux-remedy/remedy/pkg/release"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/wait"
)

// store holds the current ruleset: the newest one that could be loaded.
type store struct {
	sources sources
	metrics *metrics
	log     *slog.Logger
	current atomic.Pointer[ruleset]
}

// openStore loads the first ruleset. Its error is final: there is no older one.
func openStore(ctx context.Context, s sources, m *metrics, log *slog.Logger) (*store, error) {
	store := &store{sources: s, metrics: m, log: log}
	return store, store.load(ctx)
}

// watch looks for changed content until ctx ends. It compares contents, at the
// given interval: a change is noticed however the files were replaced.
func (s *store) watch(ctx context.Context, every time.Duration) {
	seen := s.current.Load().digests
	wait.UntilWithContext(ctx, func(ctx context.Context) { seen = s.look(ctx, seen) }, every)
}

// look loads the sources if they differ from seen, and returns their digests.
// An error is reported once; the current ruleset stays.
func (s *store) look(ctx context.Context, seen digests) digests {
	var found digests
	in, err := s.sources.read()
	if err == nil {
		found, err = in.digests()
	}
	if err == nil && found == seen {
		return seen
	}
	if err == nil {
		err = s.load(ctx)
	}
	if err != nil && found != seen {
		s.metrics.reloaded(nil)
		s.log.Error("reload failed, the last good policy stays in force", "error", err)
	}
	return found
}

func (s *store) load(ctx context.Context) error {
	ruleset, err := s.sources.load(ctx)
	if err != nil {
		return err
	}
	s.current.Store(ruleset)
	s.metrics.reloaded(ruleset)
	for _, note := range ruleset.Engine.Notes() {
		s.log.Warn("the configuration uses a former name", "note", note)
	}
	s.log.Info("policy loaded", "digest", ruleset.InForce.Digest, "bundle", ruleset.InForce.Bundle, "config", ruleset.digests.config, "rules", ruleset.digests.rules, "count", len(ruleset.Engine.Rules()))
	return nil
}

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
