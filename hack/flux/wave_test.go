//go:build flux

package flux

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
)

// TestWave: kustomize-controller and helm-controller go through each wave for real, and the forecast says
// when each Kustomization comes to what end.
func TestWave(t *testing.T) {
	t.Parallel()
	for _, set := range []Set{Newest, Oldest} {
		t.Run(string(set), func(t *testing.T) { swell(t, set) })
	}
}

func swell(t *testing.T, set Set) {
	c := Start(t, set)
	logs := watchWaves(t, c)
	c.Run(t, "helm-controller", helmFlags("shared")...)
	c.Run(t, "kustomize-controller", waveFlags("shared", wave.Controller{Concurrent: 100})...)
	var lines sync.Map
	own := make(chan struct{}, 6) // runs with a controller of their own, at a time
	atOnce := make(chan struct{}, 28)
	t.Run("runs", func(t *testing.T) {
		for _, f := range waves() {
			if set == Oldest && strings.Contains(f.Name, "-healed") {
				continue // Helm 3 asks for the Pods of a Deployment, and there are none
			}
			t.Run(f.Name, func(t *testing.T) {
				t.Parallel()
				shard := "shared"
				if f.Controller.Concurrent < 100 || f.Controller.Cancels || f.Controller.Patient {
					defer take(own)()
					shard = f.Name
				}
				defer take(atOnce)()
				f.Controller.Version = set.version(t, "kustomize-controller")
				s := &surge{wavy: f, Cluster: c, T: t, ctx: within(t, 10*time.Minute), shard: shard, set: set}
				if shard != "shared" {
					p := c.Run(t, "kustomize-controller", waveFlags(shard, f.Controller)...)
					defer p.Stop()
				}
				s.seen = &seen{last: map[string]string{}}
				logs.Store(f.Name, s.seen)
				line := s.pass()
				lines.Store(f.Name, line)
				writeWaves(t, set, &lines)
			})
		}
	})
}

func waveFlags(shard string, c wave.Controller) []string {
	flags := []string{"--requeue-dependency=5s", "--no-remote-bases=true", fmt.Sprintf("--concurrent=%d", c.Concurrent), "--watch-label-selector=run=" + shard}
	for gate, on := range map[string]bool{"CancelHealthCheckOnNewRevision": c.Cancels, "DisableFailFastBehavior": c.Patient} {
		if on {
			flags = append(flags, "--feature-gates="+gate+"=true")
		}
	}
	return flags
}

// surge is a fleet in a namespace of its own that goes through its wave.
type surge struct {
	*wavy
	*Cluster
	*testing.T
	ctx   context.Context
	shard string
	set   Set
	seen  *seen
	trees map[string][]map[string]forecast.Version // the revisions of each source
	last  func()                                   // what is done with the cluster at the end; nil for nothing
}

// seen is what a watch has seen of the objects of a fleet.
type seen struct {
	mu    sync.Mutex
	start time.Time
	last  map[string]string // by object
	steps []string
}

// pass goes through the wave, and returns what happened as a line of a recording.
func (s *surge) pass() string {
	s.create(Namespaces, "", map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": s.Name}})
	s.trees = map[string][]map[string]forecast.Version{}
	for _, chart := range []string{"good", "bad", "refused", "fixed"} {
		s.chart(chart)
	}
	for _, k := range s.Kustomizations {
		if s.trees[k.Source] == nil {
			s.create(GitRepositories, s.Name, map[string]any{
				"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": map[string]any{"name": k.Source},
				"spec": map[string]any{"interval": "1h", "url": "https://127.0.0.1/tree"},
			})
			first := map[string]forecast.Version{}
			if s.Fresh {
				first = s.First
			}
			s.commit(k.Source, first)
		}
	}
	s.seen.begin()
	for _, k := range s.Kustomizations {
		if k.Parent == "" {
			s.create(Kustomizations, s.Name, s.object(k))
		}
	}
	if !s.Fresh {
		s.ready()
		s.seen.begin()
	}
	for _, e := range s.Events {
		s.at(e.At.Duration)
		s.happen(e)
	}
	s.at(s.Until.Duration)
	got := s.seen.all()
	if s.last != nil {
		s.last()
	}
	for _, k := range s.Kustomizations { // no more work
		s.patch(Kustomizations, k.Name, `{"spec":{"suspend":true}}`)
	}
	for _, r := range s.Releases {
		s.patch(HelmReleases, r.Name, `{"spec":{"suspend":true}}`)
	}
	text, err := json.Marshal(s.wavy)
	if err != nil {
		s.Fatal(err)
	}
	return s.Name + "\t" + string(text) + "\t" + strings.Join(got, " ")
}

func (s *surge) at(after time.Duration) {
	select {
	case <-time.After(time.Until(s.seen.begun().Add(after))):
	case <-s.ctx.Done():
		s.Fatal(s.ctx.Err())
	}
}

// happen lets an event happen.
func (s *surge) happen(e wave.Event) {
	switch e.What {
	case wave.Commit:
		s.commit(e.On, e.Versions)
	case wave.Heal:
		go s.heal(e.On)
	case wave.Suspend, wave.Resume:
		s.patch(Kustomizations, e.On, fmt.Sprintf(`{"spec":{"suspend":%v}}`, e.What == wave.Suspend))
	case wave.Reconcile:
		s.patch(Kustomizations, e.On, fmt.Sprintf(`{"metadata":{"annotations":{%q:"asked"}}}`, requestedAt))
	}
}

// heal has what a release deploys become ready.
func (s *surge) heal(name string) {
	deployments := s.Resource(kinds["Deployment"]).Namespace(s.Name)
	for s.ctx.Err() == nil {
		if object, err := deployments.Get(s.ctx, name, metav1.GetOptions{}); err == nil {
			if seen, _, _ := unstructured.NestedInt64(object.Object, "status", "observedGeneration"); seen != object.GetGeneration() {
				_, _ = deployments.Patch(s.ctx, name, types.MergePatchType, fmt.Appendf(nil, `{"status":{"observedGeneration":%d,"replicas":1,"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1,
					"conditions":[{"type":"Available","status":"True"},{"type":"Progressing","status":"True","reason":"NewReplicaSetAvailable"}]}}`, object.GetGeneration()), metav1.PatchOptions{}, "status")
			}
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// ready waits until everything is ready.
func (s *surge) ready() {
	for {
		if s.seen.ready(len(s.Kustomizations) + len(s.Releases)) {
			return
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-s.ctx.Done():
			s.Fatalf("%v: %v", s.ctx.Err(), s.seen.all())
		}
	}
}

// commit publishes a revision of a source: a folder for each Kustomization.
func (s *surge) commit(source string, changes map[string]forecast.Version) {
	versions := map[string]forecast.Version{}
	if all := s.trees[source]; len(all) > 0 {
		maps.Copy(versions, all[len(all)-1])
	}
	maps.Copy(versions, changes)
	s.trees[source] = append(s.trees[source], versions)
	number := fmt.Sprint(len(s.trees[source]))
	files := fstest.MapFS{"number": {Data: []byte(number)}}
	for _, k := range s.Kustomizations {
		objects := []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "of-" + k.Name, "namespace": s.Name}}}
		for _, child := range s.Kustomizations {
			if child.Parent == k.Name {
				objects = append(objects, s.object(child))
			}
		}
		for _, r := range s.Releases {
			if r.Parent == k.Name {
				objects = append(objects, s.release(r, versions[r.Name]))
			}
		}
		for i, o := range objects {
			text, err := yaml.Marshal(o)
			if err != nil {
				s.Fatal(err)
			}
			files[fmt.Sprintf("%s/%d.yaml", k.Name, i)] = &fstest.MapFile{Data: text}
		}
	}
	data, err := Tar(files, func(string) bool { return true })
	if err != nil {
		s.Fatal(err)
	}
	s.offer(GitRepositories, source, data, number)
}

// offer publishes content at a source.
func (s *surge) offer(resource schema.GroupVersionResource, name string, data []byte, version string) {
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"observedGeneration": 1, "artifact": s.Artifacts.Publish(data, version)}})
	if err != nil {
		s.Fatal(err)
	}
	s.patch(resource, name, string(patch), "status")
}

// chart publishes a chart in a source of its name.
func (s *surge) chart(name string) {
	template := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: \"{{ .Release.Name }}-NAME\"}\n"
	switch name {
	case "bad":
		template = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: \"{{ .Release.Name }}\"}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}\n"
	case "refused":
		template = strings.ReplaceAll(template, "NAME", "X_Refused")
	}
	data, err := Chart(map[string]string{"good": oldVersion, "bad": newVersion, "refused": newVersion, "fixed": fixedVersion}[name], map[string]string{"main.yaml": strings.ReplaceAll(template, "NAME", name)})
	if err != nil {
		s.Fatal(err)
	}
	s.create(OCIRepositories, s.Name, map[string]any{
		"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "OCIRepository", "metadata": map[string]any{"name": name},
		"spec": map[string]any{"interval": "1h", "url": "oci://127.0.0.1/app"},
	})
	s.offer(OCIRepositories, name, data, name)
}

// object returns a Kustomization as it is in the tree.
func (s *surge) object(k wave.Kustomization) map[string]any {
	spec := map[string]any{
		"interval": k.Interval.String(), "retryInterval": k.Retry.String(), "timeout": k.Timeout.String(), "path": "./" + k.Name,
		"prune": true, "wait": k.Wait, "sourceRef": map[string]any{"kind": "GitRepository", "name": k.Source},
	}
	var on, checks []any
	for _, name := range k.DependsOn {
		on = append(on, map[string]any{"name": name})
	}
	for _, check := range k.Checks {
		kind, name, _ := strings.Cut(check, "/")
		checks = append(checks, map[string]any{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": kind, "name": name, "namespace": s.Name})
	}
	if on != nil {
		spec["dependsOn"] = on
	}
	if checks != nil {
		spec["healthChecks"] = checks
	}
	return map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": k.Name, "namespace": s.Name, "labels": map[string]any{"run": s.shard}}, "spec": spec,
	}
}

// release returns a HelmRelease of a version.
func (s *surge) release(r wave.Release, version forecast.Version) map[string]any {
	chart := map[forecast.Version]string{"": "good", forecast.Old: "good", forecast.New: "bad", forecast.Fixed: "fixed"}[version]
	if chart == "bad" && r.Refused {
		chart = "refused"
	}
	spec := map[string]any{}
	if err := json.Unmarshal([]byte(s.Specs[r.Name]), &spec); err != nil {
		s.Fatal(err)
	}
	spec["interval"], spec["chartRef"] = cmp.Or(r.Interval.Duration, time.Hour).String(), map[string]any{"kind": "OCIRepository", "name": chart}
	if len(r.DependsOn) > 0 {
		spec["dependsOn"] = []any{map[string]any{"name": r.DependsOn[0]}}
	}
	return map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": r.Name, "namespace": s.Name, "labels": map[string]any{"run": "shared"}}, "spec": spec,
	}
}

func (s *surge) create(resource schema.GroupVersionResource, namespace string, object map[string]any) {
	s.Helper()
	text, err := json.Marshal(object)
	if err != nil {
		s.Fatal(err)
	}
	u := &unstructured.Unstructured{}
	if err := u.UnmarshalJSON(text); err != nil {
		s.Fatal(err)
	}
	if _, err := s.Resource(resource).Namespace(namespace).Create(s.ctx, u, metav1.CreateOptions{}); err != nil {
		s.Fatal(err)
	}
}

func (s *surge) patch(resource schema.GroupVersionResource, name, patch string, sub ...string) {
	s.Helper()
	if _, err := s.Resource(resource).Namespace(s.Name).Patch(s.ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, sub...); err != nil {
		s.Log(err)
	}
}

// watchWaves notes what is seen of Kustomizations and releases, by their namespace.
func watchWaves(t *testing.T, c *Cluster) *sync.Map {
	t.Helper()
	logs := &sync.Map{}
	note := func(object any) {
		u, ok := object.(*unstructured.Unstructured)
		if !ok {
			return
		}
		if l, found := logs.Load(u.GetNamespace()); found {
			l.(*seen).note(u)
		}
	}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(c, 0)
	for _, r := range []schema.GroupVersionResource{Kustomizations, HelmReleases} {
		if _, err := factory.ForResource(r).Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc: note, UpdateFunc: func(_, o any) { note(o) },
		}); err != nil {
			t.Fatal(err)
		}
	}
	factory.Start(t.Context().Done())
	factory.WaitForCacheSync(t.Context().Done())
	return logs
}

func (s *seen) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start, s.steps = time.Now(), nil
}

func (s *seen) begun() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.start
}

func (s *seen) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.steps)
}

// ready reports whether a number of objects is there and all are ready.
func (s *seen) ready(want int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	count := 0
	for _, what := range s.last {
		if strings.HasPrefix(what, "+") {
			count++
		}
	}
	return count == want
}

// note notes a status, if it is another than before: name@seconds and a sign for the end, with the number of the revision.
// In progress is no end.
func (s *seen) note(u *unstructured.Unstructured) {
	what := signOf(u)
	name := u.GetName()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.last[name] == what {
		return
	}
	s.last[name] = what
	if what != "~" && !s.start.IsZero() {
		s.steps = append(s.steps, fmt.Sprintf("%s@%.1f%s", name, time.Since(s.start).Seconds(), what))
	}
}

// signOf returns the end of the last reconcile: + it is ready, ! its health check ran into the timeout, x or
// failed early, c was canceled, f the same with the reason of a failure, ? a dependency is not ready, and ~ nothing of that.
func signOf(u *unstructured.Unstructured) string {
	ready := condition(u, "Ready")
	if doing := condition(u, "Reconciling"); ready != nil && ready["status"] == "True" && doing != nil && doing["status"] == "True" {
		return "~" // the rest of the status is written before the condition
	}
	generation, _, _ := unstructured.NestedInt64(u.Object, "status", "observedGeneration")
	if u.GetKind() == "HelmRelease" {
		switch stalled := condition(u, "Stalled"); {
		case generation != u.GetGeneration() || ready == nil:
			return "~"
		case stalled != nil && stalled["status"] == "True":
			return "x"
		case ready["status"] == "True":
			return "+"
		}
		return "~"
	}
	if ready == nil {
		return "~"
	}
	attempted, _, _ := unstructured.NestedString(u.Object, "status", "lastAttemptedRevision")
	number := func(revision string) string { return strings.SplitN(revision, "@", 2)[0] }
	message, _ := ready["message"].(string)
	switch reason := ready["reason"]; {
	case ready["status"] == "True":
		return "+" + number(attempted)
	case ready["status"] == "Unknown":
		return "~"
	case reason == "DependencyNotReady":
		return "?"
	case reason == "HealthCheckCanceled":
		return "c" + number(attempted)
	case strings.Contains(message, "context canceled"):
		return "f" + number(attempted)
	case reason == "HealthCheckFailed" && strings.Contains(message, "timeout waiting"):
		return "!" + number(attempted)
	case reason == "HealthCheckFailed":
		return "x" + number(attempted)
	}
	return cmp.Or(fmt.Sprint(ready["reason"]), "~")
}

// writeWaves writes what was seen; runs that were not asked for stay as they were.
var writing sync.Mutex

func writeWaves(t *testing.T, set Set, lines *sync.Map) {
	writing.Lock()
	defer writing.Unlock()
	if *recordings == "" {
		return
	}
	file := filepath.Join(*recordings, set.version(t, "kustomize-controller")+"-"+set.version(t, "helm-controller")+".txt")
	all := map[string]string{}
	if before, err := os.ReadFile(file); err == nil {
		for line := range strings.Lines(string(before)) {
			name, _, _ := strings.Cut(line, "\t")
			all[name] = strings.TrimSuffix(line, "\n")
		}
	}
	lines.Range(func(name, line any) bool {
		all[name.(string)] = line.(string)
		return true
	})
	if err := os.WriteFile(file, []byte(strings.Join(slices.Sorted(maps.Values(all)), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
