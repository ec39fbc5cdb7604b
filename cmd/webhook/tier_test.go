package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// served returns a function that sends reviews to a webhook with a configuration and
// flags, in this process.
func served(t *testing.T, rulesOf *ruleset, spec string, flags ...string) func(path string, review *admissionv1.AdmissionReview) *admissionv1.AdmissionResponse {
	t.Helper()
	o, err := parseOptions(flags, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	config, err := rules.ParseConfig([]byte(header + spec))
	if err != nil {
		t.Fatal(err)
	}
	engine, err := rulesOf.Engine.Under(config)
	if err != nil {
		t.Fatal(err)
	}
	w := &webhook{options: o, log: slog.New(slog.DiscardHandler), metrics: newMetrics(), store: &store{}}
	w.timeout = 10 * time.Second
	w.store.current.Store(&ruleset{Judge: &admission.Judge{Engine: engine, Config: config, Cluster: o.cluster}})
	mux := w.admissionMux()
	return func(path string, review *admissionv1.AdmissionReview) *admissionv1.AdmissionResponse {
		body, err := json.Marshal(review)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		mux.ServeHTTP(answer, r)
		out := admissionv1.AdmissionReview{}
		if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil || out.Response == nil {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
		return out.Response
	}
}

// TestTier sends reviews to each path, of releases that are marked and not.
func TestTier(t *testing.T) {
	base := newRules(t)
	const spec = "spec: {defaultTier: development, tiers: [{tier: production, namespaces: [shop-*]}, {tier: staging, clusters: [eu-*]}], tierMarkers: "
	for name, c := range map[string]struct {
		markers, flag         string
		path, namespace, mark string
		want, says            string
	}{
		"configured":             {"raise", "", "/validate", "shop-eu", "", "production", ""},
		"the default":            {"raise", "", "/validate", "tools", "", "development", ""},
		"a flag, configured":     {"raise", "--tier=staging", "/validate", "shop-eu", "", "production", ""},
		"a flag":                 {"raise", "--tier=staging", "/validate", "tools", "", "staging", ""},
		"the cluster's":          {"raise", "--cluster=eu-1", "/validate", "tools", "", "staging", ""},
		"another cluster's":      {"raise", "--cluster=us-1", "/validate", "tools", "", "development", ""},
		"the path's":             {"raise", "--cluster=eu-1", "/validate/production", "tools", "", "production", ""},
		"marked, raises":         {"raise", "", "/validate", "tools", "production", "production", ""},
		"marked, raises a path":  {"raise", "", "/validate/staging", "tools", "production", "production", ""},
		"marked, does not lower": {"raise", "", "/validate/production", "tools", "staging", "production", "asks for staging, the tier stays production: spec.tierMarkers"},
		"marked, forbidden":      {"forbid", "", "/validate/staging", "tools", "production", "staging", "asks for production, the tier stays staging: spec.tierMarkers"},
		"marked, allowed":        {"allow", "", "/validate/production", "tools", "staging", "staging", ""},
		"marked with a typo":     {"raise", "", "/validate/staging", "tools", "prodution", "production", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var flags []string
			if c.flag != "" {
				flags = append(flags, c.flag)
			}
			object := helmRelease("app", bad)
			object.SetNamespace(c.namespace)
			if c.mark != "" {
				object.SetAnnotations(map[string]string{release.TierKey: c.mark})
			}
			answer := served(t, base, spec+c.markers+"}\n", flags...)(c.path, request(object, nil))
			if got := answer.AuditAnnotations["tier"]; got != c.want {
				t.Errorf("judged as %s, want %s", got, c.want)
			}
			if warned := strings.Join(answer.Warnings, "\n"); !strings.Contains(warned, c.says) {
				t.Errorf("warnings %q do not say %q", warned, c.says)
			}
		})
	}
}

// TestControllerOfCluster checks that spec.controller.overrides match --cluster.
func TestControllerOfCluster(t *testing.T) {
	base := newRules(t)
	for cluster, want := range map[string]string{"old": "no-recovery", "new": ""} {
		send := served(t, base, "spec: {controller: {gates: {DefaultToRetryOnFailure: true}, overrides: [{clusters: [old], gates: {DefaultToRetryOnFailure: false}}]}}\n", "--cluster="+cluster)
		answer := send("/validate/production", request(helmRelease("app", bad), nil))
		if got := answer.AuditAnnotations["denied"]; got != want {
			t.Errorf("%s: denied for %q, want %q", cluster, got, want)
		}
	}
}
