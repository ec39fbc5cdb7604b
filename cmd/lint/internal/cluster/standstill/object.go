package standstill

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Object is one of a cluster.
type Object struct {
	Kind string `json:"kind"`
	release.Name
}

// The kinds whose statuses are read.
const (
	kustomization = "Kustomization"
	helmRelease   = "HelmRelease"
)

// String returns an object as Kind namespace/name.
func (o Object) String() string {
	return o.Kind + " " + strings.TrimPrefix(o.Name.String(), "/")
}

// node is an object with what is known of it.
type node struct {
	Object
	read       bool // its status is known
	generation bool // the status is of the newest generation
	conditions []condition
	suspended  bool
	remote     bool // what it applies is on another cluster
	wave.Kustomization
	on []wave.On
	// by is the Kustomization that applies it.
	by    Object
	state string // of what is known only by a message

	waits []wait
	// circle are those that it holds up and that hold it up, itself included.
	circle []*node
}

type condition struct{ Type, Status, Reason, Message string }

// status is what is read of an object besides its spec.
type status struct {
	Metadata struct {
		Namespace, Name string
		Generation      int64
		Labels          map[string]string
	}
	Spec struct {
		Suspend    bool
		KubeConfig any
		DependsOn  []struct{ Namespace, Name, ReadyExpr string }
	}
	Status struct {
		ObservedGeneration int64
		Conditions         []condition
	}
}

// read returns an object of the cluster; nil if it is of another kind, or cannot be read.
func read(object map[string]any) *node {
	version, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	group, _, _ := strings.Cut(version, "/")
	if (kind != kustomization || group != "kustomize.toolkit.fluxcd.io") && (kind != helmRelease || group != release.Group) {
		return nil
	}
	var s status
	if text, err := json.Marshal(parts(object)); err != nil || json.Unmarshal(text, &s) != nil {
		return nil
	}
	meta := s.Metadata
	n := &node{
		Object: Object{kind, release.Name{Namespace: meta.Namespace, Name: meta.Name}}, read: true, conditions: s.Status.Conditions,
		generation: meta.Generation == s.Status.ObservedGeneration, suspended: s.Spec.Suspend, remote: s.Spec.KubeConfig != nil,
	}
	const applier = "kustomize.toolkit.fluxcd.io/"
	if name := meta.Labels[applier+"name"]; name != "" {
		n.by = Object{kustomization, release.Name{Namespace: meta.Labels[applier+"namespace"], Name: name}}
	}
	if kind == kustomization {
		n.Kustomization, n.on, _ = wave.Decode(object) // of one that cannot be read the conditions are known
		return n
	}
	for _, d := range s.Spec.DependsOn {
		n.on = append(n.on, wave.On{Name: nameIn(d.Name, d.Namespace, meta.Namespace), Expressed: d.ReadyExpr != ""})
	}
	return n
}

// parts returns what is read of an object: values and inventories may be large.
func parts(object map[string]any) map[string]any {
	out := map[string]any{"metadata": object["metadata"]}
	for part, keys := range map[string][]string{"spec": {"suspend", "kubeConfig", "dependsOn"}, "status": {"observedGeneration", "conditions"}} {
		from, _ := object[part].(map[string]any)
		to := map[string]any{}
		for _, key := range keys {
			if value, set := from[key]; set {
				to[key] = value
			}
		}
		out[part] = to
	}
	return out
}

func nameIn(name, namespace, otherwise string) string {
	if namespace == "" {
		namespace = otherwise
	}
	return namespace + "/" + name
}

// condition returns the condition of a type; the zero value if there is none.
func (n *node) condition(of string) condition {
	i := slices.IndexFunc(n.conditions, func(c condition) bool { return c.Type == of })
	if i < 0 {
		return condition{}
	}
	return n.conditions[i]
}

// ready reports whether what depends on an object goes on.
// Source: checkDependencies in kustomize-controller and helm-controller.
func (n *node) ready() bool { return n.generation && n.condition("Ready").Status == "True" }

// healthy reports whether a health check of an object passes.
// Source: checkGenericProperties of kstatus in fluxcd/cli-utils.
func (n *node) healthy() bool {
	return n.ready() && n.condition("Reconciling").Status != "True" && n.condition("Stalled").Status != "True"
}

// words say how an object is that does not go on, in a few words.
func (n *node) words() string {
	ready, stalled := n.condition("Ready"), n.condition("Stalled")
	switch {
	case n.state != "":
		return n.state
	case n.suspended:
		return "suspended"
	case stalled.Status == "True":
		return "Stalled (" + stalled.Reason + ")"
	case ready.Type == "":
		return "not reconciled yet"
	case ready.Status == "True" && !n.generation:
		return "not reconciled since its last change"
	case ready.Reason == "HealthCheckFailed" && n.Kind == kustomization && namedUnhealthy.MatchString(ready.Message):
		return "not Ready (HealthCheckFailed): what it waited for is healthy now, and it looks again within " + forecast.Readable(n.Retry.Duration)
	case ready.Status == "True":
		return "Ready, but not at the revision that is to be applied"
	}
	return "not Ready (" + ready.Reason + ")"
}
