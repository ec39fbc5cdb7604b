package rules

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Severity says how bad a finding is.
type Severity string

// The severities, from the worst. A rule that is off is not reported.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
	Off     Severity = "off"
)

// Severities lists the severities from the worst.
var Severities = []Severity{Error, Warning, Info, Off}

// ParseSeverity reads the name of a severity.
func ParseSeverity(s string) (Severity, error) {
	if v := Severity(s); slices.Contains(Severities, v) {
		return v, nil
	}
	return "", fmt.Errorf("unknown severity %q: want error, warning, info or off", s)
}

// UnmarshalJSON reads a severity; a bare off is false in YAML.
func (s *Severity) UnmarshalJSON(b []byte) error { return unmarshalWord(b, (*string)(s)) }

// unmarshalWord reads a word that may be off, which YAML 1.1 takes for false.
func unmarshalWord(b []byte, to *string) error {
	if string(b) == "false" {
		*to = "off"
		return nil
	}
	return json.Unmarshal(b, to)
}

// AtLeast reports whether s is as bad as other or worse. Nothing is as bad as a
// severity that is off.
func (s Severity) AtLeast(other Severity) bool {
	return s != Off && other != Off && slices.Index(Severities, s) <= slices.Index(Severities, other)
}

// raise returns the severity that many steps worse (milder if negative), never
// beyond error and info; off stays off.
func (s Severity) raise(steps int) Severity {
	if s == Off {
		return Off
	}
	worst, mildest := 0, slices.Index(Severities, Info)
	return Severities[min(max(slices.Index(Severities, s)-steps, worst), mildest)]
}
