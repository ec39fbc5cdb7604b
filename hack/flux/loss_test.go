//go:build flux

package flux

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/loss"
)

// TestLoss: what vanishes when helm-controller uninstalls the charts of testdata/loss, and installs
// them again, is what their recordings say, which make test holds pkg/loss to. It is a whole
// cluster but for its nodes: kube-controller-manager makes and collects the claims of StatefulSets,
// and empties namespaces.
func TestLoss(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(data, "loss", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, "no cases")
	}
	c := Start(t, Newest)
	c.RunManager(t, "statefulset-controller", "garbage-collector-controller", "namespace-controller",
		"persistentvolumeclaim-protection-controller", "persistentvolume-protection-controller")
	c.Run(t, "helm-controller", "--concurrent=50")
	t.Run("cases", func(t *testing.T) {
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".txtar")
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				archive, err := txtar.ParseFile(file)
				if err != nil {
					t.Fatal(err)
				}
				u := &uninstall{Cluster: c, ctx: Context(t), namespace: "loss-" + name, archive: archive}
				u.run(t)
				u.check(t, file)
			})
		}
	})
}

// uninstall is a chart that is installed, uninstalled and installed again in a namespace.
type uninstall struct {
	*Cluster
	ctx       context.Context
	namespace string
	archive   *txtar.Archive

	rendered           string   // what Helm has recorded of the templates
	vanished, replaced []string // by the uninstall or the upgrade; by the install after it
}

func (u *uninstall) run(t *testing.T) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := u.Resource(Namespaces).Create(u.ctx, object("v1", "Namespace", "", u.namespace), metav1.CreateOptions{})
	must(err)
	must(u.create("before/"))
	must(u.publish("1.0.0", "templates/"))
	must(u.install(t))
	must(u.create("others/"))
	u.rest(t)
	first := u.objects(t)
	must(u.record())
	u.why(t)
	if _, ok := u.file("next/"); ok {
		must(u.publish("2.0.0", "next/"))
		must(u.until(t, "the upgrade", func() bool { return u.attempted("2.0.0") }))
		u.rest(t)
		u.vanished = missing(first, u.objects(t))
		return
	}
	releases := u.Resource(HelmReleases).Namespace(u.namespace)
	must(releases.Delete(u.ctx, "app", metav1.DeleteOptions{}))
	must(u.until(t, "the uninstall", func() bool {
		_, err := releases.Get(u.ctx, "app", metav1.GetOptions{})
		return err != nil
	}))
	u.rest(t)
	second := u.objects(t)
	u.vanished = missing(first, second)
	must(u.install(t))
	u.rest(t)
	third := u.objects(t)
	u.replaced = missing(second, third)
}

// file returns the first file with a prefix.
func (u *uninstall) file(prefix string) (txtar.File, bool) {
	i := slices.IndexFunc(u.archive.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, prefix) })
	if i < 0 {
		return txtar.File{}, false
	}
	return u.archive.Files[i], true
}

// publish offers a version of the chart.
func (u *uninstall) publish(version, templates string) error {
	chart := fstest.MapFS{"app/Chart.yaml": {Data: fmt.Appendf(nil, "apiVersion: v2\nname: app\nversion: %s\n", version)}}
	for _, f := range u.archive.Files {
		if name, ok := strings.CutPrefix(f.Name, templates); ok {
			chart["app/templates/"+name] = &fstest.MapFile{Data: f.Data}
		} else if strings.HasPrefix(f.Name, "crds/") {
			chart["app/"+f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	data, err := Tar(chart, func(string) bool { return true })
	if err != nil {
		return err
	}
	sources := u.Resource(OCIRepositories).Namespace(u.namespace)
	if _, err := sources.Create(u.ctx, ociRepository(u.namespace, "app"), metav1.CreateOptions{}); err != nil && version == "1.0.0" {
		return err
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"observedGeneration": 1, "artifact": u.Artifacts.Publish(data, version)}})
	if err != nil {
		return err
	}
	_, err = sources.Patch(u.ctx, "app", types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

// install creates the release and waits until it is installed.
func (u *uninstall) install(t *testing.T) error {
	spec := map[string]any{"interval": "1h", "timeout": "60s", "chartRef": map[string]any{"kind": "OCIRepository", "name": "app"}}
	if f, ok := u.file("spec.yaml"); ok {
		if err := yaml.Unmarshal(f.Data, &spec); err != nil {
			return err
		}
	}
	for _, half := range []string{"install", "upgrade"} { // no pod gets ready without a node
		settings, _ := spec[half].(map[string]any)
		if settings == nil {
			settings = map[string]any{}
		}
		settings["disableWait"] = true
		spec[half] = settings
	}
	release := object("helm.toolkit.fluxcd.io/v2", "HelmRelease", u.namespace, "app")
	release.Object["spec"] = spec
	if _, err := u.Resource(HelmReleases).Namespace(u.namespace).Create(u.ctx, release, metav1.CreateOptions{}); err != nil {
		return err
	}
	return u.until(t, "the install", func() bool { return u.attempted("1.0.0") })
}

// attempted reports whether the release is ready with a version.
func (u *uninstall) attempted(version string) bool {
	release, err := u.Resource(HelmReleases).Namespace(u.namespace).Get(u.ctx, "app", metav1.GetOptions{})
	if err != nil {
		return false
	}
	ready, _ := (&entry{object: release}).says("Ready")
	last, _, _ := unstructured.NestedString(release.Object, "status", "lastAttemptedRevision")
	return ready == "True" && strings.HasPrefix(last, version)
}

// create creates the objects of files by hand.
func (u *uninstall) create(prefix string) error {
	for _, f := range u.archive.Files {
		if !strings.HasPrefix(f.Name, prefix) {
			continue
		}
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(f.Data, &o.Object); err != nil {
			return err
		}
		plural := strings.ToLower(o.GetKind()) + "s"
		resource := schema.GroupVersionResource{Group: o.GroupVersionKind().Group, Version: o.GroupVersionKind().Version, Resource: plural}
		if _, err := u.Resource(resource).Namespace(u.namespace).Create(u.ctx, o, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// record keeps what Helm has recorded of the first revision.
func (u *uninstall) record() error {
	secret, err := u.Resource(Secrets).Namespace(u.namespace).Get(u.ctx, "sh.helm.release.v1.app.v1", metav1.GetOptions{})
	if err != nil {
		return err
	}
	release, err := decodeRecord(secret)
	if err != nil {
		return err
	}
	u.rendered, _ = release["manifest"].(string)
	hooks, _ := release["hooks"].([]any)
	for _, hook := range hooks {
		u.rendered += fmt.Sprintf("---\n%s\n", hook.(map[string]any)["manifest"])
	}
	return nil
}

// why asks the program what Helm's record says of an uninstall, which is what is foretold.
func (u *uninstall) why(t *testing.T) {
	program := filepath.Join(assets, "flux-remedy")
	out, err := exec.CommandContext(u.ctx, program, "why", "app", "-n", u.namespace, "--helm-storage", "-o", "json", "--kubeconfig", u.kubeconfig).Output()
	if err != nil {
		t.Fatal(err)
	}
	var told struct{ Incidents []struct{ Deletes string } }
	if err := json.Unmarshal(out, &told); err != nil || len(told.Incidents) != 1 {
		t.Fatalf("%v, %s", err, out)
	}
	documents, err := loss.Documents(u.rendered)
	if err != nil {
		t.Fatal(err)
	}
	var spec struct {
		Install   struct{ DisableHooks bool }
		Uninstall struct{ DeletionPropagation string }
	}
	if f, ok := u.file("spec.yaml"); ok {
		if err := yaml.Unmarshal(f.Data, &spec); err != nil {
			t.Fatal(err)
		}
	}
	want := loss.Of(loss.Release{
		Namespace: u.namespace, Documents: documents, NoHooks: spec.Install.DisableHooks, Orphan: spec.Uninstall.DeletionPropagation == "orphan",
	}).Sentence()
	if got := told.Incidents[0].Deletes; got != want {
		t.Errorf("why says that an uninstall %s, want %s", got, want)
	}
}

// lossKinds are the kinds that are looked at.
var lossKinds = []schema.GroupVersionResource{
	kinds["ConfigMap"], Secrets, Namespaces,
	{Version: "v1", Resource: "persistentvolumeclaims"},
	{Version: "v1", Resource: "persistentvolumes"},
	{Group: "apps", Version: "v1", Resource: "statefulsets"},
	{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"},
	{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"},
}

var plurals = regexp.MustCompile(`plural: (\w+)`)

// objects returns the ids of what the case has on the cluster and is not being deleted, by kind and name.
func (u *uninstall) objects(t *testing.T) map[string]types.UID {
	t.Helper()
	text := string(txtar.Format(u.archive))
	resources := slices.Clone(lossKinds)
	for _, m := range plurals.FindAllStringSubmatch(text, -1) {
		resources = append(resources, schema.GroupVersionResource{Group: "loss.test", Version: "v1", Resource: m[1]})
	}
	out := map[string]types.UID{}
	for _, resource := range resources {
		list, err := u.Resource(resource).List(u.ctx, metav1.ListOptions{})
		if err != nil && resource.Group == "loss.test" {
			continue // its definition is gone
		} else if err != nil {
			t.Fatal(err)
		}
		for _, o := range list.Items {
			named := strings.Contains(text, "name: "+o.GetName()+"\n")
			inside := o.GetNamespace() == u.namespace || named && strings.Contains(text, "namespace: "+o.GetNamespace()+"\n")
			if (inside || o.GetNamespace() == "" && named) && o.GetDeletionTimestamp() == nil && o.GetLabels()["owner"] != "helm" && o.GetName() != "kube-root-ca.crt" {
				out[o.GetKind()+" "+o.GetName()] = o.GetUID()
			}
		}
	}
	return out
}

// rest waits until nothing changes any more: what collects objects does so in some seconds.
func (u *uninstall) rest(t *testing.T) {
	last := u.objects(t)
	for quiet := 0; quiet < 3; {
		time.Sleep(3 * time.Second)
		now := u.objects(t)
		if quiet++; !maps.Equal(last, now) {
			quiet = 0
		}
		last = now
	}
}

// missing lists what is in the first and, as the same object, not in the second.
func missing(before, after map[string]types.UID) []string {
	var out []string
	for name, id := range before {
		if after[name] != id {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func (u *uninstall) until(t *testing.T, what string, done func() bool) error {
	for !done() {
		select {
		case <-u.ctx.Done():
			return fmt.Errorf("waiting for %s: %w", what, u.ctx.Err())
		case <-time.After(300 * time.Millisecond):
		}
	}
	return nil
}

// lossRecords are the files that a run writes to its case.
var lossRecords = []string{"rendered.yaml", "vanished.txt", "replaced.txt"}

// check compares with what is recorded or, with -recordings, records it.
func (u *uninstall) check(t *testing.T, file string) {
	lines := func(names []string) []byte { return []byte(strings.Join(append(names, ""), "\n")) }
	got := map[string][]byte{"rendered.yaml": []byte(u.rendered), "vanished.txt": lines(u.vanished), "replaced.txt": lines(u.replaced)}
	if *recordings != "" {
		u.archive.Files = slices.DeleteFunc(u.archive.Files, func(f txtar.File) bool { return slices.Contains(lossRecords, f.Name) })
		for _, name := range lossRecords {
			u.archive.Files = append(u.archive.Files, txtar.File{Name: name, Data: got[name]})
		}
		if err := os.WriteFile(file, txtar.Format(u.archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range lossRecords {
		want, ok := u.file(name)
		if !ok || !bytes.Equal(bytes.TrimSpace(want.Data), bytes.TrimSpace(got[name])) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got[name], want.Data)
		}
	}
}

func object(apiVersion, kind, namespace, name string) *unstructured.Unstructured {
	metadata := map[string]any{"name": name}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata}}
}
