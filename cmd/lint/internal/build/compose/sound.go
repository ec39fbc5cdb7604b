package compose

import (
	"encoding/json"
	"maps"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// soundness is whether kustomize builds an object alone.
type soundness struct {
	asked sync.Once
	sound bool
}

// of returns it, given the object.
func (s *soundness) of(obj map[string]any) bool {
	s.asked.Do(func() { s.sound = isSound(obj) })
	return s.sound
}

// isForeign reports whether kustomize knows nothing of a kind but that it has a name.
func isForeign(group, kind string) bool {
	return strings.Contains(group, ".") && !builtinGroups[strings.TrimSuffix(group, ".k8s.io")] && !builtinKinds[kind] || group == "" && coreKinds[kind]
}

// isSound reports whether kustomize builds an object alone. It looks at nothing in the schemas of a definition.
func isSound(obj map[string]any) bool {
	if spec, ok := obj["spec"].(map[string]any); ok && obj["kind"] == "CustomResourceDefinition" {
		obj, spec = maps.Clone(obj), maps.Clone(spec)
		delete(spec, "versions")
		obj["spec"] = spec
	}
	text, err := json.Marshal(obj)
	if err != nil {
		return false
	}
	files := tree.Of(nil).With(map[string][]byte{
		"object.yaml": text, "kustomization.yaml": []byte("resources: [object.yaml]\nnamespace: sound\n"),
	})
	built, err := kustomize.Reads{}.Run(files, nil, ".")
	return err == nil && len(built) == 1
}

// builtinGroups are the groups of which kustomize has schemas or fields, without ".k8s.io".
var builtinGroups = map[string]bool{
	"admission": true, "admissionregistration": true, "apiextensions": true, "apiregistration": true, "authentication": true, "authorization": true, "certificates": true,
	"coordination": true, "imagepolicy": true, "kustomize.config": true, "discovery": true, "events": true, "flowcontrol.apiserver": true, "internal.apiserver": true, "networking": true,
	"node": true, "rbac.authorization": true, "resource": true, "scheduling": true, "storage": true, "storagemigration": true,
}

// coreKinds are the kinds of the core group that kustomize refers from nowhere.
var coreKinds = map[string]bool{"ConfigMap": true, "Secret": true, "Namespace": true, "ServiceAccount": true}

// builtinKinds are the kinds that kustomize knows something of, whatever their group is.
var builtinKinds = map[string]bool{
	"APIService": true, "ClusterRole": true, "ClusterRoleBinding": true, "CronJob": true, "CSIDriver": true, "CustomResourceDefinition": true,
	"DaemonSet": true, "Deployment": true, "HorizontalPodAutoscaler": true, "Ingress": true, "IngressClass": true, "Job": true,
	"MutatingWebhookConfiguration": true, "NetworkPolicy": true, "Node": true, "PersistentVolume": true, "PersistentVolumeClaim": true,
	"Pod": true, "PodDisruptionBudget": true, "PodSecurityPolicy": true, "PodTemplate": true, "PriorityClass": true, "ReplicaSet": true,
	"ReplicationController": true, "Role": true, "RoleBinding": true, "Service": true, "StatefulSet": true, "StorageClass": true,
	"ValidatingWebhookConfiguration": true, "ConfigMap": true, "Secret": true, "Namespace": true, "ServiceAccount": true,
	"VolumeAttachment": true, "Endpoints": true, "EndpointSlice": true, "LimitRange": true, "ResourceQuota": true, "FlowSchema": true,
	"ValidatingAdmissionPolicyBinding": true, "ValidatingAdmissionPolicy": true, "Gateway": true, "HTTPRoute": true, "RuntimeClass": true,
}
