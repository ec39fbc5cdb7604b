package fleet

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
)

// withheld says whether Flux applies what a Kustomization builds: not while the Kustomization or
// its source is suspended, or while it is not known that the cluster has it.
func (p *pass) withheld(k *entries.Kustomization) presence.Held {
	why := k.Skipped
	if why == "" {
		why = presence.Idle(k.Object)
	}
	if why == "" && !k.Folder {
		why = p.idleSource(p.cluster.Host(k), sources.Ref(k.Object))
	}
	if why == "" {
		return presence.Held{}
	}
	p.leaves = true
	return presence.Held{Kind: presence.Skipped, Why: why}
}

// ways returns a Kustomization as it may be on the cluster: with what its suspended source held
// before the change, and with each outcome of its variables.
func (p *pass) ways(k *entries.Kustomization) []*entries.Kustomization {
	var out []*entries.Kustomization
	if frozen := p.frozen(k); frozen != nil {
		out = append(out, frozen)
	}
	for i, v := range p.variables(k) {
		way := k
		if i > 0 {
			other := *k
			way, other.Outcome = &other, true
		}
		way.Variables = v
		out = append(out, way)
	}
	return out
}

// frozen returns a Kustomization with the content that its source had in the base of a change, if
// the source is suspended; nil if it is not, or was not there.
func (p *pass) frozen(k *entries.Kustomization) *entries.Kustomization {
	host, ref := p.cluster.Host(k), sources.Ref(k.Object)
	if k.Folder || p.before == nil || p.idleSource(host, ref) == "" || p.before.nearest(host, ref) == nil && ref.Kind != "ExternalArtifact" {
		return nil
	}
	out := *k
	if reason, _ := p.before.locate(&out); reason != "" {
		return nil
	}
	out.Variables, out.Outcome, out.Frozen = p.variables(k)[0], true, true
	return &out
}
