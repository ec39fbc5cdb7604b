package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/policyreport"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
)

const (
	// sideBySide is how many clusters are asked at once: most of the time is spent waiting.
	sideBySide = 64
	// clusterTimeout is how long an answer of one of several clusters may take.
	clusterTimeout = 10 * time.Second
)

// errOver is why clusters are asked no more.
var errOver = errors.New("the time of the run is over (--timeout)")

// clusters looks at the objects of clusters, side by side. What is known of them is in their
// order, whichever answers first. When the time is over, it says which are missing.
func (o *Options) clusters(ctx context.Context, c *collector) error {
	targets, err := o.targets(c)
	if err != nil {
		return err
	}
	if o.Shard != (overview.Shard{}) && len(targets) < 2 {
		return errors.New("--shard: want several clusters: --all-contexts, a glob of contexts, or a folder of kubeconfigs")
	}
	targets = slices.DeleteFunc(targets, func(t target) bool { return !o.Shard.Has(t.name) })
	if o.Cluster != "" && len(targets) > 1 {
		return errors.New("--cluster: several contexts have names of their own")
	}
	if !o.Until.IsZero() {
		within, end := context.WithDeadlineCause(ctx, o.Until, errOver)
		defer end()
		ctx = within
	}
	c.judging = make(chan struct{}, o.judges())
	parts := make([]*collector, len(targets))
	slots, asked, one := make(chan struct{}, sideBySide), sync.WaitGroup{}, sync.Mutex{}
	for i, t := range targets {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		parts[i] = c.part()
		cluster, at, err := o.open(t) // one after the other: a plugin may ask for a login
		if err != nil {
			return err
		}
		asked.Go(func() {
			defer func() { <-slots }()
			o.cluster(ctx, parts[i], cluster, at)
			if len(targets) > 1 && ctx.Err() != nil && parts[i].silent() {
				parts[i] = nil
				return
			}
			if o.Each != nil {
				one.Lock()
				defer one.Unlock()
				o.Each(parts[i].clusters[0], overview.Sorted(parts[i].all), len(targets))
			}
		})
	}
	asked.Wait()
	c.merge(parts, targets, context.Cause(ctx))
	return nil
}

// silent reports whether a cluster has said nothing.
func (c *collector) silent() bool { return len(c.all) == 0 && c.clusters[0].Incomplete }

// judges is how many releases are judged at once. A repository is looked at by one.
func (o *Options) judges() int {
	if o.Repo != nil {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

func (c *collector) part() *collector {
	part := *c
	part.all, part.clusters, part.missing, part.roots, part.problems = nil, nil, nil, nil, nil
	if c.known != nil {
		part.known = &baseline{known: c.known.known}
	}
	return &part
}

// merge adds what was found of targets, and says which had not answered when the run was ended.
func (c *collector) merge(parts []*collector, targets []target, ended error) {
	var unanswered []string
	for i, part := range parts {
		if part == nil {
			unanswered = append(unanswered, targets[i].name)
			c.clusters = append(c.clusters, overview.Cluster{Name: targets[i].name, ByPhase: map[overview.Phase]int{}, Incomplete: true})
			continue
		}
		c.all = append(c.all, part.all...)
		c.of += part.of
		c.clusters = append(c.clusters, part.clusters...)
		c.missing = append(c.missing, part.missing...)
		c.roots = append(c.roots, part.roots...)
		c.problems = append(c.problems, naming(targets, i, part.problems)...)
		if c.known != nil {
			c.known.dropped += part.known.dropped
		}
	}
	if len(unanswered) > 0 {
		c.problem(fmt.Errorf("%w: %d of %d clusters had not answered: %s", ended, len(unanswered), len(targets), strings.Join(unanswered, ", ")))
	}
	overview.InOrder(c.clusters, c.problems, c.missing)
}

// naming has each problem name its cluster, if there are several.
func naming(targets []target, i int, problems []string) []string {
	var all []string
	for _, text := range problems {
		if name := "cluster " + targets[i].name; len(targets) > 1 && !strings.Contains(text, name) {
			text = name + ": " + text
		}
		all = append(all, text)
	}
	return all
}

// open finds a cluster and, if that is asked for, what Git says of it.
func (o *Options) open(t target) (*live.Cluster, place, error) {
	cluster, err := t.access.Open()
	if err != nil {
		return nil, place{name: t.name, unknown: err}, nil
	}
	at := place{
		name:    cmp.Or(o.Cluster, t.name, cluster.Name),
		address: incident.Address{Context: cluster.Name, Kubeconfig: t.access.Kubeconfig},
	}
	at.repo, err = o.repository(at.name)
	return cluster, at, err
}

// cluster looks at the objects of one cluster.
func (o *Options) cluster(ctx context.Context, c *collector, cluster *live.Cluster, at place) {
	if at.unknown != nil {
		c.problem(at.unknown)
		c.clusters = []overview.Cluster{{Name: at.name, ByPhase: map[overview.Phase]int{}, Incomplete: true}}
		return
	}
	defer cluster.Close()
	var unread error
	at.in, unread = o.markers(ctx, cluster, c.by.Config)
	var err error
	at.controller, err = cluster.HelmController(ctx)
	var applied []map[string]any
	if applied, at.unlisted = cluster.Kustomizations(ctx); at.unlisted == nil {
		at.around = standstill.Of(applied)
	}
	if o.HelmStorage {
		var err error
		if at.storage, err = storageOf(ctx, cluster, o.Namespace); err != nil {
			c.problem(err)
		}
	}
	found := c.cluster(ctx, at, o.releases(ctx, cluster))
	found.Revive = at.address.At("flux-remedy revive --all-stuck")
	if !errors.Is(at.unlisted, live.ErrForbidden) { // that right is optional
		err = errors.Join(err, at.unlisted)
	}
	if err != nil && found.Releases > 0 { // else what could not be read is told already
		c.problem(err)
		found.Incomplete = true
	}
	if at.repo != nil && !found.Incomplete {
		c.missing = at.repo.missing(at.name, o.Namespace)
	}
	if unread != nil && (found.Releases > 0 || c.chosen.Narrow()) {
		c.problem(fmt.Errorf("labels of Namespaces are not known, a tier may be another%s: %w", c.chosen.mayMiss(), unread))
		found.Incomplete = true
	}
	if kind, ok := policyreport.Find(o.WriteReports); ok {
		if err := kind.Write(ctx, cluster, o.Namespace, slices.Concat(c.all, found.Unread), c.by.Engine.InForce(), !found.Incomplete); err != nil {
			c.problem(err)
		}
	}
	c.clusters = []overview.Cluster{found}
}
