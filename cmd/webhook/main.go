// Command remedy-webhook judges HelmReleases when the API server admits them. It
// uses the rules and the configuration that flux-remedy uses in Git.
//
// The path of a request through it:
//
//  1. handler.go and limits.go read an AdmissionReview within limits of size, time
//     and number. A failure becomes an HTTP error, so that the registration's
//     failurePolicy decides, never this program. The package slim leaves out what
//     no decision depends on while it is read.
//  2. The package admission decides on it, in the tier that the URL's path names: exempt.go admits
//     what must never be blocked, decide.go evaluates the release, inherit.go turns what the
//     replaced object had already into warnings, repair.go looks for the way out.
//  3. handler.go counts, logs and answers the decision.
//
// With the argument check it examines an installation instead: check.go and
// internal/doctor.
//
// A decision depends on the request, the rules, the configuration and the date
// alone: there is no Kubernetes client, and nothing is remembered of earlier ones but what rules
// say of equal settings.
//
// The paths are registered with controller-runtime's webhook server, which counts
// and times them. Two parts of it cannot be used without breaking a promise:
//
//   - Start opens the listener itself, so connections cannot be limited. It has
//     no read and write timeouts. At SIGTERM it stops listening at once and
//     cancels the contexts of running requests.
//   - admission.Webhook answers a body that it cannot decode, and a panic, with
//     allowed: false. That denies the request whatever failurePolicy says.
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
	code := command(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// command runs what the arguments name: a look at the installation, or the server.
func command(ctx context.Context, args []string) int {
	if len(args) > 0 && args[0] == "check" {
		return check(ctx, args[1:], os.Stdout, os.Stderr)
	}
	return run(ctx, args, os.Stderr)
}

// run serves until ctx ends and returns the exit code: 0 after an orderly
// shutdown, 2 for invalid flags, 1 for any other error.
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
