package report

import (
	"cmp"
	"fmt"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// AcceptedGap is an entry of the configuration that accepts what cannot be
// judged.
type AcceptedGap struct {
	rules.AcceptEntry
	// DaysLeft is 0 on the last day, negative afterwards.
	DaysLeft int `json:"daysLeft"`
	// State is used, expiring, unused or expired.
	State WaiverState `json:"state"`
	File  string      `json:"file"`
	Line  int         `json:"line"`
}

// notice says what somebody should do about an acceptance; empty if nothing.
func (a AcceptedGap) notice() string {
	of := "the acceptance of " + cmp.Or(a.Source, a.Path)
	switch a.State {
	case WaiverExpiring:
		return fmt.Sprintf("%s ends on %s (%s): %s", of, a.Until, left(a.DaysLeft), a.Reason)
	case WaiverUnused:
		return of + " is unused: nothing undetermined matches it; remove it"
	case WaiverExpired:
		return fmt.Sprintf("%s ended on %s and accepts nothing: remove it, or make known what it was for", of, a.Until)
	}
	return ""
}
