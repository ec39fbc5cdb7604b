//go:build flux

package flux

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fluxcd/pkg/sourceignore"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// sources are the resources that a Kustomization can be applied from, by kind.
var sources = map[string]schema.GroupVersionResource{
	"GitRepository": GitRepositories, "OCIRepository": OCIRepositories, "Bucket": Buckets, "ExternalArtifact": ExternalArtifacts,
}

// kinds are the other resources of the example trees.
var kinds = map[string]schema.GroupVersionResource{
	"Kustomization": Kustomizations, "HelmRelease": HelmReleases,
	"ConfigMap":                {Version: "v1", Resource: "configmaps"},
	"Secret":                   Secrets,
	"Service":                  {Version: "v1", Resource: "services"},
	"Deployment":               {Group: "apps", Version: "v1", Resource: "deployments"},
	"Ingress":                  {Group: "networking.k8s.io", Version: "v1", Resource: "ingresses"},
	"FluxInstance":             {Group: "fluxcd.controlplane.io", Version: "v1", Resource: "fluxinstances"},
	"ResourceSet":              {Group: "fluxcd.controlplane.io", Version: "v1", Resource: "resourcesets"},
	"ResourceSetInputProvider": {Group: "fluxcd.controlplane.io", Version: "v1", Resource: "resourcesetinputproviders"},
	"ArtifactGenerator":        {Group: "source.extensions.fluxcd.io", Version: "v1beta1", Resource: "artifactgenerators"},
}

// applied is a cluster that was bootstrapped with a fleet and has come to rest.
type applied struct {
	*Cluster
	fleet
	ctx    context.Context
	root   string // the folder of the tree
	view   *View
	served []string // KIND/NAMESPACE/NAME of the sources that are the tree
	spoke  *applied // the cluster that this one applies, or nil
	// nudged are the versions that Kustomizations have at least, by UID.
	nudged map[types.UID]int64
	// waiting are the Kustomizations that wait for others, by UID.
	waiting map[types.UID]bool
}

func apply(t *testing.T, c *Cluster, f fleet, said *predicted) *applied {
	t.Helper()
	a := &applied{
		Cluster: c, fleet: f, ctx: within(t, 2*time.Minute), root: filepath.Join(data, f.tree, f.content), served: f.sources,
		nudged: map[types.UID]int64{}, waiting: map[types.UID]bool{},
	}
	a.view = c.View(t, append(slices.Collect(maps.Values(sources)), Kustomizations, HelmReleases)...)
	a.namespaces(t, said)
	if f.spoke != "" {
		a.attach(t, said)
	}
	t.Cleanup(func() { a.remove(t) }) // while the spoke still runs
	for _, object := range a.bootstrap(t) {
		a.create(t, object)
	}
	for before, now := "none", ""; now != before; {
		before = now
		a.settle(t)
		now = a.state(t)
		if a.spoke != nil {
			a.spoke.settle(t)
			now += a.spoke.state(t)
		}
		a.nudge(t) // what happens at the next interval
	}
	a.settle(t)
	return a
}

// attach starts the cluster that this one applies, with a Flux of its own.
func (a *applied) attach(t *testing.T, said *predicted) {
	t.Helper()
	spoke := *a
	spoke.Cluster = Start(t, a.set, definitions(a.set)...)
	spoke.Run(t, "kustomize-controller", kustomizeFlags...)
	spoke.view = spoke.View(t, append(slices.Collect(maps.Values(sources)), Kustomizations, HelmReleases)...)
	spoke.served, spoke.nudged = []string{"GitRepository/flux-system/flux-system"}, map[types.UID]int64{}
	spoke.waiting = map[types.UID]bool{}
	spoke.namespaces(t, said)
	spoke.create(t, source("GitRepository", "flux-system", "flux-system"))
	namespace, name, _ := strings.Cut(a.fleet.spoke, "/")
	a.create(t, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": name, "namespace": namespace},
		"stringData": map[string]any{"value": string(spoke.Kubeconfig)},
	}})
	a.spoke = &spoke
}

// bootstrap returns the objects that make Flux apply the entry.
func (a *applied) bootstrap(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	entry := a.entry
	for _, dir := range []string{"clusters/" + a.cluster, a.cluster} {
		if _, err := os.Stat(filepath.Join(a.root, dir)); err == nil && entry == "" {
			entry = dir
		}
	}
	if entry == "" && a.boot == "" {
		t.Fatal("the entry of this cluster is not known: add it to special")
	}
	file := a.boot
	if file == "" {
		file = path.Join(entry, "flux-system/gotk-sync.yaml")
	}
	all := a.documents(t, file)
	ref := map[string]any{"kind": "GitRepository", "name": "flux-system"}
	namespace := "flux-system"
	i := slices.IndexFunc(all, func(u *unstructured.Unstructured) bool { return u.GetKind() == "Kustomization" })
	if i < 0 {
		if found := a.reference(t, entry); found != nil {
			ref = found
		}
		all = append(all, a.first(entry, ref))
	} else {
		ref, _, _ = unstructured.NestedMap(all[i].Object, "spec", "sourceRef")
		namespace = all[i].GetNamespace()
	}
	if ns, _ := ref["namespace"].(string); ns != "" {
		namespace = ns
	}
	kind, name := ref["kind"].(string), ref["name"].(string)
	a.served = append(a.served, kind+"/"+namespace+"/"+name)
	if !slices.ContainsFunc(all, func(u *unstructured.Unstructured) bool { return u.GetKind() == kind && u.GetName() == name }) {
		all = append(all, source(kind, namespace, name))
	}
	return all
}

// reference returns the sourceRef of the first Kustomization below a folder.
func (a *applied) reference(t *testing.T, dir string) (found map[string]any) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(a.root, dir), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".yaml") || found != nil {
			return err
		}
		rel, _ := filepath.Rel(a.root, name)
		for _, u := range a.documents(t, rel) {
			ref, _, _ := unstructured.NestedMap(u.Object, "spec", "sourceRef")
			if u.GroupVersionKind().Group == Kustomizations.Group && ref["kind"] != "ExternalArtifact" && found == nil {
				found = ref
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// first makes up the Kustomization that applies the entry.
func (a *applied) first(entry string, ref map[string]any) *unstructured.Unstructured {
	spec := map[string]any{"interval": "1h", "path": "./" + entry, "prune": true, "sourceRef": ref}
	maps.Copy(spec, a.spec)
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
		"metadata": map[string]any{"name": cmp.Or(a.name, "bootstrap"), "namespace": "flux-system"}, "spec": spec,
	}}
}

func source(kind, namespace, name string) *unstructured.Unstructured {
	spec := map[string]any{"interval": "1h"}
	switch kind {
	case "OCIRepository":
		spec["url"] = "oci://127.0.0.1/none"
	case "Bucket":
		spec["endpoint"], spec["bucketName"] = "127.0.0.1", "none"
	default:
		spec["url"] = "https://127.0.0.1/none"
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": kind,
		"metadata": map[string]any{"name": name, "namespace": namespace}, "spec": spec,
	}}
}

// documents reads the objects of a file of the tree; of one that is missing, none.
func (a *applied) documents(t *testing.T, name string) []*unstructured.Unstructured {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(a.root, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var out []*unstructured.Unstructured
	for decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096); ; {
		u := &unstructured.Unstructured{}
		if err := decoder.Decode(&u.Object); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			return out // what is no YAML is not bootstrapped from
		}
		if len(u.Object) > 0 {
			out = append(out, u)
		}
	}
}

// namespaces creates all that the tree speaks of: nobody else does.
func (a *applied) namespaces(t *testing.T, said *predicted) {
	t.Helper()
	names := map[string]bool{"flux-system": true}
	for _, r := range said.releases {
		names[r.Namespace] = true
	}
	written := regexp.MustCompile(`namespace: ?"?([a-z0-9-]+)`)
	err := filepath.WalkDir(a.root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		for _, m := range written.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range names {
		a.create(t, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name},
		}})
	}
}

func (a *applied) create(t *testing.T, object *unstructured.Unstructured) {
	t.Helper()
	resource, namespaced := kinds[object.GetKind()], true
	if r, found := sources[object.GetKind()]; found {
		resource = r
	}
	if object.GetKind() == "Namespace" {
		resource, namespaced = Namespaces, false
	}
	var err error
	if namespaced {
		_, err = a.Resource(resource).Namespace(object.GetNamespace()).Create(a.ctx, object, metav1.CreateOptions{})
	} else {
		_, err = a.Resource(resource).Create(a.ctx, object, metav1.CreateOptions{})
	}
	if err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatalf("create %s %s: %v", object.GetKind(), object.GetName(), err)
	}
}

// settle plays source-controller and helm-controller until each Kustomization is applied
// or has failed.
func (a *applied) settle(t *testing.T) {
	t.Helper()
	if err := a.view.Until(a.ctx, func() bool {
		for _, resource := range sources {
			for _, s := range a.view.All(resource) {
				a.serve(t, resource, s)
			}
		}
		for _, r := range a.view.All(HelmReleases) {
			a.ready(t, r)
		}
		rest := true
		for _, k := range a.view.All(Kustomizations) {
			rest = a.rests(k) && rest // each is asked, and what it waits for noted
		}
		return rest
	}); err != nil {
		for _, k := range a.view.All(Kustomizations) {
			handled, _, _ := unstructured.NestedString(k.Object, "status", "lastHandledReconcileAt")
			t.Logf("%s/%s rests: %t; asked %q, handled %q: %v", k.GetNamespace(), k.GetName(), a.rests(k), k.GetAnnotations()[requestedAt], handled, condition(k, "Ready"))
		}
		t.Fatalf("the cluster does not come to rest: %v", err)
	}
}

// serve sets the status of a source that is the tree.
func (a *applied) serve(t *testing.T, resource schema.GroupVersionResource, s *unstructured.Unstructured) {
	t.Helper()
	name := s.GetKind() + "/" + s.GetNamespace() + "/" + s.GetName()
	if _, has, _ := unstructured.NestedMap(s.Object, "status", "artifact"); has || !slices.Contains(a.served, name) {
		return
	}
	ignored, _, _ := unstructured.NestedString(s.Object, "spec", "ignore")
	archive, err := Tar(os.DirFS(a.root), a.kept(t, ignored))
	if err != nil {
		t.Fatal(err)
	}
	a.patchStatus(t, resource, s, map[string]any{
		"observedGeneration": s.GetGeneration(), "artifact": a.Artifacts.Publish(archive, "main"),
	})
}

// kept reports of the files of the tree whether source-controller takes them.
func (a *applied) kept(t *testing.T, ignored string) func(string) bool {
	t.Helper()
	absolute, err := filepath.Abs(a.root)
	if err != nil {
		t.Fatal(err)
	}
	domain := strings.Split(absolute, string(filepath.Separator))
	patterns, err := sourceignore.LoadIgnorePatterns(absolute, domain)
	if err != nil {
		t.Fatal(err)
	}
	patterns = append(patterns, sourceignore.ReadPatterns(strings.NewReader(ignored), domain)...)
	matcher := sourceignore.NewDefaultMatcher(patterns, domain)
	return func(name string) bool {
		return !matcher.Match(append(slices.Clip(domain), strings.Split(name, "/")...), false)
	}
}

// ready sets the status of a release that nobody installs here.
func (a *applied) ready(t *testing.T, r *unstructured.Unstructured) {
	t.Helper()
	if observed, _, _ := unstructured.NestedInt64(r.Object, "status", "observedGeneration"); observed == r.GetGeneration() {
		return
	}
	a.patchStatus(t, HelmReleases, r, map[string]any{"observedGeneration": r.GetGeneration(), "conditions": []any{map[string]any{
		"type": "Ready", "status": "True", "reason": "InstallSucceeded", "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z",
		"observedGeneration": r.GetGeneration(),
	}}})
}

func (a *applied) patchStatus(t *testing.T, resource schema.GroupVersionResource, u *unstructured.Unstructured, status map[string]any) {
	t.Helper()
	patch, err := (&unstructured.Unstructured{Object: map[string]any{"status": status, "kind": u.GetKind(), "apiVersion": u.GetAPIVersion()}}).MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Resource(resource).Namespace(u.GetNamespace()).Patch(a.ctx, u.GetName(), types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatalf("status of %s: %v", u.GetName(), err)
	}
}

// condition returns a condition of an object, nil if it has none.
func condition(u *unstructured.Unstructured, kind string) map[string]any {
	all, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	for _, c := range all {
		if c := c.(map[string]any); c["type"] == kind {
			return c
		}
	}
	return nil
}

const requestedAt = "reconcile.fluxcd.io/requestedAt"

// rests reports whether a Kustomization is applied or has failed, as it is now written.
func (a *applied) rests(k *unstructured.Unstructured) bool {
	if version(k) < a.nudged[k.GetUID()] {
		return false // it is not seen yet that it was nudged
	}
	ready := condition(k, "Ready")
	if ready == nil || ready["observedGeneration"] != k.GetGeneration() {
		return false
	}
	if ready["status"] != "Unknown" {
		a.waiting[k.GetUID()] = ready["reason"] == "DependencyNotReady"
	}
	if a.waiting[k.GetUID()] { // it looks again each two seconds
		return a.dependsOnFailed(k)
	}
	if ready["status"] == "Unknown" {
		return false
	}
	if handled, _, _ := unstructured.NestedString(k.Object, "status", "lastHandledReconcileAt"); handled != k.GetAnnotations()[requestedAt] {
		return false
	}
	if suspended, _, _ := unstructured.NestedBool(k.Object, "spec", "suspend"); suspended {
		return true
	}
	if ready["reason"] == "ArtifactFailed" {
		return !strings.Contains(fmt.Sprint(ready["message"]), "artifact not found") || !a.hasArtifact(k)
	}
	return true
}

// dependsOnFailed reports whether a dependency of a Kustomization is missing or has failed.
func (a *applied) dependsOnFailed(k *unstructured.Unstructured) bool {
	all, _, _ := unstructured.NestedSlice(k.Object, "spec", "dependsOn")
	return slices.ContainsFunc(all, func(d any) bool {
		name, _ := d.(map[string]any)["name"].(string)
		namespace, _ := d.(map[string]any)["namespace"].(string)
		is := func(o *unstructured.Unstructured) bool {
			return o.GetName() == name && o.GetNamespace() == cmp.Or(namespace, k.GetNamespace())
		}
		known := a.view.All(Kustomizations) // in no order, which another call would change
		i := slices.IndexFunc(known, is)
		return i < 0 || a.waiting[known[i].GetUID()] || condition(known[i], "Ready")["status"] == "False"
	})
}

// version returns the version of an object, which increases.
func version(u *unstructured.Unstructured) int64 {
	if u == nil {
		return 0
	}
	n, _ := strconv.ParseInt(u.GetResourceVersion(), 10, 64)
	return n
}

// hasArtifact reports whether the source of a Kustomization is served.
func (a *applied) hasArtifact(k *unstructured.Unstructured) bool {
	ref, _, _ := unstructured.NestedStringMap(k.Object, "spec", "sourceRef")
	return slices.ContainsFunc(a.view.All(sources[ref["kind"]]), func(s *unstructured.Unstructured) bool {
		_, has, _ := unstructured.NestedMap(s.Object, "status", "artifact")
		return has && s.GetName() == ref["name"]
	})
}

// failing returns the Kustomizations that have failed, with what they say.
func (a *applied) failing() map[string]string {
	out := map[string]string{}
	if a.spoke != nil {
		out = a.spoke.failing()
	}
	for _, k := range a.view.All(Kustomizations) {
		if ready := condition(k, "Ready"); ready["status"] != "True" {
			out[k.GetNamespace()+"/"+k.GetName()] = fmt.Sprint(ready["message"])
		}
	}
	return out
}

// releases returns the HelmReleases in the API server by namespace/name.
func (a *applied) releases(t *testing.T) map[string]*unstructured.Unstructured {
	t.Helper()
	all, err := a.Resource(HelmReleases).List(a.ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*unstructured.Unstructured{}
	for i := range all.Items {
		out[all.Items[i].GetNamespace()+"/"+all.Items[i].GetName()] = &all.Items[i]
	}
	return out
}

// state describes all that is applied, to see whether anything changes any more.
func (a *applied) state(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	live := a.releases(t)
	for _, name := range slices.Sorted(maps.Keys(live)) {
		fmt.Fprintln(&b, name, live[name].Object["spec"])
	}
	failing := a.failing()
	for _, name := range slices.Sorted(maps.Keys(failing)) {
		fmt.Fprintln(&b, name)
	}
	return b.String()
}

// nudge lets each Kustomization be applied again, as at its next interval.
func (a *applied) nudge(t *testing.T) {
	t.Helper()
	clear(a.waiting)
	for _, k := range a.view.All(Kustomizations) {
		patch := fmt.Sprintf(`{"metadata":{"annotations":{%q:"%s again"}}}`, requestedAt, k.GetAnnotations()[requestedAt])
		now, err := a.Resource(Kustomizations).Namespace(k.GetNamespace()).Patch(a.ctx, k.GetName(), types.MergePatchType, []byte(patch), metav1.PatchOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			t.Fatal(err)
		}
		a.nudged[k.GetUID()] = version(now)
	}
}

// remove empties the cluster for the next fleet.
func (a *applied) remove(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	a.ctx = ctx
	for _, k := range a.view.All(Kustomizations) {
		a.delete(t, Kustomizations, k)
	}
	if err := a.view.Until(a.ctx, func() bool { return len(a.view.All(Kustomizations)) == 0 }); err != nil {
		t.Fatalf("the Kustomizations do not go: %v", err)
	}
	for _, resource := range append(slices.Collect(maps.Values(sources)), slices.Collect(maps.Values(kinds))...) {
		all, err := a.Resource(resource).List(a.ctx, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range all.Items {
			a.delete(t, resource, &all.Items[i])
		}
	}
}

func (a *applied) delete(t *testing.T, resource schema.GroupVersionResource, u *unstructured.Unstructured) {
	t.Helper()
	if u.GetNamespace() == "default" || strings.HasPrefix(u.GetNamespace(), "kube-") {
		return
	}
	err := a.Resource(resource).Namespace(u.GetNamespace()).Delete(a.ctx, u.GetName(), metav1.DeleteOptions{})
	if err != nil && !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}

// within returns the context of a test that may take so long.
func within(t *testing.T, limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(Context(t), limit)
	t.Cleanup(cancel)
	return ctx
}
