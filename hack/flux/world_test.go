//go:build flux

package flux

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	admission "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// world is an admission webhook that decides how what charts apply fares: the workload of a
// release becomes ready or not, or is refused. Each namespace holds one release.
type world struct {
	*Cluster
	ctx    context.Context
	mu     sync.Mutex
	places map[string]*place
}

// place is the world of one release.
type place struct {
	scenario scenario
	used     []int        // the attempts that each trouble has met
	over     bool         // the cause has gone away
	undone   atomic.Int64 // changes that were made back at once
	decided  map[string]fate
	// kill ends the controller, softly or not, and returns when it has ended.
	kill func(soft bool)
	fix  func() // publishes the fixed version
	ask  func() // runs flux reconcile
	left bool   // the release has got another name
}

var registrations = schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations"}

func newWorld(t *testing.T, c *Cluster) *world {
	t.Helper()
	w := &world{Cluster: c, ctx: Context(t), places: map[string]*place{}}
	server := httptest.NewUnstartedServer(http.HandlerFunc(w.review))
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	_, err := c.Resource(registrations).Create(w.ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
		"metadata": map[string]any{"name": "world"},
		"webhooks": []any{map[string]any{
			"name": "world.test.flux-remedy.io", "sideEffects": "None", "admissionReviewVersions": []any{"v1"}, "timeoutSeconds": int64(30),
			"clientConfig": map[string]any{"url": server.URL, "caBundle": base64.StdEncoding.EncodeToString(authority)},
			"rules": []any{map[string]any{
				"apiGroups": []any{"test.flux-remedy.io", "apps"}, "apiVersions": []any{"v1"}, "resources": []any{"workloads", "deployments"},
				"operations": []any{"CREATE", "UPDATE", "DELETE"},
			}},
		}},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) place(namespace string) *place {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.places[namespace]
}

// review answers an AdmissionReview.
func (w *world) review(out http.ResponseWriter, in *http.Request) {
	var review admission.AdmissionReview
	if err := json.NewDecoder(in.Body).Decode(&review); err != nil {
		http.Error(out, err.Error(), http.StatusBadRequest)
		return
	}
	review.Response = w.answer(in.Context(), review.Request)
	review.Response.UID = review.Request.UID
	_ = json.NewEncoder(out).Encode(review) // who has gone asks again
}

func (w *world) answer(ctx context.Context, r *admission.AdmissionRequest) *admission.AdmissionResponse {
	p, allow := w.place(r.Namespace), &admission.AdmissionResponse{Allowed: true}
	object := &unstructured.Unstructured{}
	raw := r.Object.Raw
	if r.Operation == admission.Delete {
		raw = r.OldObject.Raw
	}
	if err := object.UnmarshalJSON(raw); err != nil {
		return &admission.AdmissionResponse{Result: &metav1.Status{Message: err.Error()}}
	}
	switch {
	case p == nil:
		return allow
	case r.DryRun != nil && *r.DryRun: // to see whether it has drifted
		if r.Operation == admission.Delete || object.GetLabels()["role"] != "main" {
			return allow
		}
		return fares(object, false)
	}
	status, id := w.newestRecord(ctx, r.Namespace)
	role, version := object.GetLabels()["role"], object.GetLabels()["version"]
	action := actionOf(status, r.Operation)
	if action == "" || r.Operation == admission.Delete && role != "main" {
		return allow
	}
	switch {
	case role == "test":
		action = "T"
	case action == "T":
		action = "C"
	}
	how := w.decide(p, action, version, action+role+id)
	switch {
	case how == rejected, how == hook && role == "hook":
		return &admission.AdmissionResponse{Result: &metav1.Status{Message: "refused by the test"}}
	case how == killed:
		p.kill(false)
	case how == stopped:
		go p.kill(true)
	case how == awaited:
		go p.fix()
	case how == asked:
		go p.ask()
	case how == lost:
		w.forget(ctx, r.Namespace)
	}
	if r.Operation == admission.Delete || role != "main" {
		return allow
	}
	if how == undone {
		return p.undo(object)
	}
	return fares(object, slices.Contains([]fate{unhealthy, stopped, lost, awaited, asked}, how))
}

// decide returns how an attempt fares, once for each.
func (w *world) decide(p *place, action, version, attempt string) fate {
	w.mu.Lock()
	defer w.mu.Unlock()
	if how, known := p.decided[attempt]; known && !p.over && how != killed { // tests are tried again under the same record
		return how
	}
	p.decided[attempt] = p.fate(action, version)
	return p.decided[attempt]
}

func (p *place) fate(action, version string) fate {
	if p.over {
		return fine
	}
	bad := version == newVersion || version == badFix
	if p.scenario.moved {
		bad = p.left
	}
	for i, trouble := range p.scenario.troubles {
		hit := strings.Contains(trouble.actions, action) && (bad || slices.Contains([]string{"R", "X", "C"}, action)) ||
			action == "R" && bad && strings.Contains(trouble.actions, "U")
		if !hit || trouble.times > 0 && p.used[i] >= trouble.times {
			continue
		}
		p.used[i]++
		return trouble.how
	}
	return fine
}

// actionOf returns what Helm does, by the status of the newest record.
func actionOf(status string, operation admission.Operation) string {
	switch {
	case operation == admission.Delete && status == "uninstalling":
		return "X"
	case operation == admission.Delete:
		return ""
	case status == "pending-rollback":
		return "R"
	case status == "pending-upgrade":
		return "U"
	case status == "deployed":
		return "T"
	}
	return "I"
}

// newestRecord returns the status of the newest Helm record, and what no other record has.
func (w *world) newestRecord(ctx context.Context, namespace string) (status, id string) {
	all, err := w.Resource(Secrets).Namespace(namespace).List(ctx, metav1.ListOptions{LabelSelector: "owner=helm"})
	if err != nil {
		return "", ""
	}
	newest := 0
	for _, s := range all.Items {
		if n, _ := strconv.Atoi(s.GetLabels()["version"]); n > newest {
			newest, status, id = n, s.GetLabels()["status"], string(s.GetUID())
		}
	}
	return status, id
}

// undo changes what is applied as [run.drift] does.
func (p *place) undo(object *unstructured.Unstructured) *admission.AdmissionResponse {
	p.undone.Add(1)
	out := fares(object, false)
	out.Patch = []byte(strings.Replace(string(out.Patch), "[", `[{"op":"add","path":"/metadata/labels/version","value":"drifted"},`, 1))
	return out
}

// undoings returns how often the correction of a change was changed back: the first is the change itself.
func (p *place) undoings() int { return int(p.undone.Load()) - 1 }

// forget deletes the record of the release that runs.
func (w *world) forget(ctx context.Context, namespace string) {
	_ = w.Resource(Secrets).Namespace(namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "owner=helm,status=deployed"})
}

// fares lets a workload become ready or not, in the way of its kind. Since 1.5 helm-controller
// asks kstatus, which reads the conditions of any kind; before it, Helm 3, which knows Deployments: one
// is ready once it is paused. Helm 3 sends no change for an object that is as it ought to be, so
// that nobody would be asked: what says the revision is changed each time.
func fares(object *unstructured.Unstructured, bad bool) *admission.AdmissionResponse {
	kind := admission.PatchTypeJSONPatch
	patch := []map[string]any{
		{"op": "add", "path": "/spec/paused", "value": !bad},
		{"op": "add", "path": "/metadata/annotations/revision", "value": "seen"},
	}
	if object.GetKind() == "Workload" {
		ready := "True"
		if bad {
			ready = "False"
		}
		patch = []map[string]any{{"op": "add", "path": "/status", "value": map[string]any{
			"conditions": []any{map[string]any{"type": "Ready", "status": ready, "reason": "Test", "message": ""}},
		}}}
	}
	text, _ := json.Marshal(patch) // of strings and booleans
	return &admission.AdmissionResponse{Allowed: true, Patch: text, PatchType: &kind}
}
