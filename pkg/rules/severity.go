package rules

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Severity is how bad a finding is.
type Severity string

// The severities, from the worst. A rule that is off reports nothing.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
	Off     Severity = "off"
)

// Severities lists the severities from the worst.
var Severities = []Severity{Error, Warning, Info, Off}

// Rank is the place of a severity among all: 0 for the worst.
func (s Severity) Rank() int { return slices.Index(Severities, s) }

// ParseSeverity reads the name of a severity.
func ParseSeverity(s string) (Severity, error) {
	if v := Severity(s); slices.Contains(Severities, v) {
		return v, nil
	}
	return "", fmt.Errorf("unknown severity %q: want error, warning, info or off", s)
}

// UnmarshalJSON reads a severity. YAML reads an unquoted off as false, so false is
// off.
func (s *Severity) UnmarshalJSON(b []byte) error { return unmarshalWord(b, (*string)(s)) }

// unmarshalWord reads a word, and false as "off".
func unmarshalWord(b []byte, to *string) error {
	if string(b) == "false" {
		*to = "off"
		return nil
	}
	return json.Unmarshal(b, to)
}

// AtLeast reports whether s is as bad as other or worse; false if either is off.
func (s Severity) AtLeast(other Severity) bool {
	return s != Off && other != Off && s.Rank() <= other.Rank()
}

// raise returns the severity that is so many steps worse, or milder if negative. It
// stays between error and info, and off stays off.
func (s Severity) raise(steps int) Severity {
	if s == Off {
		return Off
	}
	return Severities[min(max(s.Rank()-steps, Error.Rank()), Info.Rank())]
}

// AtMost returns the milder one of two severities.
func (s Severity) AtMost(other Severity) Severity {
	return Severities[max(s.Rank(), other.Rank())]
}

// AtWorst returns the worse one of two severities.
func (s Severity) AtWorst(other Severity) Severity {
	return Severities[min(s.Rank(), other.Rank())]
}

// Counts counts findings by severity.
type Counts struct {
	// Errors, Warnings and Infos are findings that nothing waives.
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	// Waived findings count in none of the three.
	Waived int `json:"waived"`
}

// Add counts a finding of a severity that is waived or not.
func (c *Counts) Add(severity Severity, waived bool) {
	switch {
	case waived:
		c.Waived++
	case severity == Error:
		c.Errors++
	case severity == Warning:
		c.Warnings++
	default:
		c.Infos++
	}
}
