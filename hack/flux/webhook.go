package flux

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Webhook is remedy-webhook as a process on loopback, which can be ended and started again.
type Webhook struct {
	URL       string // of the admission endpoint
	Authority []byte // that its certificate is signed by, as PEM

	cluster *Cluster
	certs   string
	address [2]string // of admission and of metrics
	cmd     *exec.Cmd
	log     string
}

// NewWebhook starts bin/remedy-webhook.
func NewWebhook(t testing.TB, c *Cluster) *Webhook {
	t.Helper()
	w := &Webhook{cluster: c, certs: t.TempDir(), log: filepath.Join(t.TempDir(), "log")}
	if err := c.guard.program("remedy-webhook", filepath.Join(assets, "remedy-webhook")); err != nil {
		t.Fatal(err)
	}
	var err error
	if w.Authority, err = certify(w.certs); err != nil {
		t.Fatal(err)
	}
	for i := range w.address {
		w.address[i] = unused(t)
	}
	w.URL = "https://" + w.address[0]
	w.Start(t)
	t.Cleanup(w.Kill)
	return w
}

// Start starts the process and returns once it answers.
func (w *Webhook) Start(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(w.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	w.cmd = exec.Command(filepath.Join(w.cluster.guard.dir, "bin", "remedy-webhook"), "--listen", w.address[0],
		"--manage-listen", w.address[1], "--cert-dir", w.certs, "--shutdown-delay=0s")
	w.cmd.Stdout, w.cmd.Stderr = log, log
	separate(w.cmd)
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ctx := Context(t)
	for w.get("/readyz") == "" {
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			text, _ := os.ReadFile(w.log)
			t.Fatalf("remedy-webhook does not answer:\n%s", text)
		}
	}
}

// Kill ends the process.
func (w *Webhook) Kill() {
	if w.cmd == nil {
		return
	}
	_ = syscall.Kill(-w.cmd.Process.Pid, syscall.SIGKILL)
	_ = w.cmd.Wait() // killed
	w.cmd = nil
}

// Metrics returns what it counts, as Prometheus reads it.
func (w *Webhook) Metrics() string { return w.get("/metrics") }

// get returns what it answers at a path, "" unless that is well.
func (w *Webhook) get(path string) string {
	answer, err := http.Get("http://" + w.address[1] + path)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return ""
	}
	return string(text)
}

// unused returns an address that nobody listens at.
func unused(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// certify writes a key and a certificate for 127.0.0.1 that is its own authority.
func certify(dir string) (authority []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	cert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	secret = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
	_, wrong := tls.X509KeyPair(cert, secret)
	return cert, errors.Join(wrong, os.WriteFile(filepath.Join(dir, "tls.crt"), cert, 0o600), os.WriteFile(filepath.Join(dir, "tls.key"), secret, 0o600))
}
