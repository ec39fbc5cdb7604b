package release

import (
	"slices"
	"strings"
)

// tierWords are the words in names and paths that stand for a tier.
var tierWords = map[string]Tier{
	"prod": Production, "production": Production, "prd": Production, "live": Production,
	"nonprod": Staging, "preprod": Staging, "staging": Staging, "stage": Staging,
	"stg": Staging, "uat": Staging, "qa": Staging, "acc": Staging,
	"dev": Development, "development": Development, "sandbox": Development, "sbox": Development,
	"test": Development, "lab": Development, "preview": Development, "local": Development,
}

// wholeWords are those tierWords that mean nothing as a part of a longer name:
// local-path, live-tv, home-lab.
var wholeWords = []string{"live", "local", "lab", "preview"}

// tierVars are the substitution variables that name an environment, in the
// order in which they are asked.
var tierVars = []string{
	"ENVIRONMENT", "environment", "cluster_env", "CLUSTER_ENV", "clusterType", "CLUSTER_TYPE", "env", "ENV",
}

// tierOfPath looks for a tier in the folders of a path, from the outermost
// inwards, because the cluster's folder decides over a folder below it. Between
// apps/ and the last folder a development word means nothing: apps/dev/forgejo
// is a tool for developers.
func tierOfPath(path string) (Tier, bool) {
	dirs := strings.Split(path, "/")
	inApps := false
	for i, dir := range dirs {
		tier, ok := tierOfWords(dir)
		if ok && (tier != Development || !inApps || i == len(dirs)-1) {
			return tier, true
		}
		inApps = inApps || dir == "apps" || dir == "applications"
	}
	return "", false
}

// tierOfWords looks for a tier in one name: prod-eu, shop_staging, prod2,
// non-prod.
func tierOfWords(name string) (Tier, bool) {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("/._-@:", r) })
	for i, word := range words {
		word = strings.TrimRight(word, "0123456789")
		if i > 0 && slices.Contains([]string{"prod", "production"}, word) {
			word = negated(words[i-1], word)
		}
		tier, ok := tierWords[word]
		if ok && (len(words) == 1 || !slices.Contains(wholeWords, word)) {
			return tier, true
		}
	}
	return "", false
}

// negated joins non-prod and pre-prod, which are not production.
func negated(before, word string) string {
	if before == "non" || before == "pre" {
		return before + "prod"
	}
	return word
}
