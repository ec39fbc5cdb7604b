package main

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	admissionv1 "k8s.io/api/admission/v1"
	crmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// metrics are those of the program. docs/webhook-operations.md lists names and labels, and
// alerts rely on them.
type metrics struct {
	registry *prometheus.Registry

	requests *prometheus.CounterVec   // by tier, operation and decision
	failures *prometheus.CounterVec   // by HTTP code: requests without a decision
	duration *prometheus.HistogramVec // seconds, by tier
	findings *prometheus.CounterVec   // by rule and mode
	// exempted counts requests that the configuration lets pass unjudged.
	exempted prometheus.Counter
	panics   prometheus.Counter
	// unknown counts decisions, by tier.
	unknown *prometheus.CounterVec
	// abandoned counts requests that the caller gave up, neither decisions nor failures.
	abandoned prometheus.Counter
	serving   prometheus.Gauge

	ruleset    *prometheus.GaugeVec // 1 for the current digests
	reloads    *prometheus.CounterVec
	reloadGood prometheus.Gauge
	certExpiry prometheus.Gauge
	// signed is when the signature of the bundle ends, 0 if it does not.
	signed prometheus.Gauge
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
		unknown: counter("unknown_total", "Decisions on releases with an API version, or with a field or value of the failure settings, that this program does not know.", "tier"),
		ruleset: gauge("policy_info", "What is in force: the digest of all that decides a verdict, those of the files, the bundle and the program.", "digest", "config", "rules", "bundle", "version"),
		reloads: counter("reloads_total", "Loads of configuration and rules.", "result"),
	}
	panics, serving := counter("panics_total", "Panics while judging."), gauge("requests_in_flight", "Requests being judged.")
	exempted := counter("exempted_total", "Requests that spec.admission.exempt let pass unjudged.")
	abandoned := counter("abandoned_total", "Requests whose caller gave up before the answer.")
	reloadGood := gauge("reload_successful", "1 if the newest configuration and rules are in force, 0 if older ones are.")
	certExpiry := gauge("certificate_expiry_timestamp_seconds", "End of the serving certificate's validity.")
	signed := gauge("bundle_expiry_timestamp_seconds", "End of the signature of the bundle in force, 0 if it does not end.")
	m.registry.MustRegister(signed, m.requests, m.failures, m.duration, m.findings, m.unknown, m.ruleset, m.reloads,
		panics, exempted, abandoned, serving, reloadGood, certExpiry)
	m.panics, m.serving = panics.WithLabelValues(), serving.WithLabelValues()
	m.exempted, m.abandoned = exempted.WithLabelValues(), abandoned.WithLabelValues()
	m.reloadGood, m.certExpiry = reloadGood.WithLabelValues(), certExpiry.WithLabelValues()
	m.signed = signed.WithLabelValues()
	m.begin()
	return m
}

// begin makes the series that alerts look at, which are 0 until something happens: without
// them the first event is no increase.
func (m *metrics) begin() {
	for _, tier := range release.Tiers {
		m.unknown.WithLabelValues(string(tier))
		for _, operation := range []admissionv1.Operation{admissionv1.Create, admissionv1.Update} {
			for _, outcome := range []admission.Outcome{admission.Exempt, admission.Allowed, admission.Warned, admission.Denied} {
				m.requests.WithLabelValues(string(tier), string(operation), string(outcome))
			}
		}
	}
	for _, code := range failureCodes {
		m.failures.WithLabelValues(strconv.Itoa(code))
	}
	for _, result := range []string{"ok", "failed"} {
		m.reloads.WithLabelValues(result)
	}
}

// failureCodes are those of the answers without a decision.
var failureCodes = []int{
	http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
	http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusInternalServerError,
	http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// handler serves them together with controller-runtime's metrics of webhooks,
// the process and Go.
func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(prometheus.Gatherers{m.registry, crmetrics.Registry}, promhttp.HandlerOpts{})
}

// reloaded counts a load of the ruleset; nil means that it failed.
func (m *metrics) reloaded(r *ruleset) {
	if r == nil {
		m.reloads.WithLabelValues("failed").Inc()
		m.reloadGood.Set(0)
		return
	}
	m.reloads.WithLabelValues("ok").Inc()
	m.reloadGood.Set(1)
	m.signed.Set(0)
	if !r.until.IsZero() {
		m.signed.Set(float64(r.until.Unix()))
	}
	m.ruleset.Reset()
	m.ruleset.WithLabelValues(r.InForce.Digest.String(), r.digests.config, r.digests.rules, r.InForce.Bundle, version).Set(1)
}

func (m *metrics) decided(d *admission.Decision, took time.Duration) {
	tier := string(d.Tier)
	m.requests.WithLabelValues(tier, string(d.Operation()), string(d.Outcome)).Inc()
	m.duration.WithLabelValues(tier).Observe(took.Seconds())
	if d.Exempted {
		m.exempted.Inc()
	}
	if len(d.Unknown) > 0 {
		m.unknown.WithLabelValues(tier).Inc()
	}
	m.found("denied", d.Denied)
	m.found("warned", d.Warned)
	m.found("inherited", d.Inherited)
	m.found("waived", d.Waived)
}

func (m *metrics) found(mode string, findings []rules.Finding) {
	for _, finding := range findings {
		m.findings.WithLabelValues(finding.Rule, mode).Inc()
	}
}
