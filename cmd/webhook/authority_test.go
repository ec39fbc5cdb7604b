package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

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

// pool returns the authority as the one trusted root.
func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// sign creates a certificate for 127.0.0.1.
func (a *authority) sign(t testing.TB) (certPEM, keyPEM []byte, serial int64) {
	t.Helper()
	return a.signFor(t, x509.Certificate{IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}})
}

// clientCertificate returns a certificate for a client.
func (a *authority) clientCertificate(t testing.TB, name string) tls.Certificate {
	t.Helper()
	cert, key, _, err := a.make(client(name))
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// client is the template of a client's certificate.
func client(name string) x509.Certificate {
	return x509.Certificate{Subject: pkix.Name{CommonName: name}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
}

// signFor creates a certificate from a template.
func (a *authority) signFor(t testing.TB, template x509.Certificate) (certPEM, keyPEM []byte, serial int64) {
	t.Helper()
	certPEM, keyPEM, serial, err := a.make(template)
	if err != nil {
		t.Fatal(err)
	}
	return certPEM, keyPEM, serial
}

func (a *authority) make(template x509.Certificate) (certPEM, keyPEM []byte, serial int64, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, 0, err
	}
	serial = 1 + a.issued.Add(1)
	template.SerialNumber = big.NewInt(serial)
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	der, err := x509.CreateCertificate(rand.Reader, &template, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return nil, nil, 0, err
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	certPEM = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return certPEM, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER}), serial, err
}

// issue writes a new certificate into dir and returns its serial number. Each
// file is replaced as a whole.
func (a *authority) issue(t testing.TB, dir string) int64 {
	t.Helper()
	cert, key, serial := a.sign(t)
	replace(t, filepath.Join(dir, "tls.crt"), cert)
	replace(t, filepath.Join(dir, "tls.key"), key)
	return serial
}

// certificate returns a new certificate for a server in this process.
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

// client sends requests to an instance as the API server does.
func (a *authority) client() *http.Client {
	return &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: a.pool()}, MaxIdleConnsPerHost: 64},
	}
}
