package main

import (
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestDeadline checks that a request which cannot be judged in time is answered
// with an error: when all slots are in use, and after the time that the API server
// waits or that the flag allows.
func TestDeadline(t *testing.T) {
	body, err := json.Marshal(request(helmRelease("app", retried), nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, query string
		timeout     time.Duration
		full        bool
		code        []int
		says        string
	}{
		{"no place becomes free", "", 20 * time.Millisecond, true, []int{503}, "none of 1 places"},
		{"no place while the API server waits", "?timeout=20ms", 20 * time.Second, true, []int{503}, "none of 1 places"},
		{"the flag's time is over", "", time.Nanosecond, false, []int{503, 504}, ""},
		{"the API server's time is over", "?timeout=1ns", 20 * time.Second, false, []int{503, 504}, ""},
		{"there is time", "?timeout=10s", 20 * time.Second, false, []int{200}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHandler(t)
			h.timeout, h.limits = c.timeout, newLimits(1<<20, 1)
			if c.full {
				if err := h.places.Acquire(t.Context(), 1); err != nil {
					t.Fatal(err)
				}
			}
			r := httptest.NewRequest(http.MethodPost, "/validate/production"+c.query, strings.NewReader(string(body)))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			start := time.Now()
			h.ServeHTTP(w, r)
			if took := time.Since(start); took > 15*time.Second { // less than the time that it does not wait for
				t.Errorf("took %s", took)
			}
			found := false
			for _, code := range c.code {
				found = found || w.Code == code
			}
			if !found || !strings.Contains(w.Body.String(), c.says) {
				t.Errorf("%d %s, want %v %q", w.Code, w.Body, c.code, c.says)
			}
			if w.Code == http.StatusOK {
				return
			}
			status := metav1.Status{}
			if err := json.Unmarshal(w.Body.Bytes(), &status); err != nil || status.Status != metav1.StatusFailure {
				t.Errorf("no Status: %s", w.Body)
			}
		})
	}
}

const slowRule = `# METADATA
# title: A rule that takes long
# description: It counts far.
# custom:
#   severity: {production: error, staging: error, development: error}
package remedy.rules.api.slow

report contains {"path": ["spec"], "message": "never"} if {
	some i in numbers.range(1, 10000)
	some j in numbers.range(1, 10000)
	i * j < 0
}
`

// TestSlowRule checks that a running rule is stopped when the time is over.
func TestSlowRule(t *testing.T) {
	dir := t.TempDir()
	mount(t, dir, map[string]string{"rules/api/slow/slow.rego": slowRule})
	p, err := sources{rules: dir}.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := newHandler(t)
	h.ruleset, h.timeout = func() *ruleset { return p }, 200*time.Millisecond
	body, err := json.Marshal(request(helmRelease("app", retried), nil))
	if err != nil {
		t.Fatal(err)
	}
	start := processorTime()
	code, answer := post(h, body)
	if took := processorTime() - start; code != http.StatusGatewayTimeout || took > 10*time.Second {
		t.Errorf("%d after %s: %s", code, took, answer)
	}
}

// TestManagement requests everything on the management address.
func TestManagement(t *testing.T) {
	plain, _ := alone(t)
	open, _ := alone(t, "--pprof")
	for _, c := range []struct {
		i    *instance
		path string
		code int
	}{
		{plain, "/healthz", 200},
		{plain, "/readyz", 200},
		{plain, "/metrics", 200},
		{plain, "/debug/pprof/", 404},
		{plain, "/validate/production", 404},
		{open, "/debug/pprof/", 200},
	} {
		if text, code := c.i.get(c.path); code != c.code {
			t.Errorf("%s: %d, want %d: %s", c.path, code, c.code, text)
		}
	}
}

// TestLog checks that the log is JSON, contains each decision and never quotes an
// object.
func TestLog(t *testing.T) {
	i, client := alone(t, "--log-level=debug")
	object := helmRelease("app", bad)
	object.Object["spec"].(map[string]any)["values"] = map[string]any{"password": "correct-horse"}
	if _, err := i.send(client, "/validate/production", request(object, nil)); err != nil {
		t.Fatal(err)
	}
	broken := request(object, nil)
	broken.Request.Object.Raw = []byte(`{"apiVersion":"v1","kind":"Secret","data":{"a":"correct-horse"}}`)
	if _, err := i.send(client, "/validate/production", broken); err == nil {
		t.Error("a Secret was decided")
	}
	i.terminate()
	i.awaitEnd()
	log := i.log.String()
	if strings.Contains(log, "correct-horse") || strings.Contains(log, "password") {
		t.Errorf("the log quotes an object:\n%s", log)
	}
	if !strings.Contains(log, `"denied":"no-recovery"`) {
		t.Errorf("the log does not name the rule:\n%s", log)
	}
	for line := range strings.Lines(log) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
}

func TestHTTP2(t *testing.T) {
	i, client := alone(t, "--http2")
	if got := negotiated(t, i, offering(client)).NegotiatedProtocol; got != "h2" {
		t.Errorf("negotiated %q", got)
	}
}

// TestConnectionBound holds more connections than are served: one more waits
// until another has ended.
func TestConnectionBound(t *testing.T) {
	i, client := alone(t, "--max-connections=2", "--header-timeout=20s")
	config := client.Transport.(*http.Transport).TLSClientConfig
	open := func(wait time.Duration) (*tls.Conn, error) {
		return tls.DialWithDialer(&net.Dialer{Timeout: wait}, "tcp", i.admission, config)
	}
	var held []*tls.Conn
	for range 2 {
		conn, err := open(10 * time.Second)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		held = append(held, conn)
	}
	if conn, err := open(500 * time.Millisecond); err == nil {
		conn.Close()
		t.Fatal("a third connection is served")
	}
	held[0].Close()
	conn, err := open(10 * time.Second)
	if err != nil {
		t.Fatal("after the first has ended:", err)
	}
	conn.Close()
}
