package fleet

import (
	"context"
	"path"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// entry applies a Kustomization that may be in its own output, as after flux bootstrap.
// Then it is replaced by the one in the output, until nothing changes.
func (p *pass) entry(ctx context.Context, k *entries.Kustomization) error {
	if own := p.ownIn(k); own != nil {
		k = own
	}
	stable := false
	for range maxPasses {
		self := p.self(k)
		stable = object.At(self, "spec", "sourceRef") == nil || entries.SameSpec(self, k.Object)
		if stable {
			break
		}
		k.Object = self
	}
	if k.Source != nil && p.dir == "" {
		p.dir = path.Join(p.root.Dir, k.Dir)
	}
	if !stable {
		p.fail(k, "applies itself, each time with other settings")
	}
	return p.apply(ctx, k)
}

// ownIn returns the Kustomization in the output of a folder that builds this same folder,
// as patches have it; nil if there is none. Somebody applied it by hand, and what it hands
// out holds for all the others, in whatever order they are listed.
func (p *pass) ownIn(k *entries.Kustomization) *entries.Kustomization {
	if !k.Folder {
		return nil
	}
	for _, res := range p.index.Builder.Build(k.Source, k.Dir, k.Object).Resources {
		if res.Kind != "Kustomization" {
			continue
		}
		obj, err := res.Object()
		if err != nil || !object.IsKustomization(obj) || object.At(obj, "spec", "sourceRef") == nil {
			continue
		}
		own, root := &entries.Kustomization{Object: obj}, p.root
		own.File, own.Line = p.index.Place(obj)
		if reason, _ := p.locate(own); reason == "" && own.Source.Own && path.Join(p.root.Dir, own.Dir) == path.Clean(k.Dir) {
			p.selfApplied = true
			return own
		}
		p.root = root
	}
	return nil
}

// self returns the Kustomization as it is in its own output; nil if it is not there.
func (p *pass) self(k *entries.Kustomization) map[string]any {
	if reason, _ := p.locate(k); k.Folder || reason != "" {
		return nil
	}
	out := p.index.Builder.Build(k.Source, k.Dir, k.Object)
	k.Variables = p.variables(k)[0]
	objects := out.Under(&k.Variables)
	for i, res := range out.Resources {
		if res.Kind == "Kustomization" && res.Name == object.Name(k.Object) && res.Namespace == object.Namespace(k.Object) {
			if obj, _, err := objects.Object(i); err == nil {
				return obj
			}
		}
	}
	return nil
}
