//go:build flux

package flux

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// night is a situation in which somebody is woken: a release fails for real, the program says why,
// and what it says of what helps is done.
type night struct {
	name string
	// spec is that of the HelmRelease app; first and second are the templates of chart versions
	// 1.0.0 and 2.0.0. Without a second one the first is what fails.
	spec, first, second string
	// before happens before the release is created, hurt once the first version runs.
	before, hurt func(*woken)
	// settled is what its status says at last, as TYPE=REASON, or a text of the message of Ready.
	settled string
	tries   int64 // failures until then
	// said matches what why says then, and never what it must not.
	said, never string
	// mend takes the cause away. done is how revive ends, and ready whether Flux is Ready at last.
	mend  func(*woken)
	done  string
	ready bool
	own   bool // a controller of its own, which is killed in mid-upgrade
}

// woken is a night on a cluster.
type woken struct {
	night
	*Cluster
	*testing.T
	ctx       context.Context
	namespace string
	config    string // which helm-controller it is
	log       *log
}

const (
	inLater  = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app, namespace: NAMESPACE-later}\ndata: {version: \"{{ .Chart.Version }}\"}\n"
	settings = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: app}\ndata: {version: \"{{ .Chart.Version }}\"}\n"
	frozen   = settings + "immutable: true\n"
	widget   = "apiVersion: night.flux-remedy.io/v1\nkind: Widget\nmetadata: {name: app}\n"
	service  = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: app}\nspec: {selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: \"a:{{ .Chart.Version }}\"}]}}}\n"
	thrice   = `"install":{"remediation":{"retries":3}},"upgrade":{"remediation":{"retries":3}}`
	alone    = " is left alone: "
)

var nights = []night{
	{
		name: "young", first: inLater, second: inLater, settled: "Stalled=RetriesExceeded", hurt: (*woken).publishSecond,
		said:  `after 1 failed upgrade \(RetriesExceeded\); a part of the failed chart version 2\.0\.0\S* may be|after 1 failed upgrade \(RetriesExceeded\); the failed chart version 2\.0\.0`,
		never: "helm uninstall", mend: (*woken).later, done: " revived: it is Ready", ready: true,
	},
	{
		name: "restarted", spec: thrice + `,"timeout":"15s"`, first: settings, second: service, hurt: (*woken).kill, own: true, settled: "Stalled=MissingRollbackTarget",
		said: `knows no earlier release to roll back to`, never: "nothing is installed|helm uninstall", mend: (*woken).serve, done: " revived: it is Ready", ready: true,
	},
	{
		name: "missing-crd", spec: thrice, first: widget, settled: "no matches for kind", tries: 6, said: `InstallFailed\): Flux tries again forever; nothing is installed`,
		never: "at most|Stalled|helm uninstall", mend: (*woken).define, done: alone + "Flux goes on by itself", ready: true,
	},
	{
		name: "no-rights", spec: `"serviceAccountName":"weak"`, first: settings, settled: "secrets is forbidden",
		said:  `the state of its Helm release cannot be read; nothing is known to be installed`,
		never: "at most|once more|look whether|helm uninstall", mend: (*woken).allow, done: alone + "Flux goes on by itself", ready: true,
	},
	{
		name: "no-kubeconfig", spec: `"kubeConfig":{"secretRef":{"name":"edge"}}`, first: settings, settled: "Ready=RESTClientError",
		said: `the cluster that it is for cannot be reached`, never: "at most|once more|look whether|helm uninstall", mend: (*woken).connect,
		done: alone + "Flux goes on by itself", ready: true,
	},
	{
		name: "drift-refused", spec: `"driftDetection":{"mode":"enabled"}`, first: frozen, hurt: (*woken).freeze, settled: "immutable",
		said: `the state of its Helm release cannot be read; chart version 1\.0\.0\S* runs`, never: "0 times|once more|look whether|helm uninstall",
		mend: (*woken).thaw, done: alone + "Flux goes on by itself", ready: true,
	},
	{
		name: "rollback-failed", spec: `"timeout":"6s","upgrade":{"remediation":{"retries":0,"remediateLastFailure":true}}`, first: service, second: service,
		before: (*woken).serveOnce, hurt: (*woken).publishSecond, settled: "Ready=RollbackFailed",
		said:  `each "flux reconcile" makes Flux try again(?s:.*)with the old version running`,
		never: "neither the interval", mend: (*woken).serve, done: " restored: ", ready: false,
	},
	{
		name: "twins", spec: `"releaseName":"shared","interval":"5s"`, first: settings, hurt: (*woken).twin, settled: "Ready=UpgradeSucceeded",
		said: `fights  \S+ has the same Helm release`, never: "stuck", done: alone + "it is Ready", ready: true,
	},
	{
		name: "missing-namespace", spec: `"targetNamespace":"NAMESPACE-later"`, first: settings, settled: "Stalled=RetriesExceeded",
		said: `a part of the failed chart version 1\.0\.0\S* may be on the cluster`, never: "helm uninstall", mend: (*woken).later, done: " revived: it is Ready", ready: true,
	},
	{ // fluxcd/flux2 issue 4614
		name: "uninstalling", first: settings, second: settings, hurt: (*woken).leaveUninstalling, settled: "has no deployed releases",
		said: `helm uninstall app -n \S+ --kubeconfig \S+, then flux reconcile(?s:.*)risk high`, never: "Flux tries again, ", mend: func(*woken) {},
		done: alone + "no request helps, but this does: helm uninstall", ready: false,
	},
}

// TestNights: what is said of a release in trouble is what comes of it, and what revives it does.
func TestNights(t *testing.T) {
	t.Parallel()
	for _, set := range chosenSets(t) {
		t.Run(string(set), func(t *testing.T) { set.nights(t) })
	}
}

// nights are those with the controllers of the set.
func (s Set) nights(t *testing.T) {
	t.Parallel()
	c := Start(t, s)
	logs := watch(t, c)
	config := filepath.Join(t.TempDir(), "config.yaml")
	text := "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: {controller: {version: " + s.version(t, "helm-controller") + "}}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Run(t, "helm-controller", helmFlags("shared")...)
	var all sync.Map
	t.Run("nights", func(t *testing.T) {
		for _, n := range nights {
			t.Run(n.name, func(t *testing.T) {
				t.Parallel()
				w := &woken{night: n, Cluster: c, T: t, ctx: within(t, 10*time.Minute), namespace: "night-" + n.name, config: config, log: newLog()}
				logs.Store(w.namespace, w.log)
				w.pass()
				all.Store(n.name, w.log.statuses())
			})
		}
	})
	if s == Newest {
		writeStatuses(t, &all)
	}
}

// pass lets the release come to its trouble, asks the program, takes the cause away and does what the program
// says.
func (w *woken) pass() {
	w.create(Namespaces, "", fmt.Sprintf(`{apiVersion: v1, kind: Namespace, metadata: {name: %s}}`, w.namespace))
	w.release()
	out, _ := w.program("why", "-n", w.namespace)
	if !regexp.MustCompile(w.said).MatchString(out) || w.never != "" && regexp.MustCompile(w.never).MatchString(out) {
		w.Errorf("why says\n%swant %s, and not %s%s", out, w.said, w.never, w.log)
	}
	if w.mend != nil {
		w.mend(w)
	}
	out, _ = w.program("revive", w.namespace+"/app", "--yes")
	if !strings.Contains(out, w.namespace+"/app"+w.done) {
		w.Errorf("revive says\n%swant %s%s", out, w.done, w.log)
	}
	w.ask("revived") // what Flux does by itself, it may do after minutes
	if w.ready {
		w.wait("it to be Ready", func(e *unstructured.Unstructured) bool { return says(e, "Ready", "True", "") })
	}
}

// release creates the HelmRelease, and waits for its trouble.
func (w *woken) release() {
	if w.before != nil {
		w.before(w)
	}
	w.publish(w.first, oldVersion)
	shard := "shared"
	if w.own {
		shard = w.namespace
	}
	w.create(HelmReleases, w.namespace, strings.ReplaceAll(fmt.Sprintf(`{"apiVersion":"helm.toolkit.fluxcd.io/v2","kind":"HelmRelease","metadata":{"name":"app","labels":{"run":%q}},
		"spec":{"interval":"1h","timeout":"30s","chartRef":{"kind":"OCIRepository","name":"app"}%s}}`, shard, comma(w.spec)), "NAMESPACE", w.namespace))
	if w.hurt != nil {
		w.hurt(w)
	}
	reason := strings.SplitN(w.settled, "=", 2)
	w.wait(w.settled, func(e *unstructured.Unstructured) bool {
		if handled, _, _ := unstructured.NestedString(e.Object, "status", "lastHandledReconcileAt"); handled != e.GetAnnotations()[requestedAt] {
			return false
		}
		if len(reason) == 2 {
			return says(e, reason[0], "", reason[1]) && w.seenSecond(e)
		}
		ready, _ := condition(e, "Ready")["message"].(string)
		failures, _, _ := unstructured.NestedInt64(e.Object, "status", "failures")
		return strings.Contains(ready, w.settled) && failures >= w.tries
	})
}

// comma puts a comma before fields; those that are given twice count once.
func comma(fields string) string {
	if fields == "" {
		return ""
	}
	return "," + fields
}

// seenSecond reports whether the second version was attempted, if there is one.
func (w *woken) seenSecond(e *unstructured.Unstructured) bool {
	revision, _, _ := unstructured.NestedString(e.Object, "status", "lastAttemptedRevision")
	return w.second == "" || strings.HasPrefix(revision, newVersion)
}

// says reports whether a condition has a status and a reason, as far as they are given.
func says(e *unstructured.Unstructured, name, status, reason string) bool {
	c := condition(e, name)
	return c != nil && c["status"] == cmp.Or(status, fmt.Sprint(c["status"])) && c["reason"] == cmp.Or(reason, fmt.Sprint(c["reason"]))
}

// wait waits until the release is as it is said to be.
func (w *woken) wait(what string, done func(*unstructured.Unstructured) bool) {
	w.Helper()
	for {
		object, err := w.Resource(HelmReleases).Namespace(w.namespace).Get(w.ctx, "app", metav1.GetOptions{})
		if err == nil && done(object) {
			return
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-w.ctx.Done():
			w.Fatalf("%s: %v%s", what, w.ctx.Err(), w.log)
		}
	}
}

// program runs flux-remedy on the cluster.
func (w *woken) program(args ...string) (out string, code int) {
	program, err := filepath.Abs(filepath.Join(assets, "flux-remedy"))
	if err != nil {
		w.Fatal(err)
	}
	text, err := exec.CommandContext(w.ctx, program, append(args, "--kubeconfig", w.kubeconfig, "--config", w.config)...).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		w.Fatal(err)
	}
	return string(text), code
}

func (w *woken) create(resource schema.GroupVersionResource, namespace, text string) {
	w.Helper()
	object := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &object.Object); err != nil {
		w.Fatal(err)
	}
	if _, err := w.Resource(resource).Namespace(namespace).Create(w.ctx, object, metav1.CreateOptions{}); err != nil {
		w.Fatal(err)
	}
}

func (w *woken) change(resource schema.GroupVersionResource, name, patch string, sub ...string) {
	w.Helper()
	if _, err := w.Resource(resource).Namespace(w.namespace).Patch(w.ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}, sub...); err != nil {
		w.Fatal(err)
	}
}

// ask asks the controller to look now.
func (w *woken) ask(at string) {
	w.change(HelmReleases, "app", fmt.Sprintf(`{"metadata":{"annotations":{%q:%q}}}`, requestedAt, at))
}

// publish offers a version of the chart.
func (w *woken) publish(template, version string) {
	data, err := Chart(version, map[string]string{"main.yaml": strings.ReplaceAll(template, "NAMESPACE", w.namespace)})
	if err != nil {
		w.Fatal(err)
	}
	if version == oldVersion {
		w.create(OCIRepositories, w.namespace, `{apiVersion: source.toolkit.fluxcd.io/v1, kind: OCIRepository, metadata: {name: app}, spec: {interval: 1h, url: "oci://127.0.0.1/app"}}`)
	}
	patch, err := json.Marshal(map[string]any{"status": map[string]any{"observedGeneration": 1, "artifact": w.Artifacts.Publish(data, version)}})
	if err != nil {
		w.Fatal(err)
	}
	w.change(OCIRepositories, "app", string(patch), "status")
}

// publishSecond offers the second version once the first has ended, well or not.
func (w *woken) publishSecond() {
	w.wait("the first version", func(e *unstructured.Unstructured) bool {
		return says(e, "Ready", "True", "") || says(e, "Stalled", "True", "")
	})
	w.publish(w.second, newVersion)
}

// later makes the namespace that was missing.
func (w *woken) later() {
	w.create(Namespaces, "", fmt.Sprintf(`{apiVersion: v1, kind: Namespace, metadata: {name: %s-later}}`, w.namespace))
}

// kill ends the controller during the upgrade, and starts it again.
func (w *woken) kill() {
	p := w.Cluster.Run(w.T, "helm-controller", helmFlags(w.namespace)...)
	w.publishSecond()
	w.wait("the upgrade", func(*unstructured.Unstructured) bool {
		all, err := w.Resource(Secrets).Namespace(w.namespace).List(w.ctx, metav1.ListOptions{LabelSelector: "owner=helm,status=pending-upgrade"})
		return err == nil && len(all.Items) > 0
	})
	p.Kill()
	w.Cluster.Run(w.T, "helm-controller", helmFlags(w.namespace)...)
	w.wait("the second upgrade", func(e *unstructured.Unstructured) bool {
		return says(e, "Released", "False", "PendingRelease") && says(e, "Ready", "Unknown", "")
	})
	if out, _ := w.program("why", "app", "-n", w.namespace); strings.Contains(out, "nothing is installed") || strings.Contains(out, "uninstall") {
		w.Errorf("during the second upgrade: %s", out)
	}
}

// define brings the CRD that was missing.
func (w *woken) define() {
	w.create(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}, "",
		`{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: widgets.night.flux-remedy.io}, spec: {group: night.flux-remedy.io, names: {kind: Widget, plural: widgets},
		scope: Namespaced, versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]}}`)
	time.Sleep(3 * time.Second) // until the API serves it
}

// allow grants the ServiceAccount its rights.
func (w *woken) allow() {
	w.create(schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings"}, "", fmt.Sprintf(`{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding,
		metadata: {name: %[1]s}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}, subjects: [{kind: ServiceAccount, name: weak, namespace: %[1]s}]}`, w.namespace))
}

// connect brings the kubeconfig that was missing.
func (w *woken) connect() {
	w.create(Secrets, w.namespace, fmt.Sprintf(`{apiVersion: v1, kind: Secret, metadata: {name: edge}, data: {value: %s}}`, base64.StdEncoding.EncodeToString(w.Kubeconfig)))
}

// freeze puts another immutable ConfigMap where the one of the release was.
func (w *woken) freeze() {
	w.wait("the first version", func(e *unstructured.Unstructured) bool { return says(e, "Ready", "True", "") })
	w.thaw()
	w.create(kinds["ConfigMap"], w.namespace, `{apiVersion: v1, kind: ConfigMap, metadata: {name: app}, data: {version: other}, immutable: true}`)
	w.ask("drift")
}

func (w *woken) thaw() {
	if err := w.Resource(kinds["ConfigMap"]).Namespace(w.namespace).Delete(w.ctx, "app", metav1.DeleteOptions{}); err != nil {
		w.Fatal(err)
	}
}

// serve has each Deployment that is applied become ready, until the test ends.
func (w *woken) serve() { go w.keepReady(func() bool { return false }) }

// serveOnce has only the first one do.
func (w *woken) serveOnce() {
	first := true
	go w.keepReady(func() bool { first = !first; return first })
}

func (w *woken) keepReady(enough func() bool) {
	deployments := w.Resource(kinds["Deployment"]).Namespace(w.namespace)
	for w.ctx.Err() == nil {
		time.Sleep(200 * time.Millisecond)
		object, err := deployments.Get(w.ctx, "app", metav1.GetOptions{})
		if err != nil {
			continue
		}
		if seen, _, _ := unstructured.NestedInt64(object.Object, "status", "observedGeneration"); seen == object.GetGeneration() {
			continue
		}
		if enough() {
			return
		}
		_, _ = deployments.Patch(w.ctx, "app", types.MergePatchType, fmt.Appendf(nil, `{"status":{"observedGeneration":%d,"replicas":1,"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1,
			"conditions":[{"type":"Available","status":"True"},{"type":"Progressing","status":"True","reason":"NewReplicaSetAvailable"}]}}`, object.GetGeneration()), metav1.PatchOptions{}, "status")
		w.replicate(object)
	}
}

// replicate makes the ReplicaSet of a Deployment, by which Helm 3 tells that it is ready.
func (w *woken) replicate(deployment *unstructured.Unstructured) {
	template, _, _ := unstructured.NestedMap(deployment.Object, "spec", "template")
	name := fmt.Sprintf("app-%d", deployment.GetGeneration())
	replicas := w.Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}).Namespace(w.namespace)
	_, _ = replicas.Create(w.ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1", "kind": "ReplicaSet",
		"metadata": map[string]any{"name": name, "labels": map[string]any{"app": "a"}, "ownerReferences": []any{
			map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": "app", "uid": string(deployment.GetUID()), "controller": true},
		}},
		"spec": map[string]any{"selector": map[string]any{"matchLabels": map[string]any{"app": "a"}}, "template": template},
	}}, metav1.CreateOptions{})
	_, _ = replicas.Patch(w.ctx, name, types.MergePatchType, []byte(`{"status":{"observedGeneration":1,"replicas":1,"readyReplicas":1,"availableReplicas":1}}`), metav1.PatchOptions{}, "status")
}

// twin makes another HelmRelease with the same Helm release.
func (w *woken) twin() {
	w.create(HelmReleases, w.namespace, `{"apiVersion":"helm.toolkit.fluxcd.io/v2","kind":"HelmRelease","metadata":{"name":"twin","labels":{"run":"shared"}},
		"spec":{"interval":"5s","releaseName":"shared","values":{"a":1},"chartRef":{"kind":"OCIRepository","name":"app"}}}`)
}

// leaveUninstalling leaves the record as a controller does that ends during an uninstall, and
// offers the second version.
func (w *woken) leaveUninstalling() {
	w.wait("the first version", func(e *unstructured.Unstructured) bool { return says(e, "Ready", "True", "") })
	secrets := w.Resource(Secrets).Namespace(w.namespace)
	record, err := secrets.Get(w.ctx, "sh.helm.release.v1.app.v1", metav1.GetOptions{})
	if err != nil {
		w.Fatal(err)
	}
	if err := rewrite(record, "uninstalling", 0); err != nil {
		w.Fatal(err)
	}
	if _, err := secrets.Update(w.ctx, record, metav1.UpdateOptions{}); err != nil {
		w.Fatal(err)
	}
	w.publish(w.second, newVersion)
}
