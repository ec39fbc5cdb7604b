package kustomize

import "testing"

// What kustomize would fetch must never reach it.
func TestIsRemote(t *testing.T) {
	for entry, want := range map[string]bool{
		"https://example.com/install.yaml":                  true,
		"http://example.com/install.yaml":                   true,
		"github.com/example/operator//config?ref=v1":        true,
		"github.com/example/operator/config/crd":            true,
		"git@github.com:example/operator.git//config":       true,
		"ssh://git@example.com/operator//config":            true,
		"git::https://example.com/operator":                 true,
		"org-1234@github.com:example/operator.git?ref=main": true,
		"oci://example.com/base":                            true,
		"example.com/operator.git//config":                  true,
		"../base":                                           false,
		"base/github.com":                                   false,
		"apps+extras/app.yaml":                              false,
		"./release@v2.yaml":                                 false,
		"":                                                  false,
	} {
		if got := IsRemote(entry); got != want {
			t.Errorf("IsRemote(%q) = %v", entry, got)
		}
	}
}
