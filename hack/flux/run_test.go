//go:build flux

package flux

import (
	"cmp"
	"context"
	"encoding/json"
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
		if len(events) == 0 {
			return r.end(at)
		}
		what := events[0].what
		if err := r.let(what); err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if what == "suspend" {
			events = events[1:]
			what = events[0].what
			if err := r.let(what); err != nil {
				return err
			}
		}
		if !unseen[what] {
			if err := r.wait(what, func() bool { return r.log.deleted() || r.log.movedOn(at) }); err != nil {
				return err
			}
		}
		events = events[1:]
	}
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
	if r.scenario.steady {
		return nil
	}
	return r.publish("app", newVersion)
}

// publish offers a version of the chart from a source of the namespace.
func (r *run) publish(source, version string) error {
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
var unseen = map[string]bool{"cause-goes-away": true, "records-deleted": true}

// rest waits for what the next event, or the end, comes after, and sets at to the index in the
// log at which the release is at rest.
func (r *run) rest(at *int, events []event) error {
	limit, seen := cmp.Or(r.scenario.shown, 4), r.log.failures()
	if len(events) > 0 && events[0].after > 0 {
		limit = events[0].after
	}
	if *at == 0 {
		seen = 0
	}
	return r.wait("it to come to rest", func() bool {
		now, idle := r.log.rests()
		if erring := r.log.errs(limit + seen); now < 0 && erring >= 0 {
			*at = erring
			return true
		}
		if now < 0 || !idle && r.log.failures()-seen < limit {
			return false
		}
		*at = now
		return true
	})
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

// let lets an event happen.
func (r *run) let(what string) error {
	switch what {
	case "fix":
		return r.publish("app", fixedVersion)
	case "fix-fails":
		return r.publish("app", badFix)
	case "revert":
		return r.patch(`{"spec":{"chartRef":{"name":"old"}}}`)
	case "commit":
		return r.patch(`{"spec":{"interval":"61m"}}`)
	case "cause-goes-away":
		r.place.end()
		return nil
	case "reconcile":
		return r.annotate(requestedAt, "reconcile")
	case "force", "reset":
		return r.request(what)
	case "suspend":
		return r.patch(`{"spec":{"suspend":true}}`)
	case "resume":
		return r.patch(`{"spec":{"suspend":false}}`)
	case "restart":
		ended := make(chan struct{})
		r.restart(false, ended)
		return nil
	case "records-deleted":
		return r.Resource(Secrets).Namespace(r.namespace).DeleteCollection(r.ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "owner=helm"})
	case "delete":
		return r.Resource(HelmReleases).Namespace(r.namespace).Delete(r.ctx, "app", metav1.DeleteOptions{})
	}
	return fmt.Errorf("nobody knows how to do that")
}

// request does what flux reconcile --force and --reset do.
func (r *run) request(what string) error {
	return r.patch(fmt.Sprintf(`{"metadata":{"annotations":{%q:"%s","reconcile.fluxcd.io/%sAt":"%s"}}}`, requestedAt, what, what, what))
}

func (r *run) annotate(key, value string) error {
	return r.patch(fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, key, value))
}

func (r *run) patch(text string) error {
	_, err := r.Resource(HelmReleases).Namespace(r.namespace).Patch(r.ctx, "app", types.MergePatchType, []byte(text), metav1.PatchOptions{})
	return err
}

// end ends the cause of the failures.
func (p *place) end() { p.over = true }

// ownController starts a controller for the run, and returns how it is ended and started
// again.
func (r *run) ownController(t *testing.T) func(soft bool, ended chan struct{}) {
	flags := helmFlags(r.namespace)
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

// charts makes the versions of the chart of a scenario.
type charts struct {
	*Artifacts
	kind string // Workload or Deployment
}

const workload = `apiVersion: test.flux-remedy.io/v1
kind: Workload
metadata:
  name: ROLE
  labels: {role: ROLE, version: VERSION}
  annotations: {revision: "{{ .Release.Revision }}", HOOK: TYPE}
`

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ROLE
  labels: {role: ROLE, version: VERSION}
  annotations: {revision: "{{ .Release.Revision }}", HOOK: TYPE}
spec:
  selector: {matchLabels: {app: a}}
  template:
    metadata: {labels: {app: a}}
    spec: {containers: [{name: a, image: a}]}
`

// artifact returns the status of a source that holds a version of the chart.
func (c *charts) artifact(s scenario, version string) (map[string]any, error) {
	object := func(text, role, hook string) string {
		return strings.NewReplacer("ROLE", role, "VERSION", version, "HOOK: TYPE", hook).Replace(text)
	}
	text := workload
	if c.kind == "Deployment" {
		text = deployment
	}
	templates := map[string]string{
		"main.yaml": object(text, "main", "by: test"),
		"test.yaml": object(workload, "test", "helm.sh/hook: test"),
	}
	if s.name == "rollback-hook-fails" {
		templates["hook.yaml"] = object(workload, "hook", "helm.sh/hook: pre-rollback")
	}
	if s.broken && version == newVersion {
		templates["main.yaml"] = `{{ fail "it cannot be rendered" }}`
	}
	data, err := Chart(version, templates)
	if err != nil {
		return nil, err
	}
	return c.Publish(data, version), nil
}
