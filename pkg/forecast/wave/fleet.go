package wave

import (
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Fleet is what a cluster has, and what happens to it.
type Fleet struct {
	Controller     Controller      `json:"controller,omitzero"`
	Kustomizations []Kustomization `json:"kustomizations"`
	Releases       []Release       `json:"releases"`
	// Fresh: nothing is there before; otherwise everything is ready at the first revision.
	Fresh bool `json:"fresh,omitempty"`
	// First are the versions of the first revision where nothing was before.
	First  map[string]forecast.Version `json:"first,omitempty"`
	Events []Event                     `json:"events"`
	// Until is when the run ends.
	Until release.Duration `json:"until"`
}

// Controller is the kustomize-controller of a cluster.
type Controller struct {
	// Version is such as 1.9.5; empty is the newest that is known.
	Version string `json:"version,omitempty"`
	// Concurrent is the flag --concurrent; zero is its default, [release.DefaultWorkers], negative one that is not
	// known.
	Concurrent int `json:"concurrent,omitempty"`
	// RequeueDependency is the flag --requeue-dependency; zero is its default, 30s.
	RequeueDependency release.Duration `json:"requeueDependency,omitzero"`
	// Cancels is the gate CancelHealthCheckOnNewRevision, Patient the gate DisableFailFastBehavior.
	Cancels bool `json:"cancels,omitempty"`
	Patient bool `json:"patient,omitempty"`
}

// Kustomization is one of Flux, with the defaults of its API filled in.
type Kustomization struct {
	Name string `json:"name"`
	// Parent is the Kustomization that applies it; empty if it is there from the start.
	Parent string `json:"parent,omitempty"`
	Source string `json:"source,omitempty"`
	// Interval, Retry and Timeout are what the getters of its API return.
	Interval release.Duration `json:"interval"`
	Retry    release.Duration `json:"retry"`
	Timeout  release.Duration `json:"timeout"`
	// RetryField and TimeoutField are the fields of its spec that say Retry and Timeout.
	RetryField   string `json:"-"`
	TimeoutField string `json:"-"`
	// Wait: it waits for all that it applies. Checks are what it waits for without that.
	Wait   bool     `json:"wait,omitempty"`
	Checks []string `json:"checks,omitempty"`
	// DependsOn are the names of Kustomizations.
	DependsOn []string `json:"dependsOn,omitempty"`
	Suspend   bool     `json:"suspend,omitempty"`
	// Expressed are the kinds, HelmRelease and Kustomization, of whose health its healthCheckExprs decide, which the
	// simulation does not evaluate.
	Expressed []string `json:"-"`
	// Named: its spec has health checks. Object is what it was decoded from.
	Named  bool           `json:"-"`
	Object map[string]any `json:"-"`
}

// Release is a HelmRelease.
type Release struct {
	Name string `json:"name"`
	// Parent is the Kustomization that applies it.
	Parent    string   `json:"parent"`
	DependsOn []string `json:"dependsOn,omitempty"`
	Suspend   bool     `json:"-"`
	// Interval is that of its spec, after which it looks again at what it depends on.
	Interval   release.Duration   `json:"interval,omitzero"`
	Settings   release.Settings   `json:"-"`
	Controller release.Controller `json:"-"`
	// Refused: the API server refuses the new version. Otherwise it does not become healthy.
	Refused bool `json:"refused,omitempty"`
	// Fresh: it is not there before.
	Fresh bool `json:"fresh,omitempty"`
	// Scenario is what it goes through once New is published, in place of Refused.
	Scenario forecast.Scenario `json:"-"`
	Options  forecast.Options  `json:"-"`
}

// Event is something that happens from outside.
type Event struct {
	At   release.Duration `json:"at"`
	What What             `json:"what"`
	// On is the source of a commit, or else a Kustomization or a release.
	On string `json:"on,omitempty"`
	// Versions are what a commit makes of releases; the others stay as they are.
	Versions map[string]forecast.Version `json:"versions,omitempty"`
}

// What is a kind of event.
type What string

// The events. Heal: the cause of what is wrong with a release goes away. The last three are
// what flux suspend, resume and reconcile do to a Kustomization.
const (
	Commit    What = "commit"
	Heal      What = "heal"
	Suspend   What = "suspend"
	Resume    What = "resume"
	Reconcile What = "reconcile"
)
