package effective

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective/metrics"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/alert"
	"github.com/flux-remedy/remedy/pkg/release"
)

// alerting finds out who learns of the failures of releases, by cluster.
type alerting struct {
	alert.Fleet
	clusters map[string]*clusterAlerts
	fleet    *fleet.Fleet
	metrics  func() *metrics.Rules // of the tree
	built    map[builtKey]bool
}

// builtKey is a file and a cluster that may build from it.
type builtKey struct {
	in            *fleet.Resolved
	cluster, file string
}

// clusterAlerts is a cluster with its Alerts.
type clusterAlerts struct {
	*alert.Cluster
	fleet.Notifications
	unclear func() string // names what makes it unclear
}

// alerting says of releases who learns of their failures.
func (l *loader) alerting(all []*Release) {
	a := &alerting{
		clusters: map[string]*clusterAlerts{}, fleet: l.fleet, built: map[builtKey]bool{},
		metrics: sync.OnceValue(func() *metrics.Rules { return metrics.Read(l.in.Files) }),
	}
	for _, r := range all {
		if w := a.cluster(r); w != nil && r.Tier == release.Production {
			a.Production(r.Cluster, w.Channels(subjectOf(r)))
		}
	}
	for _, r := range all {
		if w := a.cluster(r); w != nil && !strings.Contains(r.Namespace+r.Name, "${") {
			r.Alerting = a.of(r, w)
			l.hide(r.Alerting)
		}
	}
}

// hide masks what Secrets supply of the names of Alerts, Providers and Kustomizations.
func (l *loader) hide(out *release.Alerting) {
	texts := []*string{&out.Metrics, &out.Open, &out.Unclear}
	if m := out.Missed; m != nil {
		texts = append(texts, &m.Alert, &m.Provider)
		for i := range m.Namespaces {
			texts = append(texts, &m.Namespaces[i])
		}
	}
	for i := range out.Noise {
		texts = append(texts, &out.Noise[i].Alert, &out.Noise[i].Provider)
	}
	for i := range out.Shared {
		texts = append(texts, &out.Shared[i].Kustomization, &out.Shared[i].Provider, &out.Shared[i].Other)
	}
	for _, text := range texts {
		*text = l.secrets.Mask(*text)
	}
}

// cluster returns the cluster of a release; nil if it is not known.
func (a *alerting) cluster(r *Release) *clusterAlerts {
	if r.cluster == nil {
		return nil
	}
	if w, ok := a.clusters[r.Cluster]; ok {
		return w
	}
	n := r.cluster.Notifications(r.Cluster)
	for i, obj := range n.Objects {
		n.Objects[i] = resource.Readable(obj)
	}
	alerts := alert.Read(n.Objects, n.SameNamespace)
	w := &clusterAlerts{alerts, n, sync.OnceValue(func() string { return a.named(r, alerts.Unclear()) })}
	for _, k := range n.Kustomizations {
		k = resource.Readable(k)
		a.Report(r.Cluster, object.FullName(k), w.Statuses(k))
	}
	a.clusters[r.Cluster] = w
	return w
}

// of says who learns of the failures of a release.
func (a *alerting) of(r *Release, w *clusterAlerts) *release.Alerting {
	out := &release.Alerting{}
	if told, missed := w.Told(subjectsOf(r)); !told && w.Complete {
		a.untold(out, r, w, missed)
	}
	if r.Tier == release.Development {
		out.Noise = a.Noise(r.Cluster, w.Channels(subjectOf(r)))
	}
	if k := r.chain[0]; !k.Folder {
		out.Shared = a.Shared(r.Cluster, k.FullName())
	}
	return out
}

// untold says of a release that no Alert tells of whether something else does. missed is the
// Alert that comes nearest; without one Git does not say who is told.
func (a *alerting) untold(out *release.Alerting, r *Release, w *clusterAlerts, missed *release.MissedAlert) {
	unclear := len(w.Unclear()) > 0
	if missed == nil && !unclear {
		out.Untold = true
		return
	}
	applied := func(rule metrics.Alert) alert.Certainty { return a.applied(rule, r) }
	switch tells, which := a.metrics().Tells(subjectOf(r), applied); {
	case tells == alert.Yes:
		out.Metrics = which
	case unclear:
		out.Open, out.Unclear = "an Alert or a Provider of the cluster depends on a variable that is not known", w.unclear()
	case tells == alert.Maybe:
		out.Open = "an " + which + " reads the metrics of HelmReleases, but may not be in this cluster, or not be about this release"
	default:
		out.Untold, out.Missed = true, missed
	}
}

// named names the first of some Alerts and Providers that has a variable, with where it stands. It looks in what is written:
// what is built may hold what a Secret supplies.
func (a *alerting) named(r *Release, all []map[string]any) string {
	var names []string
	for _, obj := range all {
		kind := object.String(obj, "kind")
		written := a.fleet.NotificationWritten(r.cluster, r.Cluster, kind+"/"+object.FullName(obj))
		if len(written) == 0 {
			continue
		}
		open := map[string]bool{}
		note := func(_ release.Path, v any) {
			text, _ := v.(string)
			for _, use := range variables.Use().FindAllStringSubmatch(text, -1) {
				open[use[1]] = true
			}
		}
		object.Leaves(nil, decides(obj), note)
		doc, said := written[0].Doc, false
		object.Leaves(nil, decides(written[0].Object), func(at release.Path, v any) {
			text, _ := v.(string)
			for _, use := range variables.Use().FindAllStringSubmatch(text, -1) {
				if open[use[1]] && !said {
					said, names = true, append(names, fmt.Sprintf("the variable is ${%s} in %s of the %s at %s:%d", use[1], at, kind, doc.File.Name, doc.Line))
				}
			}
		})
	}
	slices.Sort(names)
	if len(names) > 1 {
		return fmt.Sprintf("%s, and %d more", names[0], len(names)-1)
	}
	return strings.Join(names, "")
}

// decides returns what decides of whom an Alert or Provider tells.
func decides(obj map[string]any) map[string]any {
	return map[string]any{"metadata": map[string]any{"name": object.Name(obj), "namespace": object.Namespace(obj)}, "spec": obj["spec"]}
}

// applied says whether the cluster of a release has a rule. Whether one of a chart is rendered is up to its values.
func (a *alerting) applied(rule metrics.Alert, r *Release) alert.Certainty {
	switch {
	case rule.Chart != "" && r.cluster.MayInstall(r.Cluster, rule.Chart):
		return alert.Maybe
	case a.builtFrom(builtKey{r.cluster, r.Cluster, rule.File}):
		return alert.Yes
	}
	return alert.No
}

func (a *alerting) builtFrom(key builtKey) bool {
	built, known := a.built[key]
	if !known {
		built = a.fleet.BuiltFrom(key.in, key.cluster, key.file)
		a.built[key] = built
	}
	return built
}
