package rules

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Digest identifies the policies and the configuration that a verdict rests on.
type Digest string

// String returns "sha256:" and 64 hexadecimal digits.
func (d Digest) String() string { return string(d) }

// Short returns the first twelve digits, for people; empty without a digest.
func (d Digest) Short() string {
	const prefix, digits = len("sha256:"), 12
	if len(d) < prefix+digits {
		return ""
	}
	return string(d[prefix : prefix+digits])
}

// InForce names what judges: reports of it carry this.
type InForce struct {
	// Digest of the policies and the configuration: what judges the same has the same.
	Digest Digest `json:"digest"`
	// Bundle is the revision of the bundle that they are of; absent without one.
	Bundle string `json:"bundle,omitempty"`
}

// String names the bundle and the digest, for people.
func (f InForce) String() string {
	if f.Bundle == "" {
		return "policy digest " + f.Digest.Short()
	}
	return "bundle " + f.Bundle + ", policy digest " + f.Digest.Short()
}

// Judged returns "judged by bundle NAME, policy digest DIGEST" for people; empty without a digest.
func (f InForce) Judged() string {
	if f.Digest == "" {
		return ""
	}
	return "judged by " + f.String()
}

// OfBundle returns an engine that says that its policies are those of a bundle.
func (e *Engine) OfBundle(revision string) *Engine {
	named := *e
	named.bundle = revision
	return &named
}

// InForce names the policies and the configuration of the engine.
func (e *Engine) InForce() InForce { return InForce{Digest: e.Digest(), Bundle: e.bundle} }

// basis is what a verdict rests on besides the release and the date. Its JSON is hashed, so
// that configurations are the same if they judge the same, however they are written. What is
// not in it decides what is read, repaired, denied or shown, and no verdict.
type basis struct {
	// Policies are the hashes of the Rego files. Names and folders do not matter: a rule
	// is known by its package.
	Policies    []string            `json:"policies"`
	Law         []Law               `json:"law"`    // by tier, as all below that are lists of three
	Params      []string            `json:"params"` // of all rules
	Severity    map[string][]string `json:"severity"`
	HeldBack    []string            `json:"heldBack,omitempty"`
	DefaultTier release.Tier        `json:"defaultTier"`
	Tiers       []TierRule          `json:"tiers"`
	Markers     release.Markers     `json:"markers"`
	Clusters    []clusterBasis      `json:"clusters"`
	Controller  ControllerConfig    `json:"controller"`
	Waivers     []WaiverEntry       `json:"waivers"`
	Limits      WaiverLimits        `json:"waiverLimits"`
	Annotations []string            `json:"annotations"` // allow or forbid
}

// clusterBasis is what a declared cluster decides of its releases.
type clusterBasis struct {
	Name       string
	Tier       release.Tier
	Controller ClusterController
}

// Digest identifies the policies and the configuration of the engine: engines with the same
// one judge alike, in the same version of the program.
func (e *Engine) Digest() Digest {
	raw, err := json.Marshal(e.basis())
	if err != nil {
		return "" // it was read from JSON
	}
	sum := sha256.Sum256(raw)
	return Digest("sha256:" + hex.EncodeToString(sum[:]))
}

func (e *Engine) basis() basis {
	spec := e.config.Spec
	b := basis{
		Policies: e.policies.Sums, Severity: map[string][]string{}, DefaultTier: e.config.DefaultTier(), Tiers: orNone(spec.Tiers),
		Markers: cmp.Or(spec.TierMarkers, release.RaiseMarkers), Clusters: clusterBases(spec.Clusters), Controller: spec.Controller,
		HeldBack: e.heldBack(), Waivers: waiverBases(spec.Waivers.Entries), Limits: spec.Waivers.WaiverLimits,
	}
	for _, tier := range release.Tiers {
		law := e.Law(tier)
		law.StatefulCharts = sortedSet(law.StatefulCharts)
		b.Law = append(b.Law, law)
		limits, _ := e.limitsOf(tier) // made before, or as METADATA has them
		b.Params = append(b.Params, limits.params.Name)
		b.Annotations = append(b.Annotations, cmp.Or(spec.Waivers.Annotations[tier], "allow"))
		for _, rule := range e.rules {
			b.Severity[rule.ID] = append(b.Severity[rule.ID], e.Severities(rule, tier))
		}
	}
	return b
}

// clusterBases returns the clusters that say anything of their releases, by name.
func clusterBases(all []ClusterConfig) []clusterBasis {
	out := []clusterBasis{}
	for _, c := range all {
		if c.Tier != "" || c.Controller.Version != "" || len(c.Controller.Gates) > 0 {
			out = append(out, clusterBasis{c.Name, c.Tier, c.Controller})
		}
	}
	slices.SortFunc(out, func(a, b clusterBasis) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// waiverBases returns what waivers cover and until when. Why and who does not decide, nor
// does their order.
func waiverBases(all []WaiverEntry) []WaiverEntry {
	covered := map[WaiverEntry]bool{}
	for _, w := range all {
		w.Reason, w.Owner = "", ""
		covered[w] = true
	}
	return slices.SortedFunc(maps.Keys(covered), func(a, b WaiverEntry) int {
		return cmp.Or(cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Until.String(), b.Until.String()),
			cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.File, b.File), cmp.Compare(a.Field, b.Field))
	})
}

func sortedSet(all []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(all)))
}

func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
