package main

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// store holds the ruleset in force: the newest one that could be loaded.
type store struct {
	sources sources
	metrics *metrics
	log     *slog.Logger
	current atomic.Pointer[ruleset]
}

// openStore loads the first ruleset; there is none to fall back on yet.
func openStore(ctx context.Context, s sources, m *metrics, log *slog.Logger) (*store, error) {
	store := &store{sources: s, metrics: m, log: log}
	return store, store.load(ctx)
}

// watch looks for changed content until ctx ends. It looks at the content, as
// often as every says: a change arrives however the files were replaced.
func (s *store) watch(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	seen := s.current.Load().digests
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			seen = s.look(ctx, seen)
		}
	}
}

// look loads the sources if they are not as seen and returns what it saw. What
// cannot be loaded is reported once and leaves the ruleset in force.
func (s *store) look(ctx context.Context, seen digests) digests {
	found, err := s.sources.digests()
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
	loaded, err := s.sources.load(ctx)
	if err != nil {
		return err
	}
	s.current.Store(loaded)
	s.metrics.reloaded(loaded)
	for _, note := range loaded.engine.Notes() {
		s.log.Warn("the configuration names what has another name now", "note", note)
	}
	s.log.Info("policy loaded", "config", loaded.digests.config, "rules", loaded.digests.rules, "count", len(loaded.engine.Rules()))
	return nil
}
