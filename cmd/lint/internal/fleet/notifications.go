package fleet

import (
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Notifications are the objects of a cluster that say who is told of failures.
type Notifications struct {
	// Objects are its Alerts and Providers, Kustomizations its Flux Kustomizations.
	Objects, Kustomizations []map[string]any
	// SameNamespace is true if Alerts reach only objects of their own namespace.
	SameNamespace bool
	// Complete is true if the tree shows all that is applied to the cluster, so that it
	// has no other Alerts than these.
	Complete bool
}

// Notifications returns them for a cluster by its name: the one of the entry, or a remote
// one.
func (r *Resolved) Notifications(cluster string) Notifications {
	objects := r.pass.objects
	n := Notifications{
		Objects:        slices.Concat(objects.ofKind(cluster, "Alert"), objects.ofKind(cluster, "Provider")),
		Kustomizations: objects.ofKind(cluster, "Kustomization"),
		Complete:       r.pass.described() && !slices.ContainsFunc(r.Failed, hides) && !r.pass.unrendered && !slices.ContainsFunc(objects.ofKind(cluster, "HelmRelease"), bringsAlerts),
	}
	for _, a := range r.pass.installers[cluster] {
		n.SameNamespace = n.SameNamespace || r.pass.isController(a.object, "notification-controller") && locked(a.object) ||
			object.At(controllers.InstanceSpec(a.object), "cluster", "multitenant") == true
	}
	return n
}

// locked reports whether a Deployment of notification-controller keeps Alerts in their own
// namespace.
func locked(deployment map[string]any) bool {
	return slices.ContainsFunc(controllers.ContainersOf(deployment), func(container any) bool {
		args, _ := object.At(container, "args").([]any)
		return slices.Contains(args, any("--no-cross-namespace-refs=true")) || slices.Contains(args, any("--no-cross-namespace-refs"))
	})
}

// bringsAlerts reports whether the chart of a HelmRelease is for notifications, such as
// flux2-notification.
func bringsAlerts(hr map[string]any) bool {
	chart, _ := release.Chart(hr)
	return strings.Contains(chart, "notification")
}

// BuiltFrom reports whether a Kustomization of a cluster, by its name, builds from a file of the
// tree: a resource, a patch, or what a generator takes.
func (f *Fleet) BuiltFrom(r *Resolved, cluster, name string) bool {
	for _, k := range r.pass.applied {
		if r.Target(k) == cluster && k.Blocked == "" && k.Source != nil && (f.Reads(k, name) || entries.Holds(f.Index, k.Source, k.Walk().Parts, name)) {
			return true
		}
	}
	return false
}

// MayInstall reports whether a HelmRelease of a cluster may install the chart in a folder of the
// tree: one that has its path, or its name.
func (r *Resolved) MayInstall(cluster, folder string) bool {
	return slices.ContainsFunc(r.pass.objects.ofKind(cluster, "HelmRelease"), func(hr map[string]any) bool {
		return release.ChartName(hr) == path.Base(folder)
	})
}

// NotificationWritten returns the documents that may be the one of an Alert or Provider
// of a cluster, by Kind/namespace/name, first those that what applies it builds from.
func (f *Fleet) NotificationWritten(r *Resolved, cluster, key string) []manifests.Written {
	kind, name, _ := strings.Cut(key, "/")
	namespace, name, _ := strings.Cut(name, "/")
	all := f.Index.Named(kind, namespace, name)
	found, _ := r.pass.objects.first(cluster, key)
	by := found.by
	if by == nil || by.Source == nil {
		return all
	}
	own := slices.DeleteFunc(slices.Clone(all), func(w manifests.Written) bool { return !f.Reads(by, w.Path) })
	return append(own, all...)
}
