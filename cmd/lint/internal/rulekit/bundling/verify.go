package bundling

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/bundle"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Verify says what is checked: a bundle or, without one, what judges here.
type Verify struct {
	Policies load.Policies
	Config   string // file; empty for the one found upward from the working directory
	Webhook  Webhook
}

// Run says what the bundle is, and whether a webhook judges by it.
func (v *Verify) Run(ctx context.Context, out, notes io.Writer) error {
	switch {
	case v.Policies.Bundle == "" && v.Webhook.URL == "":
		return errors.New("there is nothing to verify: name a bundle, or add --webhook")
	case v.Policies.Bundle != "" && len(v.Policies.Folders) > 0:
		return errors.New("--policy: the bundle has all rules: want one of both")
	}
	_, engine, err := v.Policies.Configured(ctx, notes, v.Config)
	if err != nil {
		return err
	}
	if err := state(out, v.Policies.Opened(), engine); err != nil || v.Webhook.URL == "" {
		return err
	}
	return v.Webhook.compare(ctx, out, engine.InForce())
}

// Webhook says where a webhook's metrics are, and who asks.
type Webhook struct {
	URL   string
	CA    string // file; empty for those of the system
	Token string // file or env:NAME; empty for none
}

// Register registers the flags that say where a webhook is.
func (w *Webhook) Register(flags *pflag.FlagSet) {
	flags.StringVar(&w.URL, "webhook", "", "`URL` of the webhook's metrics, as http://127.0.0.1:8080")
	flags.StringVar(&w.CA, "ca-file", "", "`FILE` with the CA of the webhook's metrics")
	flags.StringVar(&w.Token, "token", "", "token for the webhook's metrics: `FILE|env:NAME`")
}

// inForce is what one instance of the webhook judges by.
type inForce struct {
	rules.InForce
	version string
	// older is true if something newer could not be loaded.
	older bool
}

// ErrDiffers reports that the webhook judges by something else.
var ErrDiffers = errors.New("the webhook does not judge by this")

// compare asks the webhook what it judges by, and says whether that is the same.
func (w Webhook) compare(ctx context.Context, out io.Writer, want rules.InForce) error {
	text, err := w.metrics(ctx)
	if err != nil {
		return fmt.Errorf("--webhook %s: %w", w.URL, err)
	}
	has, err := parse(text)
	if err != nil {
		return fmt.Errorf("--webhook %s: %w", w.URL, err)
	}
	verdict := "the same"
	if has.Digest != want.Digest {
		verdict = "not the same"
	}
	fmt.Fprint(out, plain.Text(fmt.Sprintf("webhook        digest %s%s, version %s: %s\n", has.Digest, ofBundle(has.Bundle), has.version, verdict)))
	if has.older {
		fmt.Fprintln(out, "               it could not load something newer, and judges by what it had: its log says why")
	}
	if has.Digest != want.Digest {
		return ErrDiffers
	}
	return nil
}

func ofBundle(revision string) string {
	if revision == "" {
		return ", no bundle"
	}
	return ", bundle " + revision
}

// maxMetrics is the size in bytes up to which metrics are read, and patience how long one
// waits for them.
const (
	maxMetrics = 16 << 20
	patience   = 30 * time.Second
)

// metrics gets the metrics. The transport is its own: that of the process is taken away.
func (w Webhook) metrics(ctx context.Context) (string, error) {
	at, err := url.Parse(w.URL)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return "", errors.New("want http://HOST:PORT or https://HOST:PORT, where its metrics are")
	}
	if strings.Trim(at.Path, "/") == "" {
		at.Path = "/metrics"
	}
	transport, err := w.transport()
	if err != nil {
		return "", err
	}
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return "", err
	}
	if w.Token != "" {
		token, err := bundle.Secret(w.Token)
		if err != nil {
			return "", fmt.Errorf("--token %s: %w", w.Token, err)
		}
		request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(token)))
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		return "", failed.Err
	}
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("it answers %s: are these the metrics?", response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, maxMetrics))
	return string(text), err
}

func (w Webhook) transport() (*http.Transport, error) {
	out := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if w.CA == "" {
		return out, nil
	}
	data, err := os.ReadFile(w.CA)
	if err != nil {
		return nil, fmt.Errorf("--ca-file: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("--ca-file %s: it holds no certificate", w.CA)
	}
	out.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	return out, nil
}

var (
	infoLine  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^remedy_webhook_policy_info\{(.*)\} 1$`) })
	label     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`([a-z]+)=("(?:[^"\\]|\\.)*")`) })
	olderLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^remedy_webhook_reload_successful 0$`) })
)

func parse(text string) (inForce, error) {
	lines := infoLine().FindAllStringSubmatch(text, -1)
	if len(lines) != 1 {
		return inForce{}, errors.New("it has no metric remedy_webhook_policy_info: is this the webhook?")
	}
	labels := map[string]string{}
	for _, pair := range label().FindAllStringSubmatch(lines[0][1], -1) {
		value, err := strconv.Unquote(pair[2])
		if err != nil {
			return inForce{}, err
		}
		labels[pair[1]] = value
	}
	if labels["digest"] == "" {
		return inForce{}, errors.New("its metric remedy_webhook_policy_info has no digest: it is older than this program")
	}
	return inForce{
		InForce: rules.InForce{Digest: rules.Digest(labels["digest"]), Bundle: labels["bundle"]},
		version: labels["version"], older: olderLine().MatchString(text),
	}, nil
}
