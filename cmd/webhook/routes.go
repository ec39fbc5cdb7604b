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
)

// admissionMux serves /validate/<tier> for each tier, and /validate, where the
// configuration maps namespaces to tiers.
func (w *webhook) admissionMux() *http.ServeMux {
	mux := http.NewServeMux()
	server := crwebhook.NewServer(crwebhook.Options{WebhookMux: mux})
	limits := newLimits(w.maxBody, w.maxConcurrent)
	add := func(path string, evidence func(*ruleset, string) release.Evidence) {
		server.Register(path, &handler{
			ruleset: w.store.current.Load, evidence: evidence, now: time.Now, metrics: w.metrics, log: w.log,
			limits: limits, timeout: w.timeout,
		})
	}
	for _, tier := range release.Tiers {
		add("/validate/"+string(tier), func(r *ruleset, _ string) release.Evidence {
			return release.Evidence{Configured: tier, Markers: r.Config.Spec.TierMarkers}
		})
	}
	add("/validate", w.configured)
	return mux
}

// configured returns what is known of the tier on /validate. Only the operator's word
// counts: whoever may write a release must not lower its tier, so that its names are no
// evidence.
func (w *webhook) configured(r *ruleset, namespace string) release.Evidence {
	e := r.Config.Evidence(release.Evidence{}, r.Place(namespace))
	e.Default = cmp.Or(w.tier, e.Default)
	return e
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
	if w.secure == "" {
		mux.Handle("/metrics", w.metrics.handler())
	}
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
