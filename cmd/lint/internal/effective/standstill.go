package effective

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// standstills says of releases what commits to them stop at.
func standstills(all []*Release) {
	for _, r := range all {
		if e := r.estate(); e != nil && r.Settings != nil {
			r.Standstills = slices.Concat(e.Standstills(r.cluster, r.chain[0]), r.marked(), r.chartStandstill())
		}
	}
}

// marked says whether a release says of itself, or the ResourceSet that renders it, that Flux does not apply it.
func (r *Release) marked() []release.Standstill {
	why := presence.Still(r.template)
	switch held := presence.Marked(r.Object, applierKind); {
	case r.template != nil:
	case held.Kind == presence.Skipped:
		why = "it has " + held.Why
	case held.Kind == presence.Created:
		why = "it is created and then left as it is, by " + held.Why
	}
	if why == "" {
		return nil
	}
	return []release.Standstill{{Path: release.Path{"metadata"}, Why: why, Of: release.OfRelease, Waiting: []string{}}}
}

// chartStandstill says whether what the chart of a release comes from is suspended. What the index of a HelmRepository has
// stays known; one of OCI has none, and nothing is done with it anyway.
func (r *Release) chartStandstill() []release.Standstill {
	for _, at := range []release.Path{{"spec", "chartRef"}, {"spec", "chart", "spec", "sourceRef"}} {
		ref, set := r.Value(at)
		if !set {
			continue
		}
		from := sources.ReferenceOf(ref, r.Object)
		source := r.cluster.Object(r.Cluster, from.String())
		if from.Kind == "HelmChart" && presence.Still(source) == "" {
			from = sources.ReferenceOf(object.At(source, "spec", "sourceRef"), source)
			source = r.cluster.Object(r.Cluster, from.String())
		}
		if why := presence.Still(source); why != "" && object.String(source, "spec", "type") != "oci" {
			return []release.Standstill{{Path: at, Why: why, Of: release.OfChart, Waiting: []string{}}}
		}
	}
	return nil
}
