package standstill

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Held is what an object holds up.
type Held struct {
	// Kustomizations are not ready because of it; Releases are not ready because of it, or get no commit.
	Kustomizations []Object `json:"kustomizations"`
	Releases       []Object `json:"releases"`
	// After are the Kustomizations that look at it again only after their retry interval, once it is ready, those
	// that look at them behind them.
	After []Late `json:"after,omitempty"`
}

// Late is a Kustomization that stays not ready for a while after what it waits for is ready.
type Late struct {
	Kustomization release.Name `json:"kustomization"`
	// Retry is after how long it looks again.
	Retry release.Duration `json:"retry"`
}

// Command returns what makes it look at once.
func (l Late) Command() string {
	return "flux reconcile kustomization " + forecast.Argument(l.Kustomization.Name, "NAME") + " -n " + forecast.Argument(l.Kustomization.Namespace, "NAMESPACE")
}

// Len counts the objects; nil has none.
func (h *Held) Len() int {
	if h == nil {
		return 0
	}
	return len(h.Kustomizations) + len(h.Releases)
}

// Cause is the root of what stands still.
type Cause struct {
	Object
	State string `json:"state"`
	Held
}

// Below returns what a release holds up.
func (c *Cluster) Below(name release.Name) Held {
	o := Object{helmRelease, name}
	for _, cause := range c.Causes() {
		if cause.Object == o {
			return cause.Held
		}
	}
	return Held{Kustomizations: []Object{}, Releases: []Object{}}
}

// Causes returns the roots of a cluster that hold up anything, those that hold up most first.
func (c *Cluster) Causes() []Cause {
	c.link()
	if c.causes != nil {
		return c.causes
	}
	at := map[Object]*Cause{}
	for _, n := range c.order {
		if !n.read || n.suspended {
			continue
		}
		for _, chain := range c.chains(n) {
			if chain.Root == n.Object || chain.Unsure() {
				continue // in a circle, or not known to hold it up
			}
			if at[chain.Root] == nil {
				at[chain.Root] = &Cause{Object: chain.Root, State: chain.State, Held: Held{Kustomizations: []Object{}, Releases: []Object{}}}
			}
			if cause := at[chain.Root]; n.Kind == kustomization {
				cause.Kustomizations = append(cause.Kustomizations, n.Object)
			} else {
				cause.Releases = append(cause.Releases, n.Object)
			}
		}
	}
	c.causes = []Cause{}
	for _, cause := range at {
		cause.After = c.late(c.nodes[cause.Object])
		for _, all := range [][]Object{cause.Kustomizations, cause.Releases} {
			slices.SortFunc(all, func(a, b Object) int { return strings.Compare(a.String(), b.String()) })
		}
		c.causes = append(c.causes, *cause)
	}
	slices.SortFunc(c.causes, func(a, b Cause) int {
		return cmp.Or(b.Len()-a.Len(), strings.Compare(a.Object.String(), b.Object.String()))
	})
	return c.causes
}

// late returns the Kustomizations whose health check has failed for an object, and those whose has failed for
// them.
func (c *Cluster) late(n *node) []Late {
	var out []Late
	for queue, seen := []*node{n}, map[*node]bool{n: true}; len(queue) > 0; queue = queue[1:] {
		for _, k := range c.order {
			if seen[k] || !slices.Contains(k.waits, wait{checks, queue[0]}) {
				continue
			}
			seen[k], queue = true, append(queue, k)
			if k.condition("Ready").Reason == "HealthCheckFailed" { // others are at it
				out = append(out, Late{k.Object.Name, k.Retry})
			}
		}
	}
	return out
}

// String says in a line what is held up: "34 HelmReleases and 5 Kustomizations".
func (h Held) String() string {
	var parts []string
	if n := len(h.Releases); n > 0 {
		parts = append(parts, words.Count(n, "HelmRelease"))
	}
	if n := len(h.Kustomizations); n > 0 {
		parts = append(parts, words.Count(n, "Kustomization"))
	}
	return strings.Join(parts, " and ")
}

// Names lists what is held up, the Kustomizations first.
func (h Held) Names() []string {
	return words.Of(slices.Concat(h.Kustomizations, h.Releases), Object.String)
}

// Distinct counts the objects that causes hold up: several may hold up the same one.
func Distinct(all []Cause) int {
	seen := map[Object]bool{}
	for _, cause := range all {
		for _, o := range slices.Concat(cause.Kustomizations, cause.Releases) {
			seen[o] = true
		}
	}
	return len(seen)
}
