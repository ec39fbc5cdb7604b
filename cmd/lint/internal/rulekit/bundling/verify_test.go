package bundling

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestWebhook asks servers that answer as webhooks do, and others.
func TestWebhook(t *testing.T) {
	const info = `remedy_webhook_policy_info{bundle="v7",config="a",digest="sha256:one",rules="b",version="v1.0.0"} 1` + "\n"
	for name, c := range map[string]struct {
		code         int
		answer, says string
		err          error  // that is wanted, or
		text         string // what it says
	}{
		"the same":       {200, "go_goroutines 7\n" + info, "digest sha256:one, bundle v7, version v1.0.0: the same\n", nil, ""},
		"not the same":   {200, strings.Replace(info, "one", "two", 1), "digest sha256:two, bundle v7, version v1.0.0: not the same\n", ErrDiffers, ""},
		"no bundle":      {200, strings.Replace(info, "v7", "", 1), "digest sha256:one, no bundle, version v1.0.0: the same\n", nil, ""},
		"an older one":   {200, info + "remedy_webhook_reload_successful 0\n", "it could not load something newer", nil, ""},
		"an old program": {200, `remedy_webhook_policy_info{config="a",rules="b"} 1` + "\n", "", nil, "it is older than this program"},
		"something else": {200, "go_goroutines 7\n", "", nil, "is this the webhook?"},
		"two":            {200, info + info, "", nil, "is this the webhook?"},
		"escapes":        {200, strings.Replace(info, "v7", `\u001b[31m`, 1), "", nil, ""},
		"nothing there":  {404, "", "", nil, "404 Not Found: are these the metrics?"},
		"elsewhere":      {302, "", "", nil, "302 Found"},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/metrics" || r.Header.Get("Authorization") != "Bearer secret" {
				t.Errorf("%s: asked for %s by %q", name, r.URL.Path, r.Header.Get("Authorization"))
			}
			w.Header().Set("Location", "http://example.com")
			w.WriteHeader(c.code)
			_, _ = w.Write([]byte(c.answer))
		}))
		token := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(token, []byte("secret\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err := Webhook{URL: server.URL, Token: token}.compare(context.Background(), &out, rules.InForce{Digest: "sha256:one"})
		server.Close()
		switch {
		case c.err != nil && !errors.Is(err, c.err), c.text != "" && (err == nil || !strings.Contains(err.Error(), c.text)), c.err == nil && c.text == "" && err != nil:
			t.Errorf("%s: error %v", name, err)
		case !strings.Contains(out.String(), c.says) || strings.Contains(out.String(), "\x1b"):
			t.Errorf("%s: says %q, want %q", name, out.String(), c.says)
		}
	}
}

// TestWebhookAddresses: what is no address, or not there, is said to be so.
func TestWebhookAddresses(t *testing.T) {
	for url, says := range map[string]string{
		"": "want http://HOST:PORT", "127.0.0.1:8080": "want http://HOST:PORT", "file:///etc/passwd": "want http://HOST:PORT",
		"http://127.0.0.1:1": "refused",
	} {
		err := Webhook{URL: url}.compare(context.Background(), &bytes.Buffer{}, rules.InForce{})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, want %q", url, err, says)
		}
	}
}
