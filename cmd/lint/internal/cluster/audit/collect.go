package audit

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// collector judges objects as they arrive.
type collector struct {
	by       incident.Source
	config   judge.Configuration
	chosen   selection
	of       int // how many there were before phases were chosen
	all      []Release
	clusters []Cluster
	missing  []Missing
	roots    []Root
	problems []string
	// known are the findings of a baseline; nil if there is none.
	known *baseline
	// claims are which Helm releases those of the cluster that is read have.
	claims []incident.Claim
	// judging has room for as many as may judge at once; nil has no bound.
	judging chan struct{}
}

// place is where objects are: a cluster, or a file.
type place struct {
	// name is that of the cluster; empty if it is not known.
	name string
	// address is where commands find it.
	address incident.Address
	in      namespaces
	// repo has the releases as Git says; nil if no repository is compared.
	repo *repository
	// controller is the Deployment of helm-controller; nil if it is not known.
	controller map[string]any
	// storage is that of Helm; nil if it is not read.
	storage *storage
	// around is what holds up what: it has the Kustomizations, and gets the releases as they are read; nil if
	// they could not be listed, and unlisted says why.
	around   *standstill.Cluster
	unlisted error // why they were not listed
	// unknown is why the cluster cannot be asked; nil if it can.
	unknown error
}

// namespaces are the Namespace objects of a cluster by name.
type namespaces map[string]map[string]any

// problem notes what could not be read, once.
func (c *collector) problem(err error) {
	if !slices.Contains(c.problems, err.Error()) {
		c.problems = append(c.problems, err.Error())
	}
}

// cluster judges the releases of one cluster. What cannot be read is a problem, and hides
// no other.
func (c *collector) cluster(ctx context.Context, at place, objects iter.Seq2[map[string]any, error]) Cluster {
	by, before := c.by, len(c.problems)
	by.On(at.name, at.controller)
	by.Address = at.address
	if at.repo != nil {
		by.Written = func(name release.Name) *incident.Written { return at.repo.written(name, &by, c.config) }
	}
	by.TierOf = func(object map[string]any) release.Tier { return at.tierOf(by.Config, object) }
	one := Cluster{Name: at.name, ByPhase: map[Phase]int{}, Unfollowed: at.around == nil}
	if at.around != nil {
		objects = at.around.Adding(objects)
	}
	for object, err := range objects {
		if err != nil {
			c.problem(err)
			continue
		}
		r, err := c.judge(ctx, by, at, object)
		if ctx.Err() != nil {
			c.problem(fmt.Errorf("cluster %s: not all was judged: %w", at.name, context.Cause(ctx)))
			break
		}
		if err != nil {
			c.problem(err)
			one.unread = append(one.unread, unread(object, err))
			continue
		}
		if c.chosen.place(r.Tier, labelsOf(object), labelsOf(at.in[r.Namespace])) {
			c.all = append(c.all, r)
		}
	}
	c.fight()
	c.stand(at)
	if len(c.chosen.Phases) > 0 {
		c.of = len(c.all)
		c.all = slices.DeleteFunc(c.all, func(r Release) bool { return !c.chosen.phase(r.Phase) })
	}
	for _, r := range c.all {
		one.Releases++
		one.ByPhase[r.Phase]++
	}
	one.Incomplete = len(c.problems) > before
	return one
}

func (c *collector) judge(ctx context.Context, by incident.Source, at place, of map[string]any) (Release, error) {
	judge := func() (incident.Judged, error) { return by.Judge(ctx, of) }
	judged, err := c.inTurn(judge)
	if err == nil && at.storage != nil && judged.Incident.Uninstalls() {
		by.Recorded = at.storage.recorded(ctx, judged) // of the others no record is read
		judged, err = c.inTurn(judge)
	}
	if err != nil {
		return Release{}, err
	}
	r := summary(judged, at, by.Now)
	r.uid, r.AppliedBy = object.String(of, "metadata", "uid"), appliedBy(of)
	r.Chart, r.Source = attempted(judged)
	c.claim(judged, &r)
	c.compare(at, of, &r)
	if err := at.storage.mark(ctx, of, judged, &r, by.Now); err != nil {
		c.problem(err)
	}
	c.known.drop(&r)
	r.hold(by.Config.Spec.Audit.Stuck[r.Tier], by.Now)
	return r, nil
}

// inTurn judges when there is room.
func (c *collector) inTurn(judge func() (incident.Judged, error)) (incident.Judged, error) {
	if c.judging != nil {
		c.judging <- struct{}{}
		defer func() { <-c.judging }()
	}
	return judge()
}

// unread is a release that could not be judged.
func unread(of map[string]any, err error) Release {
	return Release{Name: incident.NameOf(of), Phase: Unknown, State: "not judged: " + err.Error(), uid: object.String(of, "metadata", "uid")}
}

// tierOf returns the tier that the configuration, the names of cluster and namespace, and
// markers of the release and of its Namespace give it.
func (p place) tierOf(config *rules.Config, of map[string]any) release.Tier {
	namespace := object.Namespace(of)
	evidence := release.Evidence{Object: of, Namespace: p.in[namespace], Cluster: release.Cluster{Name: p.name}}
	return release.TierOf(config.Evidence(evidence, rules.Place{Namespace: namespace, Cluster: p.name})).Tier
}

func summary(j incident.Judged, at place, now time.Time) Release {
	i, status := j.Incident, &j.Live.Status
	out := Release{
		Name: i.Release, Cluster: at.name, Tier: j.Tier, Class: j.Verdict.Class, Phase: phase(j, now), State: i.State,
		Since: i.Since, After: i.After, Next: i.Next, Unfamiliar: i.Unfamiliar, Deletes: i.Deletes, Findings: []Finding{}, Why: i.Lines(),
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
		out.elsewhere = at.address.Elsewhere(out.Action)
	}
	out.Findings = words.Of(j.Verdict.Findings, findingOf)
	return out
}

func findingOf(f rules.Finding) Finding {
	return Finding{
		Rule: f.Rule, Category: f.Category, Severity: f.Severity, Message: f.Message, Path: f.Path.String(), Repair: repairOf(f), Waived: f.Waiver,
		CountsFrom: f.CountsFrom, degree: f.Degree,
	}
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
func (r *Release) hold(limit rules.StuckLimit, now time.Time) {
	since, err := time.Parse(time.RFC3339, r.Since)
	switch {
	case r.Phase != Failing && r.Phase != Waiting && r.Phase != Interrupted:
		return
	case limit.Failures > 0 && r.Failures >= int64(limit.Failures):
		r.Limit = fmt.Sprintf("failed attempts: %d, the team's limit is %d (spec.audit.stuck)", r.Failures, limit.Failures)
	case limit.For != "" && err == nil && now.Sub(since) >= limit.Duration():
		r.Limit = fmt.Sprintf("since %s, the team's limit is %s (spec.audit.stuck)", forecast.Readable(now.Sub(since).Round(time.Second)), limit.For)
	default:
		return
	}
	r.Phase = Stuck
}

// phase says in one word how a release is.
func phase(j incident.Judged, now time.Time) Phase {
	i := j.Incident
	ready := j.Live.Condition("Ready")
	switch next := i.Outlooks[0].Next; {
	case i.Healthy:
		return Ready
	case j.Live.Deleting && late(j.Live.Since, j.Settings, now):
		return Interrupted
	case j.Live.Deleting:
		return Deleting
	case j.Settings.Suspend:
		return Suspended
	case i.Stuck:
		return Stuck
	case i.Reconciling && late(j.Live.Moved(), j.Settings, now):
		return Interrupted
	case i.Reconciling:
		return Busy
	case ready == nil && late(j.Live.Since, j.Settings, now):
		return Interrupted
	case ready == nil:
		return New
	case next.Running != "" && late(j.Live.Moved(), j.Settings, now):
		return Interrupted
	case next.Running != "":
		return Busy
	case j.Live.Behind() && ready.Status == metav1.ConditionTrue:
		return New
	case i.Outlooks[0].Stays.Outcome.End == forecast.Waiting:
		return Waiting
	}
	return Failing
}

// late reports whether nobody believes any more that what began then runs: each hook and
// each wait may take its timeout. Nor does it if it begins as far in the future.
func late(began time.Time, s *release.Settings, now time.Time) bool {
	overdue := 4 * max(s.Timeout.Duration, s.Install.Timeout.Duration, s.Upgrade.Timeout.Duration)
	return !began.IsZero() && now.Sub(began).Abs() > overdue
}
