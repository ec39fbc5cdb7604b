package main

import (
	"cmp"
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
// configuration maps namespaces to tiers.
func (w *webhook) admissionMux() *http.ServeMux {
	mux := http.NewServeMux()
	server := crwebhook.NewServer(crwebhook.Options{WebhookMux: mux})
	limits := newLimits(w.maxBody, w.maxConcurrent)
	add := func(path string, tier func(*ruleset, string) release.Tier) {
		server.Register(path, &handler{
			ruleset: w.store.current.Load, tier: tier, now: time.Now, metrics: w.metrics, log: w.log,
			limits: limits, timeout: w.timeout,
		})
	}
	for _, tier := range release.Tiers {
		add("/validate/"+string(tier), func(*ruleset, string) release.Tier { return tier })
	}
	add("/validate", w.configuredTier)
	return mux
}

// configuredTier returns the tier on /validate. Only the operator's word counts:
// whoever may write a release must not choose its tier, so that neither the
// object nor its names are evidence.
func (w *webhook) configuredTier(r *ruleset, namespace string) release.Tier {
	configured, _ := r.config.TierOf(rules.Place{Namespace: namespace})
	tier, _ := release.TierOf(release.Evidence{
		Configured: configured, Default: cmp.Or(w.tier, r.config.DefaultTier()),
	})
	return tier
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

// ready returns why the webhook cannot serve. The rules are loaded before it
// listens.
func (w *webhook) ready() error {
	if w.leaving.Load() {
		return errors.New("leaving")
	}
	return w.cert.valid(time.Now())
}
