package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The benchmarks compare with a webhook that always allows, on the same server
// in the same run. docs/webhook-operations.md has the commands and the results.

// allowAll reads a review and admits.
func allowAll(w http.ResponseWriter, r *http.Request) {
	in := admissionv1.AdmissionReview{}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	writeJSON(w, http.StatusOK, &admissionv1.AdmissionReview{
		TypeMeta: in.TypeMeta, Response: &admissionv1.AdmissionResponse{UID: in.Request.UID, Allowed: true},
	})
}

// both serves the webhook, with allowAll on /allow, and returns the address.
func both(b *testing.B, ca *authority) string {
	b.Helper()
	o := &options{}
	if err := o.flags().Parse(nil); err != nil {
		b.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	m := newMetrics()
	s, err := openStore(b.Context(), sources{}, m, log)
	if err != nil {
		b.Fatal(err)
	}
	w := &webhook{options: o, log: log, metrics: m, store: s, callers: &tls.Config{}, cert: &certificate{metrics: m}}
	w.cert.set(ca.certificate(b))
	server := w.admissionServer()
	mux := w.admissionMux()
	mux.HandleFunc("/allow", allowAll)
	server.Handler = mux
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = server.ServeTLS(listener, "", "") }()
	b.Cleanup(func() { _ = server.Shutdown(context.Background()) })
	return listener.Addr().String()
}

// measure sends requests from a number of clients and reports how long they took.
func measure(b *testing.B, clients int, request func() error) {
	b.Helper()
	var mu sync.Mutex
	var took []time.Duration
	b.SetParallelism((clients + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		var mine []time.Duration
		for pb.Next() {
			start := time.Now()
			if err := request(); err != nil {
				b.Error(err)
				return
			}
			mine = append(mine, time.Since(start))
		}
		mu.Lock()
		took = append(took, mine...)
		mu.Unlock()
	})
	slices.Sort(took)
	if len(took) == 0 {
		return
	}
	for name, at := range map[string]int{"p50-µs": 500, "p99-µs": 990, "p99.9-µs": 999} {
		b.ReportMetric(float64(took[len(took)*at/1000].Microseconds()), name)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}

// BenchmarkServer sends reviews from four clients to the webhook and to one of
// controller-runtime that always allows, in turn. Both are served by one process of their
// own, of which it reports the processor time for each review. A round is b.N reviews. Under
// again each is like the one before but for its uid, as when Flux tries again; under new it is
// of a release of another name.
func BenchmarkServer(b *testing.B) {
	ca, err := newAuthority()
	if err != nil {
		b.Fatal(err)
	}
	b.Setenv(asBoth, "1")
	dir := b.TempDir()
	ca.issue(b, dir)
	i, client := launch(b, dir, "--cert-dir", dir), ca.client()
	for name, text := range reviews() {
		for _, change := range []struct{ name, of string }{{"again", `"uid":"`}, {"new", `"name":"app`}} {
			b.Run(name+"/"+change.name, func(b *testing.B) {
				numbered := func(n int64) []byte {
					return bytes.ReplaceAll(text, []byte(change.of), fmt.Appendf(nil, "%sn%d", change.of, n))
				}
				of := map[string]*series{"allow": {}, "validate/production": {}}
				for range 9 {
					for path, s := range of {
						s.round(b, i, client, path, numbered)
					}
				}
				allow, judge := of["allow"], of["validate/production"]
				allow.report(b, "allow")
				judge.report(b, "judge")
				b.ReportMetric(median(judge.cpu)/median(allow.cpu), "cpu-ratio")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// sent numbers the reviews that were sent.
var sent atomic.Int64

// series is what rounds of reviews took, in microseconds.
type series struct{ cpu, took []float64 }

// round sends b.N reviews.
func (s *series) round(b *testing.B, i *instance, client *http.Client, path string, text func(number int64) []byte) {
	b.Helper()
	before := i.processorTime(b, client)
	var mu sync.Mutex
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			for range max(1, b.N/4) {
				text := text(sent.Add(1))
				start := time.Now()
				if err := sendText(client, "https://"+i.admission+"/"+path, text); err != nil {
					b.Error(err)
					return
				}
				took := float64(time.Since(start).Microseconds())
				mu.Lock()
				s.took = append(s.took, took)
				mu.Unlock()
			}
		})
	}
	clients.Wait()
	s.cpu = append(s.cpu, (i.processorTime(b, client)-before)/float64(4*max(1, b.N/4)))
}

func (s *series) report(b *testing.B, name string) {
	slices.Sort(s.took)
	b.ReportMetric(median(s.cpu), name+"-cpu-µs")
	b.ReportMetric(s.took[len(s.took)/2], name+"-p50-µs")
	b.ReportMetric(s.took[len(s.took)*99/100], name+"-p99-µs")
}

func median(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}

func sendText(client *http.Client, url string, text []byte) error {
	answer, err := client.Post(url, "application/json", bytes.NewReader(text))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil || answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %d, %v", url, answer.StatusCode, err)
	}
	return nil
}

// processorTime returns what serveBoth has taken, in microseconds.
func (i *instance) processorTime(b *testing.B, client *http.Client) float64 {
	b.Helper()
	answer, err := client.Get("https://" + i.admission + "/took")
	if err != nil {
		b.Fatal(err)
	}
	defer answer.Body.Close()
	var took float64
	if err := json.NewDecoder(answer.Body).Decode(&took); err != nil {
		b.Fatal(err)
	}
	return took
}

// BenchmarkCreate creates releases, as dry runs, through the API server.
func BenchmarkCreate(b *testing.B) {
	c, err := startCluster()
	if err != nil {
		b.Fatal(err)
	}
	c.service.to(both(b, c.ca))
	b.Cleanup(func() { c.service.to(); c.service.cut() })
	for _, path := range []string{"/allow", "/validate/production"} {
		b.Run(strings.TrimPrefix(path, "/"), func(b *testing.B) {
			c.registerAt(b, "fail-closed", path)
			u := c.user(b)
			releases := u.releases(u.namespace("production"))
			measure(b, 4, func() error {
				_, err := releases.Create(b.Context(), helmRelease("app", retried), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
				return err
			})
		})
	}
}

// BenchmarkMemory sends denied reviews over 100 connections to the program as it is
// delivered, each of a release with another label, so that it remembers as much as it may. It
// reports the most memory that it has held.
func BenchmarkMemory(b *testing.B) {
	i, client := alone(b)
	client.Transport.(*http.Transport).MaxIdleConnsPerHost = 100
	text := reviews()["denied"]
	measure(b, 100, func() error {
		numbered := bytes.Replace(text, []byte(`"metadata":{`), fmt.Appendf(nil, `"metadata":{"labels":{"a":"%d"},`, sent.Add(1)), 1)
		return sendText(client, "https://"+i.admission+"/validate/production", numbered)
	})
	b.ReportMetric(i.peak(b), "peak-MiB")
}

// BenchmarkFlood sends 48 reviews at once whose values are 700,000 empty objects.
func BenchmarkFlood(b *testing.B) {
	i, client := alone(b, "--timeout=60s")
	large := helmRelease("app", retried)
	large.Object["spec"].(map[string]any)["values"] = map[string]any{"a": slices.Repeat([]any{map[string]any{}}, 700_000)}
	text, err := json.Marshal(request(large, nil))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	measure(b, 48, func() error { return sendText(client, "https://"+i.admission+"/validate/production", text) })
	b.ReportMetric(i.peak(b), "peak-MiB")
}

// peak returns the most memory that a webhook has held, in MiB.
func (i *instance) peak(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", i.command.Process.Pid))
	if err != nil {
		b.Skip(err) // no Linux
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	var kibi float64
	if _, err := fmt.Sscan(after, &kibi); err != nil {
		b.Fatal(err)
	}
	return kibi / 1024
}
