package main

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"

	"golang.org/x/net/netutil"
)

// maxScrapers is how many connections are served at once at --metrics-listen.
const maxScrapers = 16

// meter serves metrics of their own; nil if they are served with the rest.
type meter struct {
	listener net.Listener
	server   *http.Server
}

// meter opens --metrics-listen, which has the certificate of the webhook.
func (w *webhook) meter() (*meter, error) {
	if w.secure == "" {
		return nil, nil
	}
	handler, err := guarded(w.metrics.handler())
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", w.secure)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", handler)
	return &meter{listener: listener, server: &http.Server{
		Handler:           mux,
		TLSConfig:         &tls.Config{MinVersion: tls.VersionTLS13, GetCertificate: w.cert.get},
		ReadHeaderTimeout: w.headerTimeout, ReadTimeout: w.headerTimeout, WriteTimeout: w.headerTimeout * 4, IdleTimeout: w.idleTimeout,
		MaxHeaderBytes: 16 << 10,
	}}, nil
}

// address is where it listens; empty if it does not.
func (m *meter) address() string {
	if m == nil {
		return ""
	}
	return m.listener.Addr().String()
}

// serve serves until ctx ends.
func (m *meter) serve(ctx context.Context) error {
	if m == nil {
		return nil
	}
	stop := context.AfterFunc(ctx, func() { _ = m.server.Close() })
	defer stop()
	return ended(m.server.ServeTLS(netutil.LimitListener(m.listener, maxScrapers), "", ""))
}
