package rules

import (
	"errors"
	"fmt"
	"regexp"
	"time"
)

// WaiverLimits bound the waivers that an object's own annotations, and comments, may hold. Entries of
// the configuration are granted by those who set the limits.
type WaiverLimits struct {
	// MaxDays is how many days ahead an annotation's last day may be. Default: no limit.
	MaxDays int `json:"maxDays,omitempty"`
	// ReasonPattern is a regular expression (RE2) that is found in an annotation's reason,
	// such as "[A-Z]+-[0-9]+" for a ticket. Default: any reason.
	ReasonPattern string `json:"reasonPattern,omitempty"`
}

// check returns why a waiver is beyond the limits. One that has ended is not checked.
func (l WaiverLimits) check(w Waiver, now time.Time) error {
	if w.Expired(now) {
		return nil
	}
	if l.MaxDays > 0 && w.Until.Days(now) > l.MaxDays {
		return fmt.Errorf("ends on %s: at most %d days ahead are allowed (spec.waivers.maxDays)", w.Until, l.MaxDays)
	}
	if found, err := regexp.MatchString(l.ReasonPattern, w.Reason); err != nil || !found {
		return fmt.Errorf("the reason does not match %s (spec.waivers.reasonPattern)", l.ReasonPattern)
	}
	return nil
}

func (l WaiverLimits) validate() error {
	var errs []error
	if l.MaxDays < 0 {
		errs = append(errs, fmt.Errorf("maxDays is %d: want a number above zero", l.MaxDays))
	}
	if _, err := regexp.Compile(l.ReasonPattern); err != nil {
		errs = append(errs, fmt.Errorf("reasonPattern: %w", err))
	}
	return errors.Join(errs...)
}
