package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	sample     = regexp.MustCompile(`(?m)^([a-z_]+)(?:\{(.*)\})? \S+$`)
	sampleKey  = regexp.MustCompile(`([a-z_]+)="(?:[^"\\]|\\.)*"`)
	metricRow  = regexp.MustCompile("(?m)^\\| `([a-z_]+)` \\| ([a-z, ]*)\\|")
	metricName = regexp.MustCompile(`\b(?:remedy_webhook|process|go|controller_runtime)_[a-z_]+`)
	histogram  = regexp.MustCompile(`_(bucket|sum|count)$`)
)

// scrape returns the metrics of a running webhook as Prometheus sees them, each
// with its labels.
func scrape(t *testing.T, i *instance) map[string]string {
	t.Helper()
	text, code := i.get("/metrics")
	if code != 200 {
		t.Fatalf("%d %s", code, text)
	}
	out := map[string]string{}
	for _, match := range sample.FindAllStringSubmatch(text, -1) {
		labels := []string{}
		for _, key := range sampleKey.FindAllStringSubmatch(match[2], -1) {
			if key[1] != "le" {
				labels = append(labels, key[1])
			}
		}
		slices.Sort(labels)
		name := match[1]
		if strings.HasPrefix(name, "remedy_webhook_") {
			name = histogram.ReplaceAllString(name, "")
		}
		out[name] = strings.Join(labels, ", ")
	}
	return out
}

// TestMetricsAreKnown checks that the webhook's page lists exactly the metrics
// with their labels, and that alerts and dashboard use only metrics that exist.
func TestMetricsAreKnown(t *testing.T) {
	i, client := alone(t)
	if _, err := i.send(client, "/validate/production", request(helmRelease("app", bad), nil)); err != nil {
		t.Fatal(err)
	}
	if _, err := i.post(client, "/validate/production", []byte("no review")); err == nil {
		t.Fatal("what is no review was decided")
	}
	for _, want := range []string{
		`remedy_webhook_requests_total{decision="denied",operation="CREATE",tier="production"} 1`,
		`remedy_webhook_findings_total{mode="denied",rule="no-recovery"} 1`,
		`remedy_webhook_failures_total{code="400"} 1`,
		`remedy_webhook_request_duration_seconds_count{tier="production"} 1`,
		`remedy_webhook_reloads_total{result="ok"} 1`,
		// What has not happened yet is there, so that the first time is an increase.
		`remedy_webhook_requests_total{decision="denied",operation="UPDATE",tier="staging"} 0`,
		`remedy_webhook_failures_total{code="504"} 0`,
		`remedy_webhook_reloads_total{result="failed"} 0`,
	} {
		if got := i.metric(want[:strings.LastIndex(want, " ")]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	real := scrape(t, i)
	ours := maps.Clone(real)
	maps.DeleteFunc(ours, func(name, _ string) bool { return !strings.HasPrefix(name, "remedy_webhook_") })

	_, table, _ := strings.Cut(string(read(t, "../../docs/webhook-operations.md")), "| metric (`remedy_webhook_…`)")
	table, _, _ = strings.Cut(table, "\n\n")
	listed := map[string]string{}
	for _, match := range metricRow.FindAllStringSubmatch(table, -1) {
		labels := strings.Split(strings.TrimSpace(match[2]), ", ")
		slices.Sort(labels)
		listed["remedy_webhook_"+match[1]] = strings.Join(labels, ", ")
	}
	if !maps.Equal(listed, ours) {
		t.Errorf("listed %v, real %v", listed, ours)
	}

	files, err := filepath.Glob("../../manifests/components/monitoring/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range append(files, "../../docs/webhook-operations.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range metricName.FindAllString(string(data), -1) {
			if _, ok := real[strings.TrimSuffix(name, "_bucket")]; !ok && name != "remedy_webhook_" {
				t.Errorf("%s: there is no metric %s", file, name)
			}
		}
	}
}

// TestAlertsAreExplained checks that the page of the webhook's operation says for exactly the
// alerts that exist what to do.
func TestAlertsAreExplained(t *testing.T) {
	names := func(file, pattern string) []string {
		var out []string
		for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(read(t, file)), -1) {
			out = append(out, match[1])
		}
		slices.Sort(out)
		return out
	}
	alerts := names("../../manifests/components/monitoring/prometheusrule.yaml", `alert: (\w+)`)
	explained := names("../../docs/webhook-operations.md", `(?m)^### (Remedy\w+)$`)
	if len(alerts) == 0 || !slices.Equal(alerts, explained) {
		t.Errorf("alerts %v, explained %v", alerts, explained)
	}
	linked := names("../../manifests/components/monitoring/prometheusrule.yaml", `runbook: docs/webhook-operations\.md#(\w+)`)
	for i := range explained {
		explained[i] = strings.ToLower(explained[i])
	}
	if !slices.Equal(linked, explained) {
		t.Errorf("linked %v, explained %v", linked, explained)
	}
}
