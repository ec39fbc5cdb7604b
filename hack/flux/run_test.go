//go:build flux

package flux

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// run is one HelmRelease that goes through a scenario, in a namespace of its own.
type run struct {
	*Cluster
	ctx       context.Context
	namespace string
	scenario  scenario
	spec      map[string]any
	place     *place
	charts    charts
	log       *log
	kills     chan chan struct{} // asks for the end of the controller: answered by closing
	soft      bool
	again     bool   // it was looked at once more
	shard     string // of the controller
	// restart ends the run's own controller, if it has one, and starts another.
	restart func(soft bool, ended chan struct{})
}

// drive takes the release through its scenario, and returns once nothing happens any more or
// it is clear that it goes on without end.
func (r *run) drive() error {
	if err := r.begin(); err != nil {
		return err
	}
	events := r.scenario.events
	for at := 0; ; {
		if err := r.rest(&at, events); err != nil {
			return err
		}
		if r.log.stale(at) && !r.again {
			r.again = true
			if err := r.annotate(requestedAt, "again"); err != nil {
				return err
			}
			if err := r.wait("it to be looked at again", func() bool { return r.log.movedOn(at) }); err != nil {
				return err
			}
			continue
		}
		if len(events) == 0 {
			return r.end(at)
		}
		var err error
		if events, err = r.happen(at, events); err != nil {
			return err
		}
	}
}

// happen lets the next event happen, of a suspended release all until it is resumed, waits until the
// controller has seen it, and returns the others.
func (r *run) happen(at int, events []event) ([]event, error) {
	suspended := false
	for i, e := range events {
		if err := r.let(e.what); err != nil {
			return nil, fmt.Errorf("%s: %w", e.what, err)
		}
		if suspended = e.what == "suspend" || suspended && e.what != "resume"; suspended {
			continue
		}
		if unseen[e.what] {
			return events[i+1:], nil
		}
		return events[i+1:], r.wait(e.what, func() bool { return r.log.deleted() || r.log.movedOn(at) })
	}
	return nil, errors.New("it stays suspended")
}

// begin creates the release, and publishes the new version once the old one runs.
func (r *run) begin() error {
	first := oldVersion
	if r.scenario.fresh {
		first = newVersion
	}
	if err := r.publish("app", first); err != nil {
		return err
	}
	if err := r.publish("old", oldVersion); err != nil {
		return err
	}
	spec := map[string]any{"interval": "1h", "timeout": "30s", "chartRef": map[string]any{"kind": "OCIRepository", "name": "app"}}
	for field, value := range r.spec {
		spec[field] = value
	}
	if err := r.need(spec); err != nil {
		return err
	}
	_, err := r.Resource(HelmReleases).Namespace(r.namespace).Create(r.ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": r.namespace, "labels": map[string]any{"run": r.shard}},
		"spec":     spec,
	}}, metav1.CreateOptions{})
	if err != nil || r.scenario.fresh {
		return err
	}
	if err := r.wait("the old version to run", func() bool { return r.log.ready() }); err != nil {
		return err
	}
	r.log.begin(r.scenario.steady)
	switch {
	case r.scenario.steady:
		return nil
	case r.scenario.lacks == "source":
		return r.outdate()
	case r.scenario.lacks == "values":
		if err := r.Resource(kinds["ConfigMap"]).Namespace(r.namespace).Delete(r.ctx, "values", metav1.DeleteOptions{}); err != nil {
			return err
		}
	}
	return r.publish("app", newVersion)
}

// publish offers a version of the chart from a source of the namespace.
func (r *run) publish(source, version string) error {
	if source == "app" {
		r.log.offer(version)
	}
	sources := r.Resource(OCIRepositories).Namespace(r.namespace)
	object, err := sources.Get(r.ctx, source, metav1.GetOptions{})
	if err != nil {
		object, err = sources.Create(r.ctx, ociRepository(r.namespace, source), metav1.CreateOptions{})
	}
	if err != nil {
		return err
	}
	artifact, err := r.charts.artifact(r.scenario, version)
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"observedGeneration": object.GetGeneration(), "artifact": artifact}})
	if err != nil {
		return err
	}
	_, err = sources.Patch(r.ctx, source, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

func ociRepository(namespace, name string) *unstructured.Unstructured {
	return source("OCIRepository", namespace, name)
}

// unseen are the events that do not wake the controller.
var unseen = map[string]bool{"cause-goes-away": true, "records-deleted": true, "newest-record-deleted": true, "helm-uninstall": true, "helm-rollback": true}

// rest waits for what the next event, or the end, comes after, and sets at to the index in the
// log at which the release is at rest.
func (r *run) rest(at *int, events []event) error {
	limit, seen := cmp.Or(r.scenario.shown, 4), r.attempts()
	if len(events) > 0 && events[0].after > 0 {
		limit = events[0].after
	}
	if *at == 0 {
		seen = 0
	}
	return r.wait("it to come to rest", func() bool {
		now, idle := r.log.rests()
		switch {
		case (r.scenario.lacks == "" || r.place.over) && !r.log.deleted() && !r.log.seen():
			return false // what is offered has not been seen yet
		case r.scenario.lacks != "" && !r.place.over:
			*at = now
			return now >= 0 && r.log.all()[now].lacking()
		case r.scenario.gates != "" && !r.log.ready():
			return false // the fix was published before this rest
		}
		if erring := r.log.errs(limit + seen); now < 0 && erring >= 0 {
			*at = erring
			return true
		}
		if now < 0 || !idle && r.attempts()-seen < limit {
			return false
		}
		*at = now
		return true
	})
}

// attempts counts the failed attempts or, where none fails, what is done again and again.
func (r *run) attempts() int {
	switch {
	case r.scenario.name == "drift-comes-back":
		return r.place.undoings()
	case strings.HasPrefix(r.scenario.name, "value-removed"):
		return len(r.log.steps())
	}
	return r.log.failures()
}

// end waits until the state at rest is complete, since the conditions are written before the
// rest: until the next attempt, or else a request to look at the release once more.
func (r *run) end(at int) error {
	r.log.end(at)
	over := func() bool { return r.log.deleted() || r.log.erred(at) || r.log.movedOn(at) }
	if _, idle := r.log.rests(); !idle || over() {
		if err := r.wait("the next attempt", over); err != nil || r.log.deleted() {
			return err
		}
	} else {
		if err := r.annotate(requestedAt, "end"); err != nil {
			return err
		}
		if err := r.wait("it to be looked at once more", over); err != nil {
			return err
		}
	}
	return r.patch(`{"spec":{"suspend":true}}`) // no more attempts
}

// wait waits for something that the log shows, and restarts the controller when the world
// asks for it.
func (r *run) wait(what string, done func() bool) error {
	for !done() {
		if r.log.isLost() {
			return fmt.Errorf("%s: the controller could not write a status\n%s", what, r.log)
		}
		select {
		case <-r.log.changed:
		case ended := <-r.kills:
			r.restart(r.soft, ended)
		case <-r.ctx.Done():
			return fmt.Errorf("%s: %w\n%s", what, r.ctx.Err(), r.log)
		}
	}
	return nil
}

// ownController starts a controller for the run, and returns how it is ended and started
// again.
func (r *run) ownController(t *testing.T) func(soft bool, ended chan struct{}) {
	flags := helmFlags(r.namespace)
	if r.scenario.gates != "" {
		flags = append(flags, "--feature-gates="+r.scenario.gates+"=true")
	}
	p := r.Run(t, "helm-controller", flags...)
	return func(soft bool, ended chan struct{}) {
		r.log.cut()
		if soft {
			p.Stop()
		} else {
			p.Kill()
		}
		close(ended)
		p = r.Run(t, "helm-controller", flags...)
	}
}
