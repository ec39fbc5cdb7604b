package audit

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// collector judges objects as they arrive.
type collector struct {
	by       incident.Source
	config   judge.Configuration
	chosen   selection
	of       int // how many there were before phases were chosen
	all      []overview.Release
	clusters []overview.Cluster
	missing  []overview.Missing
	roots    []overview.Root
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
func (c *collector) cluster(ctx context.Context, at place, objects iter.Seq2[map[string]any, error]) overview.Cluster {
	by, before := c.by, len(c.problems)
	by.On(at.name, at.controller)
	by.Address = at.address
	if at.repo != nil {
		by.Written = func(name release.Name) *incident.Written { return at.repo.written(name, &by, c.config) }
	}
	by.TierOf = func(object map[string]any) release.Tier { return at.tierOf(by.Config, object) }
	one := overview.Cluster{Name: at.name, ByPhase: map[overview.Phase]int{}, Unfollowed: at.around == nil}
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
			one.Unread = append(one.Unread, unread(object, err))
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
		c.all = slices.DeleteFunc(c.all, func(r overview.Release) bool { return !c.chosen.phase(r.Phase) })
	}
	for _, r := range c.all {
		one.Releases++
		one.ByPhase[r.Phase]++
	}
	one.Incomplete = len(c.problems) > before
	return one
}

func (c *collector) judge(ctx context.Context, by incident.Source, at place, of map[string]any) (overview.Release, error) {
	judge := func() (incident.Judged, error) { return by.Judge(ctx, of) }
	judged, err := c.inTurn(judge)
	if err == nil && at.storage != nil && judged.Incident.Uninstalls() {
		by.Recorded = at.storage.recorded(ctx, judged) // of the others no record is read
		judged, err = c.inTurn(judge)
	}
	if err != nil {
		return overview.Release{}, err
	}
	r := summary(judged, at.name, at.address, by.Now)
	r.UID, r.AppliedBy = object.String(of, "metadata", "uid"), appliedBy(of)
	r.Chart, r.Source = attempted(judged)
	c.claim(judged, &r)
	if at.repo != nil {
		at.repo.compare(of, &r)
	}
	if err := at.storage.mark(ctx, of, judged, &r, by.Now); err != nil {
		c.problem(err)
	}
	c.known.drop(&r)
	hold(&r, by.Config.Spec.Audit.Stuck[r.Tier], by.Now)
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
func unread(of map[string]any, err error) overview.Release {
	return overview.Release{
		Subject:   overview.Subject{Name: incident.NameOf(of), UID: object.String(of, "metadata", "uid")},
		Condition: overview.Condition{Phase: overview.Unknown, State: "not judged: " + err.Error()},
	}
}

// tierOf returns the tier that the configuration, the names of cluster and namespace, and
// markers of the release and of its Namespace give it.
func (p place) tierOf(config *rules.Config, of map[string]any) release.Tier {
	namespace := object.Namespace(of)
	evidence := release.Evidence{Object: of, Namespace: p.in[namespace], Cluster: release.Cluster{Name: p.name}}
	return release.TierOf(config.Evidence(evidence, rules.Place{Namespace: namespace, Cluster: p.name})).Tier
}

func (c *collector) claim(j incident.Judged, r *overview.Release) {
	if claim, ok := incident.ClaimOf(j.Release); ok {
		r.Helm, r.Remote = claim.Helm.String(), claim.Remote
		c.claims = append(c.claims, claim)
	}
}

// fight notes which releases of a cluster have the same Helm release.
func (c *collector) fight() {
	rivals := incident.Rivals(c.claims)
	for i, r := range c.all {
		c.all[i].Rivals = rivals[r.Name]
	}
	c.claims = nil
}

// stand notes which releases of a cluster fight, what holds them up, and the roots of that.
func (c *collector) stand(at place) {
	for i := range c.all {
		r := &c.all[i]
		near := incident.Surroundings{Rivals: r.Rivals}
		near.Stands(r.Name, at.around, at.unlisted)
		r.HeldUpBy = near.HeldUpBy
		r.Why = slices.Concat(near.Standing(r.Phase == overview.Ready), r.Why)
	}
	if at.around == nil {
		return
	}
	for _, cause := range at.around.Causes() {
		c.roots = append(c.roots, overview.Root{Cluster: at.name, Cause: cause})
	}
}
