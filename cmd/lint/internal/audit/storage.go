package audit

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/live"
	"github.com/flux-remedy/remedy/internal/slim"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
)

// records are the newest of Helm's records, by the namespace and the name of the Helm
// release.
type records map[reportKey]record

// record is what the labels of a record say.
type record struct {
	version  int
	status   string    // as pending-upgrade
	modified time.Time // or made
}

// secrets are where Helm keeps its records. Of them nothing but the metadata is asked for,
// so that what is in a record never leaves the API server.
var secrets = live.Resource{Version: "v1", Plural: "secrets"}

// unread of a record is all but its namespace and its labels.
var unreadOfRecord = &slim.Node{Inner: map[string]*slim.Node{"metadata": {Inner: map[string]*slim.Node{"annotations": {Drop: true}, "managedFields": {Drop: true}}}}}

// recordsOf reads the labels of Helm's records.
func recordsOf(ctx context.Context, c *live.Cluster, namespace string) (records, error) {
	all := records{}
	q := live.Query{Resource: secrets, Namespace: namespace, Labels: "owner=helm", Metadata: true, Without: unreadOfRecord}
	for object, err := range c.List(ctx, q) {
		if err != nil {
			return nil, err
		}
		meta, _ := object["metadata"].(map[string]any)
		labels, _ := meta["labels"].(map[string]any)
		var at reportKey
		at.namespace, _ = meta["namespace"].(string)
		at.name, _ = labels["name"].(string)
		text, _ := labels["version"].(string)
		version, err := strconv.Atoi(text)
		if err != nil || at.name == "" || version < all[at].version {
			continue // no record of Helm, or an older one
		}
		status, _ := labels["status"].(string)
		all[at] = record{version, status, later(labels["createdAt"], labels["modifiedAt"])}
	}
	return all, nil
}

// later returns the later of two times in Unix seconds; the zero time if there is none.
func later(times ...any) (last time.Time) {
	for _, t := range times {
		text, _ := t.(string)
		if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && time.Unix(seconds, 0).After(last) {
			last = time.Unix(seconds, 0)
		}
	}
	return last
}

// mark notes an action of Helm that was left unfinished. One that has begun lately may run.
func (all records) mark(object map[string]any, j incident.Judged, r *Release, now time.Time) {
	found, ok := all[storedAs(object, j)]
	if !ok || !strings.HasPrefix(found.status, "pending-") {
		return
	}
	r.Pending = found.status
	if r.Phase != Suspended && r.Phase != Stuck && late(found.modified, j.Settings, now) {
		r.Phase, r.Since = Interrupted, found.modified.UTC().Format(time.RFC3339)
	}
}

// storedAs returns where Helm keeps the records of a release.
func storedAs(object map[string]any, j incident.Judged) reportKey {
	spec, _ := object["spec"].(map[string]any)
	text := func(key string) string { value, _ := spec[key].(string); return value }
	hr := helmv2.HelmRelease{Spec: helmv2.HelmReleaseSpec{ReleaseName: text("releaseName"), TargetNamespace: text("targetNamespace"), StorageNamespace: text("storageNamespace")}}
	hr.Namespace, hr.Name = j.Namespace, j.Name
	at := reportKey{hr.GetStorageNamespace(), hr.GetReleaseName()}
	if j.Live.Status.StorageNamespace != "" {
		at.namespace = j.Live.Status.StorageNamespace
	}
	if latest := j.Live.Status.History.Latest(); latest != nil {
		at.name = latest.Name
	}
	return at
}
