package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// alone runs a webhook without an API server, and returns a client for it.
func alone(t testing.TB, flags ...string) (*instance, *http.Client) {
	t.Helper()
	ca, err := newAuthority()
	if err != nil {
		t.Fatal(err)
	}
	return ca.startDelivered(t, flags...), ca.client()
}

func TestHostileBodies(t *testing.T) {
	i, client := alone(t, "--max-body=1048576")
	review := func(object string) string {
		return `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE","object":` + object + `}}`
	}
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	for _, c := range []struct {
		name, contentType, body string
		code                    int
		says                    string
	}{
		{"empty", "application/json", "", 400, "nothing is there"},
		{"no JSON", "application/json", "apiVersion: v1", 400, "decode the review"},
		{"truncated", "application/json", review("{}")[:60], 400, "unexpected EOF"},
		{"something after it", "application/json", review("{}") + "{}", 400, "something follows the document"},
		{"binary", "application/json", "\x00\xff\xfe", 400, "decode the review"},
		{"too large", "application/json", strings.Repeat(" ", 1<<20+1), 413, "larger than 1048576 bytes"},
		{"nested too deep", "application/json", review(deep(100_000)), 400, "max depth"},
		{"wrong content type", "text/yaml", review("{}"), 415, `"text/yaml"`},
		{"no content type", "", review("{}"), 415, "application/json"},
		{"wrong kind of review", "application/json", `{"apiVersion":"v1","kind":"Pod"}`, 400, "want an AdmissionReview"},
		{"old version of it", "application/json", strings.Replace(review("{}"), "/v1", "/v1beta1", 1), 400, "want an AdmissionReview"},
		{"no request", "application/json", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}`, 400, "with a request"},
		{"unknown operation", "application/json", strings.Replace(review("{}"), "CREATE", "PURGE", 1), 400, "PURGE"},
		{"no object", "application/json", review("null"), 422, "not a HelmRelease"},
		{"another kind", "application/json", review(`{"apiVersion":"v1","kind":"Pod"}`), 422, "registration should name helmreleases only"},
		{"an object that is a list", "application/json", review("[]"), 400, "Request.object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, err := client.Post("https://"+i.admission+"/validate/production", c.contentType, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			status := metav1.Status{}
			if err := json.NewDecoder(answer.Body).Decode(&status); err != nil {
				t.Fatal(err)
			}
			if answer.StatusCode != c.code || status.Status != metav1.StatusFailure || !strings.Contains(status.Message, c.says) {
				t.Errorf("%d %s %q, want %d %q", answer.StatusCode, status.Status, status.Message, c.code, c.says)
			}
		})
	}
	if got := i.metric("remedy_webhook_panics_total"); got != "remedy_webhook_panics_total 0" {
		t.Error(got)
	}
}

// TestWrongTypes sends releases that no API server would.
func TestWrongTypes(t *testing.T) {
	i, client := alone(t)
	for _, wrong := range []string{
		`{install: none}`, `{upgrade: [1]}`, `{install: {strategy: 5}}`, `{timeout: {a: b}}`, `{maxHistory: 99999999999999999999}`,
		`{upgrade: {remediation: {retries: "3"}}}`, `{suspend: "yes"}`, `{install: null, upgrade: null}`,
	} {
		object := helmRelease("app", wrong)
		for _, labels := range []any{nil, "none", []any{1}, map[string]any{"kustomize.toolkit.fluxcd.io/name": 1}} {
			object.Object["metadata"].(map[string]any)["labels"] = labels
			object.Object["metadata"].(map[string]any)["annotations"] = labels
			if _, err := i.send(client, "/validate/production", request(object, object)); err != nil {
				t.Errorf("%s: %v", wrong, err)
			}
		}
	}
}

// TestSlowClients checks that a client that sends too slowly is cut off.
func TestSlowClients(t *testing.T) {
	i, client := alone(t, "--header-timeout=300ms", "--timeout=300ms", "--idle-timeout=300ms")
	for name, first := range map[string]string{
		"no more":      "POST /validate/production HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
		"no handshake": "",
		"no header":    "POST /validate/production HTTP/1.1\r\nHost: x\r\n",
		"no body":      "POST /validate/production HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", i.admission)
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if first != "" {
				config := client.Transport.(*http.Transport).TLSClientConfig.Clone()
				config.ServerName = "127.0.0.1"
				conn = tls.Client(conn, config)
			}
			_ = conn.SetDeadline(time.Now().Add(patience))
			if _, err := io.WriteString(conn, first); first != "" && err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Error("neither answered nor closed")
			}
		})
	}
}

// TestSlowBodies holds that callers whose reviews do not arrive take the place of no
// other.
func TestSlowBodies(t *testing.T) {
	i, client := alone(t, "--max-concurrent=2", "--timeout=60s")
	config := client.Transport.(*http.Transport).TLSClientConfig.Clone()
	config.ServerName = "127.0.0.1"
	for range 50 {
		conn, err := tls.Dial("tcp", i.admission, config)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		head := "POST /validate/production HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" +
			"Expect: 100-continue\r\nContent-Length: 100\r\n\r\n"
		if _, err := io.WriteString(conn, head); err != nil {
			t.Fatal(err)
		}
		// This is said when the server begins to read the body.
		if line, err := bufio.NewReader(conn).ReadString('\n'); !strings.Contains(line, "100 Continue") {
			t.Fatal(line, err)
		}
	}
	for range 20 {
		if _, err := i.send(client, "/validate/production?timeout=5s", request(helmRelease("app", retried), nil)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestManyConnections opens 10,000 silent connections. Other requests must still
// be answered, and memory stay bounded.
func TestManyConnections(t *testing.T) {
	i, client := alone(t, "--header-timeout=200ms", "--max-connections=1000")
	n := 10_000
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err == nil {
		n = min(n, int(limit.Cur)-500)
	}
	stop := make(chan struct{})
	var opened atomic.Int64
	var holders sync.WaitGroup
	for range 100 {
		holders.Go(func() {
			for range n / 100 {
				conn, err := net.DialTimeout("tcp", i.admission, patience)
				if err != nil {
					continue
				}
				defer conn.Close()
				opened.Add(1)
			}
			<-stop
		})
	}
	for k := range 20 {
		if _, err := i.send(client, "/validate/production", request(helmRelease("app", retried), nil)); err != nil {
			t.Errorf("request %d: %v", k, err)
		}
		client.CloseIdleConnections()
	}
	eventually(t, "the connections are open", func() error {
		if got := opened.Load(); got < int64(n)*9/10 {
			return fmt.Errorf("%d of %d", got, n)
		}
		return nil
	})
	i.wantMemory(t, 200<<20)
	close(stop)
	holders.Wait()
}

// TestMemory sends large reviews from many clients and then reads the memory. One is of
// values, which may be as large as etcd allows; one is large without them.
func TestMemory(t *testing.T) {
	many := func(n int) []any { return slices.Repeat([]any{map[string]any{"name": "a"}}, n) }
	for _, c := range []struct {
		name    string
		field   string
		value   any
		senders int
	}{
		{"a long text", "values", map[string]any{"text": strings.Repeat("x", 3<<20)}, 32},
		{"many objects", "values", map[string]any{"list": many(200_000)}, 32},
		{"many fields that are judged", "dependsOn", many(10_000), 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			i, client := alone(t, "--timeout=60s")
			large := helmRelease("app", bad)
			large.Object["spec"].(map[string]any)[c.field] = c.value
			body, err := json.Marshal(request(large, nil))
			if err != nil {
				t.Fatal(err)
			}
			var senders sync.WaitGroup
			for range c.senders {
				senders.Go(func() {
					if _, err := i.post(client, "/validate/production", body); err != nil {
						t.Error(err)
					}
				})
			}
			senders.Wait()
			limits := container(t).Resources.Limits
			i.wantMemory(t, limits.Memory().AsApproximateFloat64())
		})
	}
}

func (i *instance) wantMemory(t *testing.T, most float64) {
	t.Helper()
	_, value, _ := strings.Cut(i.metric("process_resident_memory_bytes"), " ")
	got, err := strconv.ParseFloat(value, 64)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.0f MiB resident", got/(1<<20))
	if got > most {
		t.Errorf("%.0f MiB resident, want at most %.0f", got/(1<<20), most/(1<<20))
	}
}

// TestPanic makes a handler panic. The client must get an answer.
func TestPanic(t *testing.T) {
	h := newHandler(t)
	h.ruleset = func() *ruleset { panic("out of order") }
	body, err := json.Marshal(request(helmRelease("app", bad), nil))
	if err != nil {
		t.Fatal(err)
	}
	if code, _ := post(h, body); code != http.StatusInternalServerError {
		t.Errorf("code %d", code)
	}
	if got := gathered(t, h.metrics, "remedy_webhook_panics_total"); got != 1 {
		t.Errorf("%v panics counted", got)
	}
}

func TestSelfSigned(t *testing.T) {
	i := launch(t, t.TempDir(), "--self-signed", "--tls-min-version=1.2")
	i.awaitReady()
	for version, works := range map[uint16]bool{tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		conn, err := tls.Dial("tcp", i.admission, &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version})
		if (err == nil) != works {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		if err == nil {
			conn.Close()
		}
	}
	i.terminate()
	i.awaitEnd()
}

// offering returns the client's configuration with HTTP/2 offered.
func offering(client *http.Client) *tls.Config {
	config := client.Transport.(*http.Transport).TLSClientConfig.Clone()
	config.NextProtos = []string{"h2", "http/1.1"}
	return config
}

// negotiated connects and returns what both sides negotiated.
func negotiated(t *testing.T, i *instance, config *tls.Config) tls.ConnectionState {
	t.Helper()
	conn, err := tls.Dial("tcp", i.admission, config)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	return conn.ConnectionState()
}

func TestTLSDefaults(t *testing.T) {
	i, client := alone(t)
	config := offering(client)
	if state := negotiated(t, i, config); state.Version != tls.VersionTLS13 || state.NegotiatedProtocol != "http/1.1" {
		t.Errorf("%s, %s", tls.VersionName(state.Version), state.NegotiatedProtocol)
	}
	config.MaxVersion = tls.VersionTLS12
	if _, err := tls.Dial("tcp", i.admission, config); err == nil {
		t.Error("TLS 1.2 is spoken by default")
	}
}

func TestFlags(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	for _, c := range []struct {
		flags []string
		code  int
		says  string
	}{
		{[]string{"--help"}, 0, "--shutdown-delay"},
		{[]string{"--version"}, 0, "remedy-webhook devel"},
		{[]string{"--nonsense"}, 2, "unknown flag"},
		{[]string{"here"}, 2, `unexpected argument "here"`},
		{[]string{"--tier=live"}, 2, `unknown tier "live"`},
		{[]string{"--listen=nowhere"}, 2, "--listen"},
		{[]string{"--self-signed", "--rotate-certs", "--namespace=a"}, 2, "exclude each other"},
		{[]string{"--max-body=0"}, 2, "above zero"},
		{[]string{"--client-ca", missing}, 1, "--client-ca"},
		{[]string{"--client-ca", "hostile_test.go"}, 1, "no certificate in PEM"},
		{[]string{"--config", missing}, 1, "no such file"},
		{[]string{"--policy", missing}, 1, "no such file"},
		{[]string{"--bundle", missing}, 1, "no such file"},
		{[]string{"--bundle", "hostile_test.go"}, 1, "it is no tar.gz"},
		{[]string{"--bundle="}, 2, "--bundle is empty"},
		{[]string{"--bundle=a", "--policy=b"}, 2, "exclude each other"},
		{[]string{"--verify-key=a"}, 2, "no --bundle to verify"},
	} {
		out := &bytes.Buffer{}
		if code := run(t.Context(), c.flags, out); code != c.code || !strings.Contains(out.String(), c.says) {
			t.Errorf("%s: code %d, %s; want %d and %q", fmt.Sprint(c.flags), code, out, c.code, c.says)
		}
	}
}
