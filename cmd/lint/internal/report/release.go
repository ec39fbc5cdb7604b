package report

import (
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Release is one release in one cluster.
type Release struct {
	release.Name
	Tier release.Tier `json:"tier"`
	// TierFrom says which fact decided the tier.
	TierFrom string `json:"tierFrom"`
	// AlertedBy is the rule of Prometheus or Grafana that alerts on its failures where no Alert of
	// Flux does; absent if there is none.
	AlertedBy string `json:"alertedBy,omitempty"`
	// TierIgnored says which marker of a tier is not followed; absent if there is none.
	TierIgnored string `json:"tierIgnored,omitempty"`
	// Cluster that applies it; empty if unknown.
	Cluster string `json:"cluster"`
	// File and Line of its own document.
	File  string      `json:"file"`
	Line  int         `json:"line"`
	Class rules.Class `json:"class"`
	// BlockedBy says why Flux applies nothing of the Kustomization that applies the release,
	// so that the cluster keeps what it has; absent if the fault is its own, or if there
	// is none.
	BlockedBy string `json:"blockedBy,omitempty"`
	// HelmController acts on it.
	HelmController HelmController `json:"-"`
	// DecidedBy says for each effective failure setting that is written, by
	// path, where.
	DecidedBy map[string]Place `json:"decidedBy,omitempty"`
}
