package fleet

import (
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// publishedAt are the addresses that Flux publishes its manifests at, by the kind of the
// source. What another address holds under the same name is not known.
var publishedAt = map[string]string{"OCIRepository": "oci://ghcr.io/fluxcd/flux-manifests", "GitRepository": "https://github.com/fluxcd/flux2"}

// publishes reports whether a Kustomization applies Flux's own manifests from where they
// are published, and records what it installs. They hold no release.
func (p *pass) publishes(k *Kustomization) bool {
	ref := sourceRef(k.Object)
	source := p.nearest(p.cluster.host(k), ref)
	if at := publishedAt[ref.kind]; at == "" || !sameRepository(object.String(source, "spec", "url"), at) {
		return false
	}
	if in := object.String(k.Object, "spec", "targetNamespace"); object.Namespace(k.Object) != p.fluxNamespace() || in != "" && in != p.fluxNamespace() {
		return true
	}
	version := publishedVersion(source)
	patches, _ := object.At(k.Object, "spec", "patches").([]any)
	_, out := install(p.index.Builder, version, patches, deployment(controllerName), syncObject("GitRepository", "flux-system", ""))
	out.From = fmt.Sprintf("%s %s/%s", ref.kind, ref.namespace, ref.name)
	if out.Controller.Version == "" && out.stopped == "" {
		out.follows = followsReleases(version) && !isPinned(source)
		out.unknown = notOneMinor(out.From, version)
	}
	target := p.cluster.Target(k)
	p.published[target] = append(p.published[target], out)
	return true
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
