package vap

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// knownInstall and knownUpgrade are whether it is known what a half h does on failure.
var (
	knownInstall = fmt.Sprintf("h.strategy in ['%s', '%s']", release.RetryOnFailure, release.RemediateOnFailure)
	knownUpgrade = fmt.Sprintf("h.strategy == '%s' || h.strategy == '%s' && h.remediation in ['%s', '%s']",
		release.RetryOnFailure, release.RemediateOnFailure, release.Rollback, release.Uninstall)
)

// knownBoth is whether it is known what both halves of some settings s do on failure.
var knownBoth = fmt.Sprintf("[s.install].all(h, %s) && [s.upgrade].all(h, %s)", knownInstall, knownUpgrade)

// unknownAnnotation names the fields of failure settings, and those with a value, that are
// not known here: the API server is newer. There is none where all is known.
func unknownAnnotation() annotation {
	var parts []string
	fields := release.FailureFields()
	for _, above := range slices.Sorted(maps.Keys(fields)) {
		parts = append(parts, fmt.Sprintf("object.?%s.orValue({}).filter(k, !(k in [%s])).map(k, '%s.' + k)",
			strings.ReplaceAll(above, ".", ".?"), quoted(fields[above]), above))
	}
	words := release.FailureWords()
	for _, field := range slices.Sorted(maps.Keys(words)) {
		parts = append(parts, fmt.Sprintf("[object.?%s.orValue('%s')].filter(v, !(v in [%s])).map(v, '%s')",
			strings.ReplaceAll(field, ".", ".?"), words[field][0], quoted(words[field]), field))
	}
	return annotation{"unknown", "(" + strings.Join(parts, " +\n") + ").join(',')"}
}

func quoted(words []string) string { return "'" + strings.Join(words, "', '") + "'" }
