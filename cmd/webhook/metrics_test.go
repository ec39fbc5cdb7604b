package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var metricName = regexp.MustCompile(`remedy_webhook_[a-z_]+`)

// TestMetricsAreKnown holds that the page on the webhook lists every metric and
// no other, and that alerts and dashboard use only what exists.
func TestMetricsAreKnown(t *testing.T) {
	h := newHandler(t)
	for _, body := range []any{request(release("app", bad), nil), "no review"} {
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		post(h, data)
	}
	h.metrics.reloaded(h.policy())
	families, err := h.metrics.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	real := map[string]bool{}
	for _, family := range families {
		if strings.HasPrefix(family.GetName(), "remedy_webhook_") {
			real[family.GetName()] = true
		}
	}

	page := string(read(t, "../../docs/webhook.md"))
	_, table, _ := strings.Cut(page, "| metric (`remedy_webhook_…`)")
	table, _, _ = strings.Cut(table, "\n\n")
	listed := map[string]bool{}
	for _, match := range regexp.MustCompile("(?m)^\\| `([a-z_]+)`").FindAllStringSubmatch(table, -1) {
		listed["remedy_webhook_"+match[1]] = true
	}
	if !maps.Equal(listed, real) {
		t.Errorf("listed %v, real %v", slices.Sorted(maps.Keys(listed)), slices.Sorted(maps.Keys(real)))
	}

	files, err := filepath.Glob("../../manifests/components/monitoring/*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, file := range append(files, "../../docs/webhook.md") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range metricName.FindAllString(string(data), -1) {
			if name = strings.TrimSuffix(name, "_bucket"); !real[name] && name != "remedy_webhook_" {
				t.Errorf("%s: there is no metric %s", file, name)
			}
		}
	}
}
