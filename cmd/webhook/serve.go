package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"sync/atomic"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/go-logr/logr"
	"golang.org/x/net/netutil"
	"golang.org/x/sync/errgroup"
	crlog "sigs.k8s.io/controller-runtime/pkg/log"
	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"
)

// drain is how long running requests may take at shutdown.
const drain = 10 * time.Second

// webhook is the running program.
type webhook struct {
	*options
	log     *slog.Logger
	metrics *metrics
	store   *store
	callers *tls.Config // whose calls are answered
	cert    *certificate
	leaving atomic.Bool // after SIGTERM
}

func newLogger(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
}

// serve runs until ctx ends and then shuts down in order.
func serve(ctx context.Context, o *options, log *slog.Logger) error {
	crlog.SetLogger(logr.FromSlogHandler(log.Handler()))
	metrics := newMetrics()
	store, err := openStore(ctx, sources{config: o.config, rules: o.rules, cluster: o.cluster, bundle: o.bundle, keys: o.keys}, metrics, log)
	if err != nil {
		return err
	}
	callers, err := o.callers()
	if err != nil {
		return err
	}
	w := &webhook{options: o, log: log, metrics: metrics, store: store, callers: callers, cert: &certificate{metrics: metrics}}
	admission, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	management, err := net.Listen("tcp", o.manage)
	if err != nil {
		return errors.Join(err, admission.Close())
	}
	metering, err := w.meter()
	if err != nil {
		return errors.Join(err, admission.Close(), management.Close())
	}
	log.Info("listening", "admission", admission.Addr().String(), "management", management.Addr().String(), "metrics", metering.address())

	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { store.watch(ctx, o.reload); return nil })
	group.Go(func() error { return w.certify(ctx) })
	group.Go(func() error { return w.run(ctx, admission, management) })
	group.Go(func() error { return metering.serve(ctx) })
	return group.Wait()
}

// certify provides the certificate and its replacements until ctx ends.
func (w *webhook) certify(ctx context.Context) error {
	if w.selfSigned {
		cert, err := selfSigned(w.listen)
		if err != nil {
			return err
		}
		w.cert.set(cert)
		return nil
	}
	group, ctx := errgroup.WithContext(ctx)
	if w.rotate.on {
		group.Go(func() error { return w.rotate.run(ctx, w.certDir) })
	}
	group.Go(func() error { return w.cert.follow(ctx, w.certDir, w.reload, w.log) })
	return group.Wait()
}

// run serves both addresses. When ctx ends, the webhook becomes unready but
// serves until clients have noticed.
func (w *webhook) run(ctx context.Context, admission, management net.Listener) error {
	reviews := w.admissionServer()
	health := &http.Server{Handler: w.managementMux(), ReadHeaderTimeout: w.headerTimeout}
	group, broken := errgroup.WithContext(context.WithoutCancel(ctx))
	group.Go(func() error {
		return ended(reviews.ServeTLS(netutil.LimitListener(admission, w.maxConnections), "", ""))
	})
	group.Go(func() error { return ended(health.Serve(management)) })
	group.Go(func() error {
		select {
		case <-ctx.Done():
			w.leave(broken)
		case <-broken.Done():
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		defer cancel()
		return errors.Join(reviews.Shutdown(last), health.Close())
	})
	return group.Wait()
}

// leave makes the webhook unready and waits for the shutdown delay.
func (w *webhook) leave(broken context.Context) {
	w.leaving.Store(true)
	w.log.Info("leaving", "delay", w.shutdownDelay.String())
	delay, cancel := context.WithTimeout(broken, w.shutdownDelay)
	defer cancel()
	<-delay.Done()
}

func ended(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

func (w *webhook) admissionServer() *http.Server {
	protocols := &http.Protocols{}
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(w.http2)
	version := uint16(tls.VersionTLS13)
	if w.tls12 {
		version = tls.VersionTLS12
	}
	config := w.callers.Clone()
	config.MinVersion, config.GetCertificate = version, w.cert.get
	return &http.Server{
		Handler:           w.goodbye(w.admissionMux()),
		TLSConfig:         config,
		Protocols:         protocols,
		ReadHeaderTimeout: w.headerTimeout,
		ReadTimeout:       w.headerTimeout + w.timeout,
		WriteTimeout:      w.headerTimeout + 2*w.timeout,
		IdleTimeout:       w.idleTimeout,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          slog.NewLogLogger(w.log.Handler(), slog.LevelDebug),
	}
}

// goodbye asks clients to use another connection after SIGTERM. If the server
// closed the connection itself, a request on its way would be lost.
func (w *webhook) goodbye(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if w.leaving.Load() {
			rw.Header().Set("Connection", "close")
		}
		next.ServeHTTP(rw, r)
	})
}

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
