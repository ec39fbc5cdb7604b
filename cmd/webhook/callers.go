package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"slices"
)

// callers returns the part of a TLS configuration that says who may call: anybody, or
// who has a certificate of the given authority with the given name. The name matters
// because the authority of a cluster signs the certificates of many.
func (o *options) callers() (*tls.Config, error) {
	if o.clientCA == "" {
		return &tls.Config{}, nil
	}
	data, err := os.ReadFile(o.clientCA)
	if err != nil {
		return nil, fmt.Errorf("--client-ca: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(data) {
		return nil, fmt.Errorf("--client-ca %s: holds no certificate in PEM", o.clientCA)
	}
	return &tls.Config{
		ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert,
		VerifyConnection: func(state tls.ConnectionState) error { return named(state.PeerCertificates[0], o.clientName) },
	}, nil
}

// named returns an error unless a certificate has a name.
func named(cert *x509.Certificate, name string) error {
	if cert.Subject.CommonName == name || slices.Contains(cert.DNSNames, name) {
		return nil
	}
	return fmt.Errorf("the client certificate is for %q, want %q (--client-name)", cert.Subject.CommonName, name)
}
