package rules

import (
	"errors"
	"fmt"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// AuditConfig is what only "flux-remedy audit" reads.
type AuditConfig struct {
	// Stuck says by tier when a release that Flux tries again and again counts as stuck:
	// nothing marks one of strategy RetryOnFailure that will not recover. Default: never.
	Stuck map[release.Tier]StuckLimit `json:"stuck,omitempty"`
}

// StuckLimit is when a release that is not ready counts as stuck: at the first of both
// that is reached.
type StuckLimit struct {
	// Failures is how many attempts have failed since the last success or change.
	Failures int `json:"failures,omitempty"`
	// For is how long it has not been ready, as 2h.
	For string `json:"for,omitempty"`
}

// Duration returns For.
func (l StuckLimit) Duration() time.Duration {
	d, _ := time.ParseDuration(l.For) // it is valid
	return d
}

func (a AuditConfig) validate() error {
	var errs []error
	for tier, limit := range a.Stuck {
		_, err := release.ParseTier(string(tier))
		errs = append(errs, err)
		if limit.Failures < 0 || limit.Failures == 0 && limit.For == "" {
			errs = append(errs, fmt.Errorf("stuck.%s: want failures above zero, or for as 2h", tier))
		}
		if d, err := time.ParseDuration(limit.For); limit.For != "" && (err != nil || d <= 0) {
			errs = append(errs, fmt.Errorf("stuck.%s.for is %q: want a duration as 2h", tier, limit.For))
		}
	}
	return errors.Join(errs...)
}
