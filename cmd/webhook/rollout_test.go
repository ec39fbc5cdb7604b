package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// load sends requests without a pause until it is stopped.
type load struct {
	stop    atomic.Bool
	workers sync.WaitGroup
	done    atomic.Int64
	mu      sync.Mutex
	wrong   []error
}

// add starts a worker; its request gets a running number.
func (l *load) add(request func(n int) error) {
	l.workers.Go(func() {
		for n := 0; !l.stop.Load(); n++ {
			if err := request(n); err != nil {
				l.mu.Lock()
				l.wrong = append(l.wrong, err)
				l.mu.Unlock()
			}
			l.done.Add(1)
		}
	})
}

// during waits until n more requests have been answered.
func (l *load) during(t *testing.T, n int64) {
	t.Helper()
	goal := l.done.Load() + n
	eventually(t, "requests are answered", func() error {
		if done := l.done.Load(); done < goal {
			return fmt.Errorf("%d of %d", done, goal)
		}
		return nil
	})
}

// finish stops the load; not one request may have gone wrong.
func (l *load) finish(t *testing.T) {
	t.Helper()
	l.stop.Store(true)
	l.workers.Wait()
	t.Logf("%d requests, %d went wrong", l.done.Load(), len(l.wrong))
	if len(l.wrong) > 0 {
		t.Errorf("%d of %d requests went wrong, the first: %v", len(l.wrong), l.done.Load(), l.wrong[0])
	}
}

// creates returns requests that create good and bad releases as dry runs. Good
// ones must be admitted, and bad ones denied for their causes. With failurePolicy
// Fail, a request that is lost is neither.
func creates(t *testing.T, c *cluster) func(n int) error {
	u := c.user(t)
	releases := u.releases(u.namespace("production"))
	options := metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}
	return func(n int) error {
		if n%2 == 0 {
			_, err := releases.Create(t.Context(), helmRelease("good", retried), options)
			return err
		}
		_, err := releases.Create(t.Context(), helmRelease("bad", bad), options)
		if status := (*apierrors.StatusError)(nil); errors.As(err, &status) && apierrors.IsForbidden(err) && len(status.ErrStatus.Details.Causes) > 0 {
			return nil
		}
		return fmt.Errorf("bad release: %w", err)
	}
}

// TestRollout replaces two instances one after the other, as a Deployment with
// maxUnavailable 0 does, while requests keep coming.
func TestRollout(t *testing.T) {
	c, _, first := judged(t, "fail-closed")
	pair := []*instance{first, c.ca.start(t)}
	c.service.to(pair[0].admission, pair[1].admission)
	load := &load{}
	for range 4 {
		load.add(creates(t, c))
	}
	for n, old := range pair {
		load.during(t, 50)
		pair[n] = c.ca.start(t)
		c.service.to(pair[0].admission, pair[1].admission, old.admission)
		load.during(t, 50)
		old.terminate()
		eventually(t, "the old instance is unready", func() error {
			if _, code := old.get("/readyz"); code != http.StatusServiceUnavailable {
				return fmt.Errorf("readyz: %d", code)
			}
			return nil
		})
		c.service.to(pair[0].admission, pair[1].admission)
		old.awaitEnd()
		load.during(t, 50)
	}
	load.finish(t)
}

// TestCertificateReplacedUnderLoad sends requests through the API server, which
// keeps its connections, and on a new connection each, which sees every
// certificate.
func TestCertificateReplacedUnderLoad(t *testing.T) {
	c, _, i := judged(t, "fail-closed")
	load := &load{}
	load.add(creates(t, c))
	load.add(func(int) error {
		client := c.ca.client()
		defer client.CloseIdleConnections()
		_, err := i.send(client, "/validate/production", request(helmRelease("app", retried), nil))
		return err
	})
	for range 3 {
		serial := c.ca.issue(t, i.dir)
		eventually(t, "the new certificate is served", func() error {
			conn, err := tls.Dial("tcp", i.admission, &tls.Config{RootCAs: c.ca.pool()})
			if err != nil {
				return err
			}
			defer conn.Close()
			if got := conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64(); got != serial {
				return fmt.Errorf("serial number %d, want %d", got, serial)
			}
			return nil
		})
		load.during(t, 30)
	}
	load.finish(t)
}

// TestConfigurationsUnderLoad replaces the configuration again and again, by good ones
// that judge alike and by broken ones, while requests keep coming.
func TestConfigurationsUnderLoad(t *testing.T) {
	dir := t.TempDir()
	configs := []string{ // the reload of every second one fails
		header + "spec: {waivers: {maxDays: 30}}\n",
		header + "spec: {admission: {enforcement: {production: none}}}\n",
		header + "spec: {rules: {unlimited-history: {severity: info}}}\n",
		"spec: [\n",
	}
	mount(t, dir, map[string]string{".flux-remedy.yaml": header})
	c, _, i := judged(t, "fail-closed", "--config", filepath.Join(dir, ".flux-remedy.yaml"))
	load := &load{}
	for range 3 {
		load.add(creates(t, c))
	}
	for n := range 2 * len(configs) {
		mount(t, dir, map[string]string{".flux-remedy.yaml": configs[n%len(configs)]})
		i.want("remedy_webhook_reload_successful", []string{"1", "0"}[n%2])
		load.during(t, 10)
	}
	load.finish(t)
}
