package rules

import (
	"errors"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Enforcement says what the webhook does about findings of severity error.
type Enforcement string

const (
	// EnforceDeny refuses the object.
	EnforceDeny Enforcement = "deny"
	// EnforceWarn lets it pass with warnings.
	EnforceWarn Enforcement = "warn"
	// EnforceAudit lets it pass in silence: it is judged, counted, logged and in the audit
	// log of the API server.
	EnforceAudit Enforcement = "audit"
	// EnforceOff lets it pass without judging it.
	EnforceOff Enforcement = "off"
)

// UnmarshalJSON reads an enforcement. YAML reads an unquoted off as false, so
// false is off.
func (e *Enforcement) UnmarshalJSON(b []byte) error { return unmarshalWord(b, (*string)(e)) }

// enforcements are the defaults by tier.
var enforcements = map[release.Tier]Enforcement{release.Production: EnforceDeny, release.Staging: EnforceWarn, release.Development: EnforceOff}

// AdmissionConfig is what only the webhook reads.
type AdmissionConfig struct {
	// Enforcement sets by tier what is done about errors: deny, warn, audit or off.
	// Default: deny in production, warn in staging, off in development.
	Enforcement map[release.Tier]Enforcement `json:"enforcement,omitempty"`
	// Exempt names requests that are not judged, such as those of a group for emergencies.
	// Each use is counted and in the audit log.
	Exempt []Exemption `json:"exempt,omitempty"`
}

// in returns what is done about errors in a tier.
func (a AdmissionConfig) in(tier release.Tier) Enforcement {
	if e, ok := a.Enforcement[tier]; ok {
		return e
	}
	return enforcements[tier]
}

func (a AdmissionConfig) validate() error {
	var errs []error
	for tier, e := range a.Enforcement {
		_, err := release.ParseTier(string(tier))
		errs = append(errs, err)
		if !slices.Contains([]Enforcement{EnforceDeny, EnforceWarn, EnforceAudit, EnforceOff}, e) {
			errs = append(errs, fmt.Errorf("enforcement.%s is %q: want deny, warn, audit or off", tier, e))
		}
	}
	return errors.Join(errs...)
}
