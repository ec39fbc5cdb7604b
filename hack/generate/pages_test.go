package main

import (
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// A rule of no version is none of the first one, nor of any other.
func TestChangelogNeedsSince(t *testing.T) {
	if _, err := changelog([]rules.Rule{{ID: "a", History: rules.History{Since: "0.1.0"}}, {ID: "b"}}); err == nil || !strings.Contains(err.Error(), "rule b: custom.since is missing") {
		t.Errorf("got %v", err)
	}
}
