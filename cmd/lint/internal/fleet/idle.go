package fleet

import (
	"cmp"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// idleSource returns why Flux does not fetch a source any more; "" if it does. Of an artifact that
// is generator's, that is so of the ArtifactGenerator or of what that copies from.
func (o *origins) idleSource(cluster string, ref sources.Reference) string {
	if obj := o.object(cluster, ref.String()); obj != nil {
		return presence.Idle(obj)
	}
	if why := o.known().skipped(cluster, ref.String()); why != "" || ref.Kind != "ExternalArtifact" {
		return why
	}
	for _, generator := range o.generators(cluster) {
		if made, err := o.generated(cluster, generator, ref.Name); err != nil || made == nil || object.Namespace(generator) != ref.Namespace {
			continue
		}
		if why := presence.Idle(generator); why != "" {
			return why
		}
		list, _ := object.At(generator, "spec", "sources").([]any)
		for _, item := range list {
			if from := sources.ReferenceOf(item, generator); from != ref {
				if why := o.idleSource(cluster, from); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// Still says why Flux fetches the source of a Kustomization no more, and why what applies the Kustomization leaves that as
// it is; "" if it does not.
func (r *Resolved) Still(k *entries.Kustomization) (source, itself string) {
	by := k.Parent
	if by == nil || by.Folder || by.FullName() == k.FullName() {
		return r.stillSource(k), ""
	}
	by = r.Current(by)
	return r.stillSource(k), cmp.Or(presence.Marked(k.Object, "Kustomization").Why, presence.Still(by.Object), r.stillSource(by))
}

func (r *Resolved) stillSource(k *entries.Kustomization) string {
	ref := sources.Ref(k.Object)
	if obj := r.Object(r.Host(k), ref.String()); obj != nil {
		return presence.Still(obj)
	}
	return r.pass.idleSource(r.Host(k), ref)
}
