// Package doctor examines an installation of the webhook: whether the API server can ask
// it, and whether what it judges by is true of the cluster. It only reads.
//
// Each check is a file: registration.go, labels.go, namespaces.go, backstop.go, versions.go, clock.go, controller.go.
package doctor

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Installation is what is examined.
type Installation struct {
	Access *rest.Config
	// Registration is the name of the ValidatingWebhookConfiguration.
	Registration string
	// Address is where the webhook is, as host:port; empty for that of the registration.
	Address string
	// Config is the webhook's configuration, and Cluster its name of the cluster.
	Config  *rules.Config
	Cluster string
	// Digest is that of the policies under the configuration.
	Digest rules.Digest
	// FluxNamespace is where helm-controller runs.
	FluxNamespace string
	// Renewed is how long before its end a certificate should have been replaced.
	Renewed time.Duration
	Now     func() time.Time
}

// Result is what a check has found.
type Result struct {
	Check string
	// Fine says what is as it should be; empty if there are problems.
	Fine string
	// Problems each say what is wrong, where, and what to do.
	Problems []string
}

// patient is how long one question may take.
const patient = 10 * time.Second

// Examine runs all checks. One that may not read what it needs has a problem.
func (i Installation) Examine(ctx context.Context) ([]Result, error) {
	access := rest.CopyConfig(i.Access)
	access.Timeout = patient
	api, err := kubernetes.NewForConfig(access)
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, c := range []struct {
		name string
		run  func(context.Context, kubernetes.Interface) (string, error)
	}{
		{"registration", i.registration}, {"labels", i.labels}, {"namespaces", i.namespaces}, {"backstop", i.backstop}, {"versions", i.versions}, {"clock", i.clock}, {"controller", i.controller},
	} {
		result := Result{Check: c.name}
		fine, err := c.run(ctx, api)
		if result.Problems = problems(err); len(result.Problems) == 0 {
			result.Fine = fine
		}
		results = append(results, result)
	}
	return results, nil
}

func problems(err error) (all []string) {
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error }) // not deeper: what wraps them says where
	if !ok {
		return []string{err.Error()}
	}
	for _, err := range joined.Unwrap() {
		all = append(all, problems(err)...)
	}
	return all
}

// explain says of a failed read what it was for and what to do.
func explain(what string, err error) error {
	switch {
	case apierrors.IsForbidden(err):
		return fmt.Errorf("%s cannot be read: %v: run it with the rights of manifests/components/check", what, err)
	case apierrors.IsNotFound(err):
		return fmt.Errorf("%s: there is none: is it installed under another name, or not at all?", what)
	}
	return fmt.Errorf("%s cannot be read: %v", what, err)
}
