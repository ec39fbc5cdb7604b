package main

import (
	"context"
	"fmt"

	"github.com/open-policy-agent/cert-controller/pkg/rotator"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

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
