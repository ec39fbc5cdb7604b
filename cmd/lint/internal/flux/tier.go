package flux

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// tierKey is the annotation or label that puts a release or a namespace in a tier.
const tierKey = "flux-remedy.io/tier"

// tierWords are the words of names and paths that tell a tier.
var tierWords = map[string]release.Tier{
	"prod": release.Production, "production": release.Production, "prd": release.Production, "live": release.Production,
	"nonprod": release.Staging, "preprod": release.Staging, "staging": release.Staging, "stage": release.Staging,
	"stg": release.Staging, "uat": release.Staging, "qa": release.Staging, "acc": release.Staging,
	"dev": release.Development, "development": release.Development, "sandbox": release.Development, "sbox": release.Development,
	"test": release.Development, "lab": release.Development, "preview": release.Development, "local": release.Development,
}

// wholeWords are those of them that say nothing as a part of a longer name:
// local-path, live-tv, home-lab.
var wholeWords = []string{"live", "local", "lab", "preview"}

// tierVars are the substitution variables that name an environment.
var tierVars = []string{
	"ENVIRONMENT", "environment", "cluster_env", "CLUSTER_ENV", "clusterType", "CLUSTER_TYPE", "env", "ENV",
}

// evidence is what is known of a release that may tell its tier.
type evidence struct {
	object    map[string]any
	namespace map[string]any    // the Namespace object; nil if unknown
	place     rules.Place       // of the release's own document
	vars      map[string]string // of postBuild, from all Kustomizations on the way
	entry     string            // the folder that the cluster is applied from; "" for a spoke
	name      string            // of the cluster; of a spoke without that of its hub
	overlays  []string          // the folders on the way, outermost first
	hub       string            // the folder that the hub of a spoke is applied from
}

// tierOf gives the tier of a release and says which fact decided: what is
// written on the object, then what the configuration says, then the nearest
// thing to a name of the environment.
func tierOf(config *rules.Config, e evidence) (release.Tier, string) {
	if tier, from := marked(e.object, "on the release"); from != "" {
		return tier, from
	}
	if tier, from := marked(e.namespace, "on its namespace"); from != "" {
		return tier, from
	}
	if tier, ok := config.TierOf(e.place); ok {
		return tier, "configuration"
	}
	for _, name := range tierVars {
		if tier, ok := tierOfWords(e.vars[name]); ok {
			return tier, fmt.Sprintf("variable %s=%s", name, e.vars[name])
		}
	}
	if tier, ok := tierOfPath(e.entry); ok {
		return tier, "cluster folder " + e.entry
	}
	if tier, ok := tierOfWords(e.name); ok {
		return tier, "cluster name " + e.place.Cluster
	}
	for _, dir := range e.overlays {
		if tier, ok := tierOfPath(dir); ok {
			return tier, "folder " + dir
		}
	}
	if tier, ok := tierOfWords(e.place.Namespace); ok {
		return tier, "namespace " + e.place.Namespace
	}
	if tier, ok := tierOfPath(e.hub); ok {
		return tier, "cluster folder of the hub " + e.hub
	}
	return config.DefaultTier(), "default"
}

// marked reads the tier from an object's annotation, then from its label.
func marked(object map[string]any, where string) (release.Tier, string) {
	for _, field := range []string{"annotations", "labels"} {
		value, ok := nested(object, "metadata", field, tierKey).(string)
		if !ok {
			continue
		}
		from := fmt.Sprintf("%s %s %s", strings.TrimSuffix(field, "s"), tierKey, where)
		if tier, ok := tierOfWords(value); ok {
			return tier, from
		}
		return release.Production, fmt.Sprintf("%s, whose %q names no tier: taken for the strictest", from, value)
	}
	return "", ""
}

// tierOfPath looks for a word from the outermost folder inwards, because the
// cluster's marker beats a folder below it. In between apps/ and the last
// folder a development word counts for nothing: apps/dev/forgejo is a tool for
// developers.
func tierOfPath(path string) (release.Tier, bool) {
	dirs := strings.Split(path, "/")
	named := false
	for i, dir := range dirs {
		tier, ok := tierOfWords(dir)
		if ok && (tier != release.Development || !named || i == len(dirs)-1) {
			return tier, true
		}
		named = named || dir == "apps" || dir == "applications"
	}
	return "", false
}

// tierOfWords reads one name: prod-eu, shop_staging, prod2, non-prod.
func tierOfWords(name string) (release.Tier, bool) {
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

// negated joins non-prod and pre-prod, which are no production.
func negated(before, word string) string {
	if before == "non" || before == "pre" {
		return before + "prod"
	}
	return word
}
