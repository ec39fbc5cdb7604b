package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/pprof"
	"time"

	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// admissionMux serves /validate/<tier> for each tier, and /validate, where the
// configuration says which tier a namespace is.
func (w *webhook) admissionMux() *http.ServeMux {
	mux := http.NewServeMux()
	server := crwebhook.NewServer(crwebhook.Options{WebhookMux: mux})
	slots := make(chan struct{}, w.maxConcurrent)
	add := func(path string, tier func(*ruleset, string) release.Tier) {
		server.Register(path, &handler{
			ruleset: w.store.current.Load, tier: tier, now: time.Now, metrics: w.metrics, log: w.log,
			slots: slots, maxBody: w.maxBody, timeout: w.timeout,
		})
	}
	for _, tier := range release.Tiers {
		add("/validate/"+string(tier), func(*ruleset, string) release.Tier { return tier })
	}
	add("/validate", w.configuredTier)
	return mux
}

func (w *webhook) configuredTier(p *ruleset, namespace string) release.Tier {
	if tier, ok := p.config.TierOf(rules.Place{Namespace: namespace}); ok {
		return tier
	}
	if w.tier != "" {
		return w.tier
	}
	return p.config.DefaultTier()
}

func (w *webhook) managementMux() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, "ok\n") })
	mux.HandleFunc("/readyz", func(rw http.ResponseWriter, _ *http.Request) {
		if err := w.ready(); err != nil {
			http.Error(rw, err.Error(), http.StatusServiceUnavailable)
			return
		}
		_, _ = io.WriteString(rw, "ok\n")
	})
	mux.Handle("/metrics", w.metrics.handler())
	if w.pprof {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	}
	return mux
}

// ready tells what keeps the webhook from serving. The policies are loaded
// since before it listens.
func (w *webhook) ready() error {
	if w.leaving.Load() {
		return errors.New("leaving")
	}
	return w.cert.valid(time.Now())
}
