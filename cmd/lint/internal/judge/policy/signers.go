package policy

import (
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// signerChanges lists the files of keys that hold other ones now. Which files there are, settings say.
func signerChanges(was, are map[string][]string) []report.PolicyChange {
	var out []report.PolicyChange
	for _, name := range sortedKeys(was) {
		if now, is := are[name]; is && !slices.Equal(now, was[name]) {
			out = append(out, report.PolicyChange{What: "verify key " + name, Before: strings.Join(was[name], ", "), After: strings.Join(now, ", "), File: name, Line: 1})
		}
	}
	return out
}

// otherSigners says that others than in the base may sign the bundle, or anybody; "" if it is not so.
// Whatever it holds now, what they sign later would be believed. Keys that only move are the same, and with fewer of
// them, as at the end of a rotation, nobody else may sign.
func otherSigners(was, are map[string][]string) string {
	before, now := fingerprints(was), fingerprints(are)
	switch {
	case len(before) == 0:
		return ""
	case len(now) == 0:
		return "the base has its rules verified by keys, and nothing verifies them now"
	case slices.ContainsFunc(slices.Collect(maps.Keys(now)), func(key string) bool { return !before[key] }):
		return "a key that the base does not have verifies the rules"
	}
	return ""
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
