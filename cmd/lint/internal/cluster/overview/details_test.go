package overview

import (
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
)

// The details of a release come in the order of why: what is not understood, what holds it up, and since when.
func TestDetails(t *testing.T) {
	r := Release{Condition: Condition{Since: "2026-01-02T03:04:05Z"}, HeldUpBy: []standstill.Chain{{State: "failed"}}, Unfamiliar: []string{"reason New"}, Outlook: Outlook{Next: []string{"nothing"}}}
	var labels []string
	for _, line := range r.details() {
		labels = append(labels, strings.Fields(line)[0])
	}
	if got := strings.Join(labels, " "); got != "unknown held since next" {
		t.Error(got)
	}
}
