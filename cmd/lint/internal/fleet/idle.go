package fleet

import (
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
