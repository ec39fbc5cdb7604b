package flux

import (
	"encoding/json"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/alert"
	"github.com/flux-remedy/remedy/pkg/release"
)

// alerting finds out who learns of the failures of releases, by cluster.
type alerting struct {
	alert.Fleet
	clusters map[string]*watched
	// onMetrics reports whether something of the tree alerts on the metrics of Flux.
	onMetrics func() bool
}

// watched is a cluster with its Alerts.
type watched struct {
	*alert.Cluster
	fleet.Notifications
}

// alerting says of releases who learns of their failures.
func (l *loader) alerting(all []*Release) {
	a := &alerting{clusters: map[string]*watched{}, onMetrics: sync.OnceValue(l.alertsOnMetrics)}
	for _, r := range all {
		if w := a.cluster(r); w != nil && r.Tier == release.Production {
			a.Production(r.Cluster, w.Channels(r.subject()))
		}
	}
	for _, r := range all {
		if w := a.cluster(r); w != nil && !strings.Contains(r.Namespace+r.Name, "${") {
			r.Alerting = a.of(r, w)
		}
	}
}

// cluster returns the cluster of a release; nil if it is not known.
func (a *alerting) cluster(r *Release) *watched {
	if r.origins.cluster == nil {
		return nil
	}
	if w, ok := a.clusters[r.Cluster]; ok {
		return w
	}
	n := r.origins.cluster.Notifications(r.Cluster)
	for i, obj := range n.Objects {
		n.Objects[i] = plain(obj)
	}
	w := &watched{alert.Read(n.Objects, n.SameNamespace), n}
	for _, k := range n.Kustomizations {
		k = plain(k)
		a.Report(r.Cluster, object.FullName(k), w.Statuses(k))
	}
	a.clusters[r.Cluster] = w
	return w
}

// of says who learns of the failures of a release.
func (a *alerting) of(r *Release, w *watched) *release.Alerting {
	out := &release.Alerting{}
	if told, missed := w.Told(r.subjects()); !told && w.Complete && !w.Unclear() && !a.onMetrics() {
		out.Untold, out.Missed = true, missed
	}
	if r.Tier == release.Development {
		out.Noise = a.Noise(r.Cluster, w.Channels(r.subject()))
	}
	if k := r.origins.chain[0]; !k.Folder {
		out.Shared = a.Shared(r.Cluster, k.FullName())
	}
	return out
}

// plain returns a copy of a built object as it reads, with unknown variables as ${NAME}.
func plain(obj map[string]any) map[string]any {
	raw, err := json.Marshal(trace.Without(obj))
	var out map[string]any
	if err != nil || json.Unmarshal(raw, &out) != nil {
		return obj
	}
	build.UnmarkAll(out)
	return out
}
