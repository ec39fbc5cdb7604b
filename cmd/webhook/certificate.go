package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"path/filepath"
	"sync/atomic"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
)

// certificate is the one that is served, replaced while serving.
type certificate struct {
	current atomic.Pointer[tls.Certificate]
	metrics *metrics
}

var errNoCertificate = errors.New("no certificate yet")

// get is what crypto/tls asks at each handshake.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if cert := c.current.Load(); cert != nil {
		return cert, nil
	}
	return nil, errNoCertificate
}

func (c *certificate) set(cert tls.Certificate) {
	c.current.Store(&cert)
	c.metrics.certificate(&cert)
}

// valid reports whether clients can accept what is served.
func (c *certificate) valid(now time.Time) error {
	cert, err := c.get(nil)
	if err != nil {
		return err
	}
	leaf, err := x509.ParseCertificate(cert.Certificate[0])
	if err == nil && (now.Before(leaf.NotBefore) || now.After(leaf.NotAfter)) {
		err = errors.New("the certificate holds from " + leaf.NotBefore.String() + " to " + leaf.NotAfter.String())
	}
	return err
}

// follow serves tls.crt and tls.key of a folder and what replaces them, until
// ctx ends. It waits for the files where they are still to come.
func (c *certificate) follow(ctx context.Context, dir string, every time.Duration, log *slog.Logger) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for waiting := false; ; waiting = true {
		watcher, err := certwatcher.New(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"))
		if err == nil {
			watcher.WithWatchInterval(every).RegisterCallback(c.set)
			return watcher.Start(ctx)
		}
		if !waiting {
			log.Warn("waiting for a certificate", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
	}
}

// selfSigned makes a certificate for this machine that nobody else trusts.
func selfSigned(address string, now time.Time) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()),
		Subject:      pkix.Name{CommonName: "remedy-webhook (self-signed)"},
		NotBefore:    now.Add(-time.Minute),
		NotAfter:     now.AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:     []string{"localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		IsCA:         true, BasicConstraintsValid: true,
	}
	if host, _, err := net.SplitHostPort(address); err == nil && host != "" {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, err
}
