package effective

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// standstills says of releases what commits to them stop at, where one Kustomization applies them.
func (l *loader) standstills(all []*Release) {
	for _, r := range all {
		e := r.estate()
		if e == nil || r.Settings == nil || e.Shared(r.Release) {
			continue
		}
		k := r.cluster.Current(r.chain[0])
		if itself := stillOf(k.Object); itself != nil {
			itself.Waiting = e.Waiting(k.FullName())
			r.stand(release.OfRelease, itself)
		}
		r.stand(release.OfRelease, r.stillSource(k), stillOf(r.template))
		r.marked()
		for _, at := range []release.Path{{"spec", "chartRef"}, {"spec", "chart", "spec", "sourceRef"}} {
			if ref, set := r.Value(at); set {
				r.stand(release.OfChart, r.stillChart(sources.ReferenceOf(ref, r.Object)))
			}
		}
		for _, k := range r.chain {
			r.stand(release.OfAbove, r.stillAbove(k)...)
		}
		for i := range r.Standstills {
			s := &r.Standstills[i]
			s.Object, s.Why, s.Waiting = l.secrets.Mask(s.Object), l.secrets.Mask(s.Why), l.secrets.MaskAll(s.Waiting)
		}
	}
}

// stand adds standstills that are not nil, of objects of which nothing is said yet.
func (r *Release) stand(of release.StandstillOf, all ...*release.Standstill) {
	for _, s := range all {
		if s != nil && !slices.ContainsFunc(r.Standstills, func(other release.Standstill) bool { return other.Object == s.Object }) {
			s.Of = of
			r.Standstills = append(r.Standstills, *s)
		}
	}
}

// stillOf returns a standstill if the controller of an object does nothing with that; nil if it does.
func stillOf(obj map[string]any) *release.Standstill {
	at, why, certain := presence.Stopped(obj)
	if why == "" {
		return nil
	}
	return &release.Standstill{Object: fmt.Sprintf("%v/%s", obj["kind"], variables.Unmark(object.FullName(obj))), Path: at, Why: why, Open: !certain}
}

// stillSource is [stillOf] of the source of a Kustomization.
func (r *Release) stillSource(k *entries.Kustomization) *release.Standstill {
	still := stillOf(r.cluster.Written(r.cluster.Host(k), sources.Ref(k.Object).String()))
	if still != nil {
		still.Why += fmt.Sprintf(", and Kustomization %s takes what it applies from there", k.FullName())
	}
	return still
}

// stillChart is [stillOf] of the source of a chart. Of a HelmRepository that is suspended other versions are still taken, by the
// index that it has or, with "type: oci", from the registry. Source: reconcileSource in helmchart_controller.go of source-controller.
func (r *Release) stillChart(ref sources.Reference) *release.Standstill {
	if kind, _ := object.KindOf(ref.Kind); kind.Role == object.Charts {
		return nil
	}
	return stillOf(r.cluster.Written(r.Cluster, ref.String()))
}

// stillAbove returns why a Kustomization stays as it is on the cluster, for each that applies it; nil if one of them goes on.
func (r *Release) stillAbove(k *entries.Kustomization) []*release.Standstill {
	var out []*release.Standstill
	open := false
	for _, by := range r.cluster.Appliers(k) {
		if by == nil {
			return nil
		}
		still := cmp.Or(stillOf(by.Object), r.stillSource(by))
		if still == nil {
			return nil
		}
		open = open || still.Open
		out = append(out, still)
	}
	for _, still := range out {
		still.Open = open
	}
	return out
}

// marked adds a standstill if a release that no ResourceSet renders says of itself that Flux does not apply it.
func (r *Release) marked() {
	held := presence.Marked(r.Object, applierKind)
	if r.template != nil || held.Kind == presence.AsWritten {
		return
	}
	why := "it has " + held.Why
	if held.Kind == presence.Created {
		why = "it is created and then left as it is, by " + held.Why
	}
	r.stand(release.OfRelease, &release.Standstill{Path: release.Path{"metadata"}, Why: why, Open: variables.Use().MatchString(held.Why)})
}
