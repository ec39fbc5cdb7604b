package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// instance is a running remedy-webhook.
type instance struct {
	t                     testing.TB
	command               *exec.Cmd
	admission, management string // addresses
	log                   *lockedBuffer
	exit                  chan error
	dir                   string // tls.crt, tls.key and .flux-remedy.yaml
}

// start runs a webhook with a certificate of the authority and further flags,
// and waits until it is ready.
func (a *authority) start(t testing.TB, flags ...string) *instance {
	t.Helper()
	dir := t.TempDir()
	a.issue(t, dir)
	i := launch(t, dir, append([]string{"--cert-dir", dir}, flags...)...)
	i.awaitReady()
	return i
}

// launch runs a webhook with flags and waits until it listens. It is the test
// binary, so that the race detector sees it if it sees the tests.
func launch(t testing.TB, dir string, flags ...string) *instance {
	t.Helper()
	return launchProgram(t, os.Args[0], dir, flags...)
}

// delivered builds remedy-webhook as make build does, and as users run it.
var delivered = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "remedy-webhook")
	if err != nil {
		return "", err
	}
	deliveredIn = dir
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", dir, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return filepath.Join(dir, "webhook"), nil
})

var deliveredIn string // what TestMain removes

func launchProgram(t testing.TB, program, dir string, flags ...string) *instance {
	t.Helper()
	flags = append([]string{
		"--listen=127.0.0.1:0", "--manage-listen=127.0.0.1:0", "--reload-interval=20ms", "--shutdown-delay=500ms",
	}, flags...)
	i := &instance{t: t, command: exec.Command(program, flags...), log: &lockedBuffer{}, exit: make(chan error, 1), dir: dir}
	i.command.Env = append(os.Environ(), asProgram+"=1")
	out, err := i.command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := i.command.Start(); err != nil {
		t.Fatal(err)
	}
	listening := make(chan struct{})
	go func() {
		i.read(out, listening)
		i.exit <- i.command.Wait()
	}()
	t.Cleanup(func() { _ = i.command.Process.Kill() })
	select {
	case <-listening:
	case err := <-i.exit:
		t.Fatalf("the webhook ended: %v\n%s", err, i.log)
	case <-time.After(30 * time.Second):
		t.Fatalf("the webhook does not listen\n%s", i.log)
	}
	return i
}

// read keeps the log and finds the addresses in it.
func (i *instance) read(out io.Reader, listening chan<- struct{}) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		i.log.line(lines.Text())
		var entry struct{ Msg, Admission, Management string }
		if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "listening" {
			i.admission, i.management = entry.Admission, entry.Management
			close(listening)
		}
	}
}

func (i *instance) awaitReady() {
	i.t.Helper()
	eventually(i.t, "the webhook is ready", i.ready)
}

func (i *instance) ready() error {
	if text, code := i.get("/readyz"); code != http.StatusOK {
		return fmt.Errorf("readyz: %d %s", code, text)
	}
	return nil
}

// get reads a path of the management address; code 0 means no answer.
func (i *instance) get(path string) (text string, code int) {
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + i.management + path)
	if err != nil {
		return err.Error(), 0
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err.Error(), 0
	}
	return string(body), response.StatusCode
}

// metric gives the line of a metric, as name{labels} value.
func (i *instance) metric(name string) string {
	text, _ := i.get("/metrics")
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, name) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// terminate sends SIGTERM.
func (i *instance) terminate() {
	i.t.Helper()
	if err := i.command.Process.Signal(syscall.SIGTERM); err != nil {
		i.t.Fatal(err)
	}
}

// awaitEnd waits for the end, which must be orderly.
func (i *instance) awaitEnd() {
	i.t.Helper()
	select {
	case err := <-i.exit:
		if err != nil {
			i.t.Fatalf("the webhook ended with %v\n%s", err, i.log)
		}
	case <-time.After(30 * time.Second):
		i.t.Fatalf("the webhook does not end\n%s", i.log)
	}
}

// lockedBuffer is a log that is written and read at once.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) line(s string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.buf.WriteString(s + "\n")
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// authority signs the certificates of the webhook under test.
type authority struct {
	cert   *x509.Certificate
	key    *ecdsa.PrivateKey
	issued atomic.Int64
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	return &authority{cert: cert, key: key}, err
}

func (a *authority) pem() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// pool trusts the authority.
func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// sign makes a new certificate for 127.0.0.1.
func (a *authority) sign(t testing.TB) (certPEM, keyPEM []byte, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial = 1 + a.issued.Add(1)
	der, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(serial), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}, a.cert, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	certPEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return certPEM, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER}), serial
}

// issue writes a new certificate into dir and gives its serial number. Each
// file is replaced as a whole.
func (a *authority) issue(t testing.TB, dir string) int64 {
	t.Helper()
	cert, key, serial := a.sign(t)
	replace(t, filepath.Join(dir, "tls.crt"), cert)
	replace(t, filepath.Join(dir, "tls.key"), key)
	return serial
}

// certificate gives a new certificate for a server in this process.
func (a *authority) certificate(t testing.TB) tls.Certificate {
	t.Helper()
	cert, key, _ := a.sign(t)
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// replace writes a file in one step.
func replace(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name+".new", data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
}

// client speaks to an instance as the API server does.
func (a *authority) client() *http.Client {
	return &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.pool()}, MaxIdleConnsPerHost: 64},
	}
}
