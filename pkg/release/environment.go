package release

import (
	"slices"
	"strings"
)

// tierWords are the words in names of clusters and environments that stand for a
// tier. What is between development and production, or may be either, is staging.
var tierWords = map[string]Tier{
	"prod": Production, "production": Production, "prd": Production, "live": Production,

	"nonprod": Staging, "nonprd": Staging, "nonproduction": Staging,
	"preprod": Staging, "preprd": Staging, "preproduction": Staging,
	"staging": Staging, "stage": Staging, "stg": Staging,
	"uat": Staging, "qa": Staging, "acc": Staging, "acceptance": Staging, "aat": Staging,
	"int": Staging, "integration": Staging, "sit": Staging, "ithc": Staging,
	"perf": Staging, "perftest": Staging, "demo": Staging,

	"dev": Development, "development": Development, "sandbox": Development, "sbox": Development,
	"test": Development, "tests": Development, "testing": Development, "tst": Development,
	"e2e": Development, "ci": Development, "lab": Development, "playground": Development,
	"preview": Development, "local": Development,
	"kind": Development, "minikube": Development, "k3d": Development, // clusters on one machine
}

// wholeWords are those tierWords that mean something else as a part of a longer name:
// local-path, live-tv, home-lab, data-integration, ci-runners.
var wholeWords = []string{
	"live", "local", "lab", "preview", "int", "integration", "ci", "sit", "perf", "demo", "acceptance", "tests",
}

// purposes are words after which a name is that of a tool for an environment, and not
// of the environment: dev-tools, test-results.
var purposes = []string{"tool", "tools", "tooling", "toolbox", "result", "results", "harness", "runner", "runners", "portal"}

// tierVars are the substitution variables that name an environment.
var tierVars = []string{
	"ENVIRONMENT", "environment", "CLUSTER_ENVIRONMENT", "cluster_environment", "CLUSTER_ENV", "cluster_env",
	"CLUSTER_TYPE", "clusterType", "ENV", "env",
}

// tierOfPath returns the strictest tier that the folders of a path name.
func tierOfPath(path string) (Tier, bool) {
	return tierOf(strings.Split(path, "/"), func(dirs []string, i int) (Tier, bool) { return tierOfWords(dirs[i]) })
}

// tierOfWords returns the strictest tier that the words of a name stand for: prod-eu,
// shop_staging, prod2, non-prod.
func tierOfWords(name string) (Tier, bool) { return tierOf(wordsOf(name), tierOfWord) }

// tierOf returns the strictest tier of the parts of a name.
func tierOf(parts []string, of func(parts []string, i int) (Tier, bool)) (found Tier, ok bool) {
	for i := range parts {
		if tier, names := of(parts, i); names && (!ok || tier.stricter(found)) {
			found, ok = tier, true
		}
	}
	return found, ok
}

// wordsOf returns the words of a name, without numbers at their ends. Non-prod and
// pre-prod are one word, for they are not production.
func wordsOf(name string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("/._-@: ", r) }) {
		word = strings.TrimRight(word, "0123456789")
		switch n := len(out); {
		case word == "":
		case n > 0 && (out[n-1] == "non" || out[n-1] == "pre") && tierWords[word] == Production:
			out[n-1] += word
		default:
			out = append(out, word)
		}
	}
	return out
}

// tierOfWord returns the tier that a word stands for among the words of a name.
func tierOfWord(words []string, i int) (Tier, bool) {
	tier, ok := tierWords[words[i]]
	switch {
	case !ok || len(words) > 1 && slices.Contains(wholeWords, words[i]):
		return "", false
	case tier != Production && slices.ContainsFunc(words, func(word string) bool { return slices.Contains(purposes, word) }):
		return "", false
	}
	return tier, true
}

// anyTier stands for a word that names a tier.
const anyTier = "*"

// withoutTier returns a name with the words that name a tier replaced, so that the
// names of environments that differ in nothing else are the same.
func withoutTier(name string) string {
	words := wordsOf(name)
	out := slices.Clone(words)
	for i := range words {
		if _, ok := tierOfWord(words, i); ok {
			out[i] = anyTier
		}
	}
	return strings.Join(out, "-")
}
