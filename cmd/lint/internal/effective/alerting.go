package effective

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/alert"
	"github.com/flux-remedy/remedy/pkg/release"
)

// alerting finds out who learns of the failures of releases, by cluster.
type alerting struct {
	alert.Fleet
	clusters map[string]*clusterAlerts
	// metrics are the rules of the tree on the metrics of Flux.
	metrics func() *metrics
}

// clusterAlerts is a cluster with its Alerts.
type clusterAlerts struct {
	*alert.Cluster
	fleet.Notifications
}

// alerting says of releases who learns of their failures.
func (l *loader) alerting(all []*Release) {
	a := &alerting{clusters: map[string]*clusterAlerts{}, metrics: sync.OnceValue(l.readMetrics)}
	for _, r := range all {
		if w := a.cluster(r); w != nil && r.Tier == release.Production {
			a.Production(r.Cluster, w.Channels(subjectOf(r)))
		}
	}
	for _, r := range all {
		if w := a.cluster(r); w != nil && !strings.Contains(r.Namespace+r.Name, "${") {
			r.Alerting = a.of(r, w)
		}
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
		n.Objects[i] = plain(obj)
	}
	w := &clusterAlerts{alert.Read(n.Objects, n.SameNamespace), n}
	for _, k := range n.Kustomizations {
		k = plain(k)
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
	if missed == nil && !w.Unclear() {
		out.Untold = true
		return
	}
	switch tells, which := a.metrics().tells(r); {
	case tells == alert.Yes:
		out.Metrics = which
	case w.Unclear():
		out.Open = "an Alert or a Provider of the cluster depends on a variable that is not known"
	case tells == alert.Maybe:
		out.Open = "an " + which + " reads the metrics of HelmReleases, but may not be in this cluster, or not be about this release"
	default:
		out.Untold, out.Missed = true, missed
	}
}

// plain returns a copy of a built object as it reads, with unknown variables as ${NAME}.
func plain(obj map[string]any) map[string]any {
	raw, err := json.Marshal(trace.Without(obj))
	var out map[string]any
	if err != nil || json.Unmarshal(raw, &out) != nil {
		return obj
	}
	out, _ = variables.UnmarkAll(out).(map[string]any)
	return out
}
