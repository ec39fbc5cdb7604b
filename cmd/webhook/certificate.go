package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/open-policy-agent/cert-controller/pkg/rotator"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/util/cert"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// certificate is the serving certificate. It can be replaced while serving.
type certificate struct {
	current atomic.Pointer[tls.Certificate]
	metrics *metrics
}

var errNoCertificate = errors.New("no certificate yet")

// get returns the certificate for a handshake; it is a tls.Config.GetCertificate.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	if served := c.current.Load(); served != nil {
		return served, nil
	}
	return nil, errNoCertificate
}

func (c *certificate) set(served tls.Certificate) {
	c.current.Store(&served)
	c.metrics.certExpiry.Set(float64(served.Leaf.NotAfter.Unix()))
}

// valid returns an error if no certificate is served, or one that clients do
// not accept now.
func (c *certificate) valid(now time.Time) error {
	served, err := c.get(nil)
	if err != nil {
		return err
	}
	if leaf := served.Leaf; now.Before(leaf.NotBefore) || now.After(leaf.NotAfter) {
		return fmt.Errorf("the certificate holds from %s to %s", leaf.NotBefore, leaf.NotAfter)
	}
	return nil
}

// follow serves tls.crt and tls.key of a folder, and every replacement, until
// ctx ends. It waits for files that do not exist yet.
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

// selfSigned returns a certificate for this machine that no client trusts.
func selfSigned(address string) (tls.Certificate, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return tls.Certificate{}, err
	}
	loopback := []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback}
	pair, key, err := cert.GenerateSelfSignedCertKey(cmp.Or(host, "localhost"), loopback, []string{"localhost"})
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(pair, key)
}

// rotation keeps a certificate in a Secret, and its CA in the webhook's
// registration. No other part of the program talks to a cluster.
type rotation struct {
	on                                       bool
	namespace, secret, service, registration string
}

// run creates and renews the certificate until ctx ends. The cluster mounts the
// Secret at dir.
func (r rotation) run(ctx context.Context, dir string) error {
	config, err := ctrl.GetConfig()
	if err != nil {
		return fmt.Errorf("--rotate-certs: %w", err)
	}
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
	})
	if err != nil {
		return fmt.Errorf("--rotate-certs: %w", err)
	}
	host := r.service + "." + r.namespace + ".svc"
	err = rotator.AddRotator(manager, &rotator.CertRotator{
		SecretKey:      types.NamespacedName{Namespace: r.namespace, Name: r.secret},
		CertDir:        dir,
		CAName:         "remedy-webhook-ca",
		CAOrganization: "flux-remedy",
		DNSName:        host,
		ExtraDNSNames:  []string{host + ".cluster.local", "remedy-webhook"},
		IsReady:        make(chan struct{}),
		Webhooks:       []rotator.WebhookInfo{{Name: r.registration, Type: rotator.Validating}},
		FieldOwner:     "remedy-webhook",
	})
	if err != nil {
		return fmt.Errorf("--rotate-certs: %w", err)
	}
	return manager.Start(ctx)
}
