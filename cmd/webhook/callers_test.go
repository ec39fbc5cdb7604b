package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
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

// introduce configures an API server to show a client certificate to webhooks, as docs/webhook-operations.md
// says. It returns the folder of the certificate.
func (a *authority) introduce(server *envtest.APIServer) (dir string, err error) {
	if dir, err = os.MkdirTemp("", "remedy-identity"); err != nil {
		return "", err
	}
	cert, key, _, err := a.make(client("kube-apiserver"))
	if err != nil {
		return dir, err
	}
	kubeconfig, config := filepath.Join(dir, "kubeconfig"), filepath.Join(dir, "admission.yaml")
	server.Configure().Set("admission-control-config-file", config)
	err = clientcmd.WriteToFile(clientcmdapi.Config{
		AuthInfos: map[string]*clientcmdapi.AuthInfo{"*": {ClientCertificateData: cert, ClientKeyData: key}},
	}, kubeconfig)
	return dir, errors.Join(err, os.WriteFile(config, fmt.Appendf(nil, `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: ValidatingAdmissionWebhook
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: WebhookAdmissionConfiguration
    kubeConfigFile: %s
`, kubeconfig), 0o600))
}

// TestCallsOfTheServer has the API server call a webhook that wants its certificate, and one
// that wants that of somebody else.
func TestCallsOfTheServer(t *testing.T) {
	c := needCluster(t)
	file := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(file, c.ca.pem(), 0o600); err != nil {
		t.Fatal(err)
	}
	i := c.ca.start(t, "--client-ca="+file)
	c.service.to(i.admission)
	c.register(t, "fail-closed")
	u := c.user(t)
	releases := u.releases(u.namespace("production"))
	_, err := releases.Create(t.Context(), helmRelease("app", bad), metav1.CreateOptions{})
	wantDenied(t, err, "no-recovery")
	if _, err := releases.Create(t.Context(), helmRelease("good", retried), metav1.CreateOptions{}); err != nil {
		t.Error(err)
	}
	other := c.ca.start(t, "--client-ca="+file, "--client-name=somebody-else")
	c.service.to(other.admission)
	c.service.cut()
	if _, err := releases.Create(t.Context(), helmRelease("other", retried), metav1.CreateOptions{}); err == nil || !strings.Contains(err.Error(), "failed calling webhook") {
		t.Errorf("admitted by a webhook for somebody else: %v", err)
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
