package policy

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Side is a state with the policy that it is judged by.
type Side struct {
	judge.State
	Config judge.Configuration
	// Engine has the rules; it is the same on both sides if they are.
	Engine *rules.Engine
	// Rules are the folders of rules of one's own.
	Rules []Folder
	// Signers are the fingerprints of the keys that verify the bundle which the configuration names, by the
	// names of these; empty if nothing verifies it.
	Signers map[string][]string
	// Inputs are what was read.
	Inputs []effective.Input
}
