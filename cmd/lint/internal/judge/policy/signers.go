package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// signerChanges lists the files of keys that hold other ones now. Which files there are, settings say.
func (c *comparison) signerChanges() []report.PolicyChange {
	var out []report.PolicyChange
	for _, name := range sortedKeys(c.base.Signers) {
		if now, is := c.now.Signers[name]; is && !slices.Equal(now, c.base.Signers[name]) {
			before, after := strings.Join(c.base.Signers[name], ", "), strings.Join(now, ", ")
			out = append(out, report.PolicyChange{What: "verify key " + name, Before: before, After: after, File: name, Line: 1})
		}
	}
	return out
}

// signerFindings says where others than in the base may sign the bundle, or anybody. Whatever it holds
// now, what they sign later would be believed. Keys that only move are the same, and with fewer of them, as at the end
// of a rotation, nobody else may sign.
func (c *comparison) signerFindings() []report.Finding {
	before, now := fingerprints(c.base.Signers), fingerprints(c.now.Signers)
	other := slices.ContainsFunc(slices.Collect(maps.Keys(now)), func(key string) bool { return !before[key] })
	if len(before) == 0 || len(now) > 0 && !other {
		return nil
	}
	why := "a key that the base does not have verifies the rules"
	if len(now) == 0 {
		why = "the base has its rules verified by keys, and nothing verifies them now"
	}
	changes := c.signerChanges()
	for _, s := range c.settings {
		if s.is("policies", "verifyKeys") {
			changes = append(changes, s.PolicyChange)
		}
	}
	var out []report.Finding
	for _, change := range changes {
		out = append(out, c.weakened(change, why, rules.Error))
	}
	return out
}

// fingerprints is the set of the keys that files hold.
func fingerprints(files map[string][]string) map[string]bool {
	out := map[string]bool{}
	for _, keys := range files {
		for _, key := range keys {
			out[key] = true
		}
	}
	return out
}
