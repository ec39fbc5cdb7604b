package audit

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// summary says of a release of a cluster what was judged.
func summary(j incident.Judged, cluster string, address incident.Address, now time.Time) overview.Release {
	i, status := j.Incident, &j.Live.Status
	out := overview.Release{
		Subject:   overview.Subject{Name: i.Release, Cluster: cluster, Tier: j.Tier, Class: j.Verdict.Class},
		Condition: overview.Condition{Phase: phase(j, now), State: i.State, Since: i.Since, After: i.After},
		Outlook:   overview.Outlook{Next: i.Next, Deletes: i.Deletes},
		Why:       i.Lines(), Unfamiliar: i.Unfamiliar,
	}
	if !i.Healthy {
		out.Reason = reasonOf(j.Live)
		out.Failures = max(status.Failures, status.InstallFailures, status.UpgradeFailures)
		out.OldRuns = i.Outlooks[0].Next.Running == "" && status.LastAttemptedRevision != "" && strings.HasSuffix(string(i.Outlooks[0].Now), string(forecast.OldVersion))
	}
	if latest := status.History.Latest(); latest != nil && strings.HasPrefix(latest.Status, "pending-") {
		out.Pending = latest.Status
	}
	if i.Stuck && len(i.Revive) > 0 {
		out.Action, out.Risk = i.Revive[0].Do, i.Revive[0].Risk
		out.Elsewhere = address.Elsewhere(out.Action)
	}
	out.Findings = words.Of(j.Verdict.Findings, overview.FindingOf)
	return out
}

func reasonOf(l *release.Live) string {
	if c := l.Condition("Stalled"); c != nil && c.Status == metav1.ConditionTrue {
		return c.Reason
	}
	if c := l.Condition("Ready"); c != nil {
		return c.Reason
	}
	return ""
}

// hold calls a release stuck that has failed too often or for too long, though Flux tries
// again: RetryOnFailure never gives up.
func hold(r *overview.Release, limit rules.StuckLimit, now time.Time) {
	since, err := time.Parse(time.RFC3339, r.Since)
	switch {
	case r.Phase != overview.Failing && r.Phase != overview.Waiting && r.Phase != overview.Interrupted:
		return
	case limit.Failures > 0 && r.Failures >= int64(limit.Failures):
		r.Limit = fmt.Sprintf("failed attempts: %d, the team's limit is %d (spec.audit.stuck)", r.Failures, limit.Failures)
	case limit.For != "" && err == nil && now.Sub(since) >= limit.Duration():
		r.Limit = fmt.Sprintf("since %s, the team's limit is %s (spec.audit.stuck)", forecast.Readable(now.Sub(since).Round(time.Second)), limit.For)
	default:
		return
	}
	r.Phase = overview.Stuck
}

// phase says in one word how a release is.
func phase(j incident.Judged, now time.Time) overview.Phase {
	i := j.Incident
	ready := j.Live.Condition("Ready")
	switch next := i.Outlooks[0].Next; {
	case i.Healthy:
		return overview.Ready
	case j.Live.Deleting && late(j.Live.Since, j.Settings, now):
		return overview.Interrupted
	case j.Live.Deleting:
		return overview.Deleting
	case j.Settings.Suspend:
		return overview.Suspended
	case i.Stuck:
		return overview.Stuck
	case i.Reconciling && late(j.Live.Moved(), j.Settings, now):
		return overview.Interrupted
	case i.Reconciling:
		return overview.Busy
	case ready == nil && late(j.Live.Since, j.Settings, now):
		return overview.Interrupted
	case ready == nil:
		return overview.New
	case next.Running != "" && late(j.Live.Moved(), j.Settings, now):
		return overview.Interrupted
	case next.Running != "":
		return overview.Busy
	case j.Live.Behind() && ready.Status == metav1.ConditionTrue:
		return overview.New
	case i.Outlooks[0].Stays.Outcome.End == forecast.Waiting:
		return overview.Waiting
	}
	return overview.Failing
}

// late reports whether nobody believes any more that what began then runs: each hook and
// each wait may take its timeout. Nor does it if it begins as far in the future.
func late(began time.Time, s *release.Settings, now time.Time) bool {
	overdue := 4 * max(s.Timeout.Duration, s.Install.Timeout.Duration, s.Upgrade.Timeout.Duration)
	return !began.IsZero() && now.Sub(began).Abs() > overdue
}

// attempted returns the chart of a release with the version that was attempted last, and its
// source; empty if they are not known.
func attempted(j incident.Judged) (chart, source string) {
	if name := release.ChartName(j.Object); name != "" && j.Live.Status.LastAttemptedRevision != "" {
		chart = name + " " + j.Live.Status.LastAttemptedRevision
	}
	ref := object.At(j.Object, "spec", "chartRef")
	if ref == nil {
		ref = object.At(j.Object, "spec", "chart", "spec", "sourceRef")
	}
	if kind, name := object.String(ref, "kind"), object.String(ref, "name"); kind != "" && name != "" {
		source = kind + " " + release.Name{Namespace: cmp.Or(object.String(ref, "namespace"), j.Namespace), Name: name}.String()
	}
	return chart, source
}

// appliers are the labels by which a controller marks what it applies, and its kind.
var appliers = []struct{ prefix, kind string }{
	{"kustomize.toolkit.fluxcd.io/", "Kustomization"},
	{"resourceset.fluxcd.controlplane.io/", "ResourceSet"},
	{"fluxcd.controlplane.io/", "FluxInstance"},
	{"helm.toolkit.fluxcd.io/", "HelmRelease"},
}

// appliedBy returns what applies an object of a cluster, by its labels; empty if they do
// not say.
func appliedBy(of map[string]any) string {
	for _, a := range appliers {
		label := func(key string) string { return object.String(of, "metadata", "labels", a.prefix+key) }
		if name := label("name"); name != "" {
			return a.kind + " " + strings.TrimPrefix(label("namespace")+"/"+name, "/")
		}
	}
	return ""
}
