package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// owner is who set a field, as the API server notes it.
type owner struct {
	path    release.Path
	manager string
	at      string
}

// applierManagers are the managers by which Flux applies what Git says.
var applierManagers = []string{"kustomize-controller", "helm-controller", "flux-operator"}

// ownersOf returns who set fields of the spec, besides what applies it.
func ownersOf(of map[string]any) []owner {
	entries, _ := object.At(of, "metadata", "managedFields").([]any)
	var all []owner
	for _, e := range entries {
		manager := object.String(e, "manager")
		spec, ok := object.At(e, "fieldsV1", "f:spec").(map[string]any)
		if !ok || object.At(e, "subresource") != nil || slices.Contains(applierManagers, manager) {
			continue
		}
		for _, path := range leaves(release.Path{"spec"}, spec) {
			all = append(all, owner{path, manager, object.String(e, "time")})
		}
	}
	slices.SortStableFunc(all, func(a, b owner) int { return cmp.Compare(a.path.String(), b.path.String()) })
	return all
}

// leaves returns the fields that a set of managed fields names. Of a list it names the
// list: its items have keys that are no paths.
func leaves(at release.Path, fields map[string]any) []release.Path {
	var all []release.Path
	for key, inner := range fields {
		name, ok := strings.CutPrefix(key, "f:")
		if !ok {
			continue
		}
		path := append(at[:len(at):len(at)], name)
		below, _ := inner.(map[string]any)
		found := leaves(path, below)
		if len(found) == 0 {
			found = []release.Path{path}
		}
		all = append(all, found...)
	}
	return all
}
