package main

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	crmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// metrics are what the program tells of itself. Names and labels are listed in
// docs/webhook.md, where alerts rely on them.
type metrics struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec   // by tier, operation and decision
	failures *prometheus.CounterVec   // by HTTP code: requests that got no decision
	duration *prometheus.HistogramVec // seconds, by tier
	findings *prometheus.CounterVec   // by rule and what was done about it
	panics   prometheus.Counter
	serving  prometheus.Gauge

	policy     *prometheus.GaugeVec // 1 for the digests in force
	reloads    *prometheus.CounterVec
	reloadGood prometheus.Gauge
	certExpiry prometheus.Gauge
}

func newMetrics() *metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "remedy_webhook", Name: name, Help: help}, labels)
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "remedy_webhook", Name: name, Help: help}, labels)
	}
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: counter("requests_total", "Decisions.", "tier", "operation", "decision"),
		failures: counter("failures_total", "Requests that were answered with an HTTP error, so that failurePolicy decides.", "code"),
		findings: counter("findings_total", "Findings by what was done about them: denied, warned, inherited or waived.", "rule", "mode"),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Namespace: "remedy_webhook", Name: "request_duration_seconds", Help: "Time from the header to the answer.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
		}, []string{"tier"}),
		policy:  gauge("policy_info", "The digests of the configuration and the rules in force.", "config", "rules"),
		reloads: counter("reloads_total", "Loads of configuration and rules.", "result"),
	}
	panics, serving := counter("panics_total", "Panics while judging."), gauge("requests_in_flight", "Requests being read and judged.")
	reloadGood := gauge("reload_successful", "1 if the newest configuration and rules are in force, 0 if older ones are.")
	certExpiry := gauge("certificate_expiry_timestamp_seconds", "End of the serving certificate's validity.")
	m.registry.MustRegister(m.requests, m.failures, m.duration, m.findings, m.policy, m.reloads,
		panics, serving, reloadGood, certExpiry)
	m.panics, m.serving = panics.WithLabelValues(), serving.WithLabelValues()
	m.reloadGood, m.certExpiry = reloadGood.WithLabelValues(), certExpiry.WithLabelValues()
	return m
}

// handler serves them beside those that controller-runtime has of webhooks, of
// the process and of Go.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(prometheus.Gatherers{m.registry, crmetrics.Registry}, promhttp.HandlerOpts{})
}

// reloaded counts a load of a ruleset; nil is one that failed.
func (m *metrics) reloaded(p *ruleset) {
	if p == nil {
		m.reloads.WithLabelValues("failed").Inc()
		m.reloadGood.Set(0)
		return
	}
	m.reloads.WithLabelValues("ok").Inc()
	m.reloadGood.Set(1)
	m.policy.Reset()
	m.policy.WithLabelValues(p.digests.config, p.digests.rules).Set(1)
}

// decided counts a decision and its findings.
func (m *metrics) decided(d *decision, took time.Duration) {
	tier := string(d.tier)
	m.requests.WithLabelValues(tier, string(d.operation), string(d.outcome)).Inc()
	m.duration.WithLabelValues(tier).Observe(took.Seconds())
	for mode, findings := range map[string][]rules.Finding{
		"denied": d.denied, "warned": d.warned, "inherited": d.inherited, "waived": d.waived,
	} {
		for _, finding := range findings {
			m.findings.WithLabelValues(finding.Rule, mode).Inc()
		}
	}
}

// certificate notes when the certificate that is served ends.
func (m *metrics) certificate(cert *tls.Certificate) {
	if leaf, err := x509.ParseCertificate(cert.Certificate[0]); err == nil {
		m.certExpiry.Set(float64(leaf.NotAfter.Unix()))
	}
}
