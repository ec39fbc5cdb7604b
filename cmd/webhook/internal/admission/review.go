package admission

import (
	"encoding/json"
	"fmt"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/flux-remedy/remedy/internal/slim"
)

// Review is what is read of an AdmissionRequest, with its objects.
type Review struct {
	UID         types.UID             `json:"uid"`
	Operation   admissionv1.Operation `json:"operation"`
	SubResource string                `json:"subResource"`
	Namespace   string                `json:"namespace"`
	Name        string                `json:"name"`
	DryRun      bool                  `json:"dryRun"`
	UserInfo    struct {
		Username string   `json:"username"`
		Groups   []string `json:"groups"`
	} `json:"userInfo"`
	// Object and Old are nil where the request has none. spec.values is not their
	// content but a digest of it.
	Object map[string]any `json:"object"`
	Old    map[string]any `json:"oldObject"`
}

// Unread are the parts of a review that no decision depends on. Of the values only
// counts whether an update changes them.
var Unread = &slim.Node{Inner: map[string]*slim.Node{"request": {Inner: map[string]*slim.Node{
	"options":  {Drop: true},
	"userInfo": {Inner: map[string]*slim.Node{"extra": {Drop: true}}},
	"object":   unreadOfObject, "oldObject": unreadOfObject,
}}}}

var unreadOfObject = &slim.Node{Inner: map[string]*slim.Node{
	"metadata": {Inner: map[string]*slim.Node{"managedFields": {Drop: true}}},
	"spec":     {Inner: map[string]*slim.Node{"values": {Digest: true}}},
}}

// Decode reads the request of a review, of which [Unread] is left out.
func Decode(text []byte) (*Review, error) {
	var in struct {
		APIVersion, Kind string
		Request          *Review
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return nil, err
	}
	if in.Kind != "AdmissionReview" || in.APIVersion != admissionv1.SchemeGroupVersion.String() || in.Request == nil {
		return nil, fmt.Errorf("%q %q: want an AdmissionReview of admission.k8s.io/v1 with a request", in.APIVersion, in.Kind)
	}
	switch in.Request.Operation {
	case admissionv1.Create, admissionv1.Update, admissionv1.Delete, admissionv1.Connect:
		return in.Request, nil
	}
	return nil, fmt.Errorf("request.operation: unknown operation %q", in.Request.Operation)
}

func (r *Review) release() string { return r.Namespace + "/" + r.name() }

func (r *Review) name() string {
	metadata, _ := r.Object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return name
}

// kustomization returns the namespace and name of the Flux Kustomization that applies the
// release; empty if it is not known.
func (r *Review) kustomization() string {
	metadata, _ := r.Object["metadata"].(map[string]any)
	labels, _ := metadata["labels"].(map[string]any)
	namespace, _ := labels["kustomize.toolkit.fluxcd.io/namespace"].(string)
	name, _ := labels["kustomize.toolkit.fluxcd.io/name"].(string)
	if namespace == "" || name == "" {
		return ""
	}
	return namespace + "/" + name
}
