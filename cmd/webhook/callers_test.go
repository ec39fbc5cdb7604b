package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCallers calls with no certificate, with one of another authority, of the right
// one with another name, and with the right one.
func TestCallers(t *testing.T) {
	ours, err := newAuthority()
	if err != nil {
		t.Fatal(err)
	}
	other, err := newAuthority()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(file, ours.pem(), 0o600); err != nil {
		t.Fatal(err)
	}
	i := ours.start(t, "--client-ca="+file)
	for _, c := range []struct {
		name   string
		certs  []tls.Certificate
		served bool
	}{
		{"none", nil, false},
		{"of another authority", []tls.Certificate{other.clientCertificate(t, "kube-apiserver")}, false},
		{"with another name", []tls.Certificate{ours.clientCertificate(t, "system:node:a")}, false},
		{"the API server's", []tls.Certificate{ours.clientCertificate(t, "kube-apiserver")}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := ours.client()
			client.Transport.(*http.Transport).TLSClientConfig.Certificates = c.certs
			_, err := i.send(client, "/validate/production", request(helmRelease("app", retried), nil))
			if (err == nil) != c.served {
				t.Error(err)
			}
		})
	}
}

// TestAbandoned holds that a request whose caller is gone is no failure.
func TestAbandoned(t *testing.T) {
	body, err := json.Marshal(request(helmRelease("app", retried), nil))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"while it waits": string(body), "while it is read": string(body[:40])} {
		t.Run(name, func(t *testing.T) {
			h := newHandler(t)
			if err := h.places.Acquire(t.Context(), h.maxConcurrent); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/validate/production", strings.NewReader(text))
			r.Header.Set("Content-Type", "application/json")
			h.ServeHTTP(httptest.NewRecorder(), r)
			if got := gathered(t, h.metrics, "remedy_webhook_abandoned_total"); got != 1 {
				t.Errorf("%v abandoned", got)
			}
			if got := gathered(t, h.metrics, "remedy_webhook_failures_total"); got > 0 {
				t.Errorf("%v failures", got)
			}
		})
	}
}
