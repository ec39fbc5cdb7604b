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
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	crwebhook "sigs.k8s.io/controller-runtime/pkg/webhook"
	cradmission "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// reviews are requests of the kinds that cost differently.
func reviews() map[string][]byte {
	large := helmRelease("app", retried)
	_ = unstructured.SetNestedField(large.Object, strings.Repeat("0123456789 \"", 33<<10/13), "spec", "values", "text")
	longer := helmRelease("app", strings.Replace(retried, "{", "{timeout: 12m, ", 1))
	bounded := `install: {remediation: {retries: 3}}, upgrade: {remediation: {retries: 3, remediateLastFailure: true, strategy: rollback}}}`
	installed := helmRelease("app", "{"+bounded)
	installed.Object["status"] = map[string]any{"history": []any{map[string]any{"status": "deployed", "version": 1}}}
	out := map[string][]byte{}
	for name, objects := range map[string][2]*unstructured.Unstructured{
		"upgrade": {helmRelease("app", "{timeout: 12m, "+bounded), installed},
		"create":  {helmRelease("app", retried)},
		"denied":  {helmRelease("app", bad)},
		"update":  {longer, helmRelease("app", retried)},
		"worse":   {helmRelease("app", bad), helmRelease("app", retried)},
		"kept":    {helmRelease("app", strings.Replace(bad, "{", "{timeout: 12m, ", 1)), helmRelease("app", bad)},
		"touched": {helmRelease("app", retried), helmRelease("app", retried)},
		"33kB":    {large},
	} {
		text, err := json.Marshal(request(objects[0], objects[1]))
		if err != nil {
			panic(err)
		}
		out[name] = text
	}
	return out
}

// BenchmarkAnswer answers reviews without a connection, beside the least that can be done: of a
// release that was judged before, and under new of another one each, with the same settings.
func BenchmarkAnswer(b *testing.B) {
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
	mux := (&webhook{options: o, log: log, metrics: m, store: s}).admissionMux()
	for name, text := range reviews() {
		for _, to := range []struct {
			name    string
			handler http.Handler
		}{{"allow", http.HandlerFunc(allowAll)}, {"again", mux}, {"new", mux}} {
			b.Run(name+"/"+to.name, func(b *testing.B) {
				b.ReportAllocs()
				before := processorTime()
				text := bytes.ReplaceAll(text, []byte(appName), []byte(appName+"00000000"))
				for b.Loop() {
					if to.name == "new" {
						renumber(text, sent.Add(1))
					}
					r := httptest.NewRequest(http.MethodPost, "/validate/production?timeout=10s", bytes.NewReader(text))
					r.Header.Set("Content-Type", "application/json")
					w := httptest.NewRecorder()
					if to.handler.ServeHTTP(w, r); w.Code != http.StatusOK {
						b.Fatal(w.Body)
					}
				}
				b.ReportMetric(float64((processorTime()-before).Nanoseconds())/1000/float64(b.N), "cpu-µs")
			})
		}
	}
}

// appName begins every name in the reviews of benchmarks.
const appName = `"name":"app`

// renumber writes a number into the eight digits after each name of a review.
func renumber(text []byte, number int64) {
	for rest := text; ; {
		at := bytes.Index(rest, []byte(appName))
		if at < 0 {
			return
		}
		rest = rest[at+len(appName):]
		copy(rest, fmt.Sprintf("%08d", number))
	}
}

// processorTime returns the time of user and system that this process has taken. Unlike
// that of a clock it does not grow with what else the machine does.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// asBoth makes the test binary serve the webhook, beside one that always allows on /allow.
const asBoth = "REMEDY_WEBHOOK_AS_BOTH"

func serveBoth() error {
	o, err := parseOptions(os.Args[1:], os.Stderr)
	if err != nil {
		return err
	}
	log := newLogger(os.Stderr, o.logLevel)
	m := newMetrics()
	s, err := openStore(context.Background(), sources{}, m, log)
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(o.certDir, "tls.crt"), filepath.Join(o.certDir, "tls.key"))
	if err != nil {
		return err
	}
	w := &webhook{options: o, log: newLogger(os.Stderr, slog.LevelError), metrics: m, store: s, callers: &tls.Config{}, cert: &certificate{metrics: m}}
	w.cert.set(pair)
	server, mux := w.admissionServer(), w.admissionMux()
	crwebhook.NewServer(crwebhook.Options{WebhookMux: mux}).Register("/allow", &cradmission.Webhook{
		Handler: cradmission.HandlerFunc(func(context.Context, cradmission.Request) cradmission.Response { return cradmission.Allowed("") }),
	})
	mux.HandleFunc("/took", func(rw http.ResponseWriter, _ *http.Request) { fmt.Fprint(rw, processorTime().Microseconds()) })
	server.Handler = mux
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return err
	}
	log.Info("listening", "admission", listener.Addr().String())
	return server.ServeTLS(listener, "", "")
}
