package release

// Alerting says who learns of the failures of a release, by the notification Alerts of
// its cluster.
type Alerting struct {
	// Untold is true if no Alert sends them to a Provider. It is false if one does, and
	// if that is not known.
	Untold bool `json:"untold"`
	// Missed is the Alert that comes nearest to telling of it; nil if the cluster has
	// none, or if one tells.
	Missed *MissedAlert `json:"missed,omitempty"`
	// Metrics names the rule of Prometheus or Grafana that alerts on its metrics where no Alert
	// tells of it; absent if none does.
	Metrics string `json:"metrics,omitempty"`
	// Open says why it is not known whether it is told; absent if it is.
	Open string `json:"open,omitempty"`
	// Unclear names what leaves it open, for people: an Alert or a Provider, and its variable; empty if that is not known.
	Unclear string `json:"-"`
	// Noise are the Alerts that tell of it where those of production are told, or wake
	// people.
	Noise []NoisyAlert `json:"noise,omitempty"`
	// Shared are the commit statuses that its Kustomization shares with another one.
	Shared []SharedStatus `json:"shared,omitempty"`
}

// MissedAlert is an Alert that does not tell of a release. Names are namespace/name.
type MissedAlert struct {
	Alert    string `json:"alert"`
	Provider string `json:"provider"`
	// Because is why: suspended, provider-suspended, no-provider, commits-only, excluded,
	// not-included, locked, labels, name, namespace, or kind if it selects no HelmReleases.
	Because string `json:"because"`
	// Namespaces are those whose HelmReleases it selects.
	Namespaces []string `json:"namespaces"`
}

// NoisyAlert is an Alert that tells of a release in development.
type NoisyAlert struct {
	Alert    string `json:"alert"`
	Provider string `json:"provider"`
	Type     string `json:"type"`
	// Pages is true if the Provider wakes people.
	Pages bool `json:"pages"`
	// Production is a cluster whose production releases are told of there, too; empty if
	// none is known.
	Production string `json:"production"`
}

// SharedStatus is a commit status that two Kustomizations report to.
type SharedStatus struct {
	Kustomization string `json:"kustomization"`
	Provider      string `json:"provider"`
	// Expr is true if spec.commitStatusExpr names the status.
	Expr bool `json:"expr"`
	// Other names the other Kustomization, and its cluster if that is another one.
	Other string `json:"other"`
}
