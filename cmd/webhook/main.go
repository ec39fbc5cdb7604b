// Command remedy-webhook judges HelmReleases as the API server admits them, by
// the rules and the configuration that flux-remedy judges them by in Git.
//
// The path of a request through it:
//
//  1. handler.go reads an AdmissionReview within limits of size, time and
//     number, and turns every failure of its own into an HTTP error, so that
//     the registration's failurePolicy decides and never this program.
//  2. exempt.go lets pass what must never be blocked: deletions, subresources,
//     objects that are going away, updates that leave the spec as it is.
//  3. decide.go evaluates the release in the tier that the URL's path names.
//  4. inherit.go turns what the replaced object had already into warnings.
//  5. message.go writes the answer within the API server's limits.
//
// A decision is a function of the request, the policies, the configuration and
// the day alone: there is no Kubernetes client and no cache.
//
// The paths are registered with controller-runtime's webhook server, which counts
// and times them. Two parts of it cannot be used without losing a promise:
//
//   - Its Start opens the listener itself, so connections cannot be bounded; it
//     has no read and write timeouts; and it ends the contexts of requests under
//     way, and stops listening, at the moment of SIGTERM.
//   - Its admission.Webhook answers a body that it cannot decode, and a panic,
//     with allowed: false. That is a denial whatever failurePolicy says.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stderr)
	stop()
	os.Exit(code)
}

// run serves until ctx ends and returns the exit code: 0 after an orderly end, 2
// for flags that cannot be used, 1 for all else.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	options, err := parseOptions(args, stderr)
	if errors.Is(err, errAnswered) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, "remedy-webhook:", err)
		return 2
	}
	log := newLogger(stderr, options.logLevel)
	if err := serve(ctx, options, log); err != nil {
		log.Error("stopped", "error", err)
		return 1
	}
	return 0
}
