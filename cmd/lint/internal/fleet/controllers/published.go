package controllers

import (
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// publishedAt are the addresses that Flux publishes its manifests at, by the kind of the
// source. What another address holds under the same name is not known.
var publishedAt = map[string]string{"OCIRepository": "oci://ghcr.io/fluxcd/flux-manifests", "GitRepository": "https://github.com/fluxcd/flux2"}

// Publishes reports whether Flux publishes its manifests where a source of a kind is.
func Publishes(kind string, source map[string]any) bool {
	at := publishedAt[kind]
	return at != "" && object.SameRepository(object.String(source, "spec", "url"), at)
}

// OfPublished returns what is installed by Flux's own manifests, with patches, from where they are published. From names
// the source.
func OfPublished(builder *build.Builder, from string, source map[string]any, patches []any) (out Installation) {
	version := publishedVersion(source)
	_, out = install(builder, version, patches, deployment(Helm))
	out.From = from
	if out.Controller.Version == "" && out.Unknown == "" {
		out.follows = followsReleases(version) && !isPinned(source)
		out.Unknown = notOneMinor(from, version)
	}
	return out
}

// isPinned reports whether a source names one revision by its content.
func isPinned(source map[string]any) bool {
	return object.String(source, "spec", "ref", "commit") != "" || object.String(source, "spec", "ref", "digest") != ""
}

// publishedVersion returns the release or range of releases that a source names.
func publishedVersion(source map[string]any) string {
	for _, field := range []string{"tag", "semver", "name"} {
		if ref := object.String(source, "spec", "ref", field); ref != "" {
			return strings.TrimPrefix(ref, "refs/tags/")
		}
	}
	return ""
}
