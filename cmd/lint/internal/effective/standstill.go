package effective

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
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
		if presence.Idle(k.Object) != "" {
			r.stopped(k.Object, release.Standstill{Waiting: e.Waiting(k.FullName())})
		}
		from := r.cluster.Written(r.cluster.Host(k), sources.Ref(k.Object).String())
		r.stopped(from, release.Standstill{Why: fmt.Sprintf(", and Kustomization %s takes what it applies from there", k.FullName())})
		r.stopped(r.template, release.Standstill{})
		r.marked()
		for _, at := range []release.Path{{"spec", "chartRef"}, {"spec", "chart", "spec", "sourceRef"}} {
			if ref, set := r.Value(at); set {
				r.stopped(r.cluster.Written(r.Cluster, sources.ReferenceOf(ref, r.Object).String()), release.Standstill{Chart: true})
			}
		}
		for i := range r.Standstills {
			s := &r.Standstills[i]
			s.Object, s.Why, s.Waiting = l.secrets.Mask(s.Object), l.secrets.Mask(s.Why), l.secrets.MaskAll(s.Waiting)
		}
	}
}

// stopped adds a standstill if the controller of an object does nothing with that. Why is what follows from it.
func (r *Release) stopped(obj map[string]any, is release.Standstill) {
	at, why, certain := presence.Stopped(obj)
	if why != "" {
		is.Object, is.Path = fmt.Sprintf("%v/%s", obj["kind"], variables.Unmark(object.FullName(obj))), at
		is.Why, is.Open = why+is.Why, !certain
		r.Standstills = append(r.Standstills, is)
	}
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
	r.Standstills = append(r.Standstills, release.Standstill{Path: release.Path{"metadata"}, Why: why, Open: variables.Use().MatchString(held.Why)})
}
