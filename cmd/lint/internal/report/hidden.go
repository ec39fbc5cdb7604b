package report

import (
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// hidden counts findings that are not listed.
type hidden map[rules.Severity]int

// String says how to see what is not listed; empty if everything is.
func (h hidden) String() string {
	what, n := h.counted()
	switch n {
	case 0:
		return ""
	case 1:
		return what + " hidden; show it with --min-severity info"
	}
	return what + " hidden; show them with --min-severity info"
}

// counted returns what is not listed, and how much that is.
func (h hidden) counted() (what string, n int) {
	var parts []string
	for _, severity := range rules.Severities {
		if h[severity] > 0 {
			n += h[severity]
			parts = append(parts, count(h[severity], string(severity)))
		}
	}
	return strings.Join(parts, " and "), n
}
