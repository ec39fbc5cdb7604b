package audit

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/internal/slim"
	"github.com/flux-remedy/remedy/pkg/loss"
	"github.com/flux-remedy/remedy/pkg/release"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
)

// storage are the newest of Helm's records in a cluster, by the namespace and the name of the
// Helm release.
type storage struct {
	cluster *live.Cluster
	records map[recordKey]record
	// read are the namespaces that were read; the empty one is all.
	read map[string]bool
}

// recordKey is where Helm has the records of a release.
type recordKey struct{ namespace, name string }

// record is what the labels of a record say.
type record struct {
	version  int
	status   string    // as pending-upgrade
	modified time.Time // or made
}

// secrets are where Helm keeps its records. Nothing but the metadata of all is asked for: what is in
// a record leaves the API server only if the release may be uninstalled (see [storage.recorded]).
var secrets = live.Resource{Version: "v1", Plural: "secrets"}

// unread of a record is all but its namespace and its labels.
var unreadOfRecord = &slim.Node{Inner: map[string]*slim.Node{"metadata": {Inner: map[string]*slim.Node{"annotations": {Drop: true}, "managedFields": {Drop: true}}}}}

// storageOf reads the labels of Helm's records in a namespace; an empty one means all.
func storageOf(ctx context.Context, c *live.Cluster, namespace string) (*storage, error) {
	s := &storage{c, map[recordKey]record{}, map[string]bool{}}
	return s, s.list(ctx, namespace)
}

// list reads a namespace, once.
func (s *storage) list(ctx context.Context, namespace string) error {
	if s.read[""] || s.read[namespace] {
		return nil
	}
	s.read[namespace] = true
	q := live.Query{Resource: secrets, Namespace: namespace, Labels: "owner=helm", Metadata: true, Without: unreadOfRecord}
	for secret, err := range s.cluster.List(ctx, q) {
		if err != nil {
			return fmt.Errorf("--helm-storage: %w", err)
		}
		label := func(key string) string { return object.String(secret, "metadata", "labels", key) }
		at, text := recordKey{object.Namespace(secret), label("name")}, label("version")
		version, err := strconv.Atoi(text)
		if err != nil || at.name == "" || version < s.records[at].version {
			continue // no record of Helm, or an older one
		}
		s.records[at] = record{version, label("status"), later(label("createdAt"), label("modifiedAt"))}
	}
	return nil
}

// recorded reads the newest record of a release, and returns what it consists of.
func (s *storage) recorded(ctx context.Context, j incident.Judged) func(*release.Release, *release.Live) (*loss.Release, error) {
	contents, err := s.cluster.HelmRecord(ctx, j.Release, j.Live)
	return func(*release.Release, *release.Live) (*loss.Release, error) { return contents, err }
}

// later returns the later of two times in Unix seconds; the zero time if there is none.
func later(times ...string) (last time.Time) {
	for _, text := range times {
		if seconds, err := strconv.ParseInt(text, 10, 64); err == nil && time.Unix(seconds, 0).After(last) {
			last = time.Unix(seconds, 0)
		}
	}
	return last
}

// mark notes an action of Helm that was left unfinished. One that has begun lately may run. The
// records of a release may be in another namespace than the release.
func (s *storage) mark(ctx context.Context, of map[string]any, j incident.Judged, r *overview.Release, now time.Time) error {
	if s == nil {
		return nil
	}
	at := storedAs(of, j)
	if err := s.list(ctx, at.namespace); err != nil {
		return err
	}
	found, ok := s.records[at]
	if !ok || !strings.HasPrefix(found.status, "pending-") {
		return nil
	}
	r.Pending = found.status
	if r.Phase != overview.Suspended && r.Phase != overview.Stuck && late(found.modified, j.Settings, now) {
		r.Phase, r.Since = overview.Interrupted, found.modified.UTC().Format(time.RFC3339)
	}
	return nil
}

// storedAs returns where Helm keeps the records of a release.
func storedAs(of map[string]any, j incident.Judged) recordKey {
	text := func(key string) string { return object.String(of, "spec", key) }
	hr := helmv2.HelmRelease{Spec: helmv2.HelmReleaseSpec{ReleaseName: text("releaseName"), TargetNamespace: text("targetNamespace"), StorageNamespace: text("storageNamespace")}}
	hr.Namespace, hr.Name = j.Namespace, j.Name
	at := recordKey{hr.GetStorageNamespace(), hr.GetReleaseName()}
	if j.Live.Status.StorageNamespace != "" {
		at.namespace = j.Live.Status.StorageNamespace
	}
	if latest := j.Live.Status.History.Latest(); latest != nil {
		at.name = latest.Name
	}
	return at
}
