//go:build flux

package flux

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

// quiet holds the metrics after a denial, which was repeated, to the alerts.
func (s *shop) quiet(t *testing.T, hook *Webhook) {
	t.Helper()
	for _, name := range []string{"remedy_webhook_failures_total", "remedy_webhook_panics_total"} {
		if m := regexp.MustCompile(`(?m)^` + name + `\S* [1-9].*$`).FindString(hook.Metrics()); m != "" {
			t.Errorf("a denial counts as a failure: %s", m)
		}
	}
	text := s.metrics(t)
	if m := regexp.MustCompile(`(?m)^apiserver_admission_webhook_fail_open_count\S*flux-remedy\S* [1-9].*$`).FindString(text); m != "" {
		t.Errorf("a denial counts as a webhook that is away: %s", m)
	}
	rejections := regexp.MustCompile(`(?m)^apiserver_admission_webhook_rejection_count\S*flux-remedy\S* .*$`).FindAllString(text, -1)
	t.Logf("refused so often, tried again each two seconds: %v", rejections)
	if most := allowed(t); most < 3*60 {
		t.Errorf("three releases that are refused each minute raise the alert at %d an hour", most)
	}
	if len(rejections) != 1 || !strings.Contains(rejections[0], `error_type="no_error"`) {
		t.Errorf("the API server counts %v", rejections)
	}
}

// allowed returns how many refusals an hour raise no alert.
func allowed(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "manifests", "components", "monitoring", "prometheusrule.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`rejection_count\{.*\}\[1h\]\)\) > (\d+)`).FindSubmatch(text)
	if m == nil {
		t.Fatal("no alert counts refusals")
	}
	most, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return most
}

// metrics returns what the API server counts.
func (s *shop) metrics(t *testing.T) string {
	t.Helper()
	client, err := rest.HTTPClientFor(s.env.Config)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := client.Get(strings.TrimSuffix(s.env.Config.Host, "/") + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status, err)
	}
	return string(text)
}
