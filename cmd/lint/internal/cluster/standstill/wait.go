package standstill

import (
	"regexp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// wait is what an object waits for, and why.
type wait struct {
	why why
	on  *node
}

// why an object waits for another one, as a sentence says it.
type why string

// The reasons: a dependency that is not ready; a health check that has failed, or goes on; a
// Kustomization that applies nothing, so that no commit reaches what is in it; and one of which that is not known.
const (
	depends why = "depends on"
	checks  why = "waits for the health of"
	commits why = "gets no commit from"
	perhaps why = "may get no commit from"
)

// How the controllers name what keeps an object waiting.
// Source: checkDependencies of both, and WaitForSetWithContext in ssa of fluxcd/pkg.
var (
	namedDependency = regexp.MustCompile(`^(?:dependency '([^'/]+/[^']+)' (.*)|unable to get '([^'/]+/[^']+)' dependency.*)`)
	namedUnhealthy  = regexp.MustCompile(`([A-Z][A-Za-z0-9]*)/(?:([a-z0-9][a-z0-9.-]*)/)?([a-z0-9][a-z0-9.:-]*) status: '([A-Za-z]+)'`)
)

// link finds what each object waits for.
func (c *Cluster) link() {
	if c.linked {
		return
	}
	c.linked = true
	for _, n := range slices.Clone(c.order) { // what is known by messages comes behind
		n.waits = nil
		ready := n.condition("Ready")
		switch {
		case !n.read || n.suspended || n.healthy():
		case ready.Reason == "DependencyNotReady":
			c.dependencies(n, ready.Message)
		case n.Kind == kustomization && checking(n):
			c.unhealthy(n, ready.Message)
		}
	}
	c.circles()
}

// checking reports whether a Kustomization has applied all, and waits for the health of it in vain.
func checking(n *node) bool {
	ready := n.condition("Ready")
	return ready.Reason == "HealthCheckFailed" || ready.Status == "Unknown" && n.condition("Healthy").Status == "Unknown"
}

// dependencies adds the dependencies that an object waits for: those that are not ready and, of one that
// is, what the message says. It names the first one.
func (c *Cluster) dependencies(n *node, message string) {
	named, says := "", ""
	if m := namedDependency.FindStringSubmatch(message); m != nil {
		named, says = m[1]+m[3], m[2]
	}
	for _, d := range n.on {
		on := c.nodes[objectOf(n.Kind, d.Name)]
		switch {
		case on == nil && d.Name == named:
			on = c.unread(objectOf(n.Kind, d.Name), missing(says))
		case on == nil || d.Expressed && d.Name != named:
			continue // what is not known may be ready
		case !on.read:
		case d.Name == named && (strings.Contains(says, "readyExpr") || strings.Contains(says, "not up to date")):
		case on.ready() || d.Expressed:
			continue // it has become ready, and is looked at soon
		}
		n.waits = append(n.waits, wait{depends, on})
	}
}

// missing says how a dependency is that was not read.
func missing(says string) string {
	if says == "" || strings.HasPrefix(says, "not found") {
		return "not there"
	}
	return "not ready"
}

// unhealthy adds what the health check of a Kustomization waits for. What is of another kind is known by
// the message alone.
func (c *Cluster) unhealthy(n *node, message string) {
	for _, other := range c.order {
		if other.Object != n.Object && other.read && c.targets(n, other) && !other.healthy() {
			n.waits = append(n.waits, wait{checks, other})
		}
	}
	for _, m := range namedUnhealthy.FindAllStringSubmatch(message, -1) {
		o := Object{m[1], release.Name{Namespace: m[2], Name: m[3]}}
		if known := c.nodes[o]; (known == nil || !known.read) && m[4] != "Current" {
			n.waits = append(n.waits, wait{checks, c.unread(o, m[4])})
		}
	}
}

// targets reports whether a Kustomization checks the health of an object.
func (c *Cluster) targets(n, other *node) bool {
	switch {
	case n.remote:
		return false
	case n.Wait:
		return other.by == n.Object
	}
	for _, check := range n.Checks {
		if kind, name, _ := strings.Cut(check, "/"); objectOf(kind, name) == other.Object {
			return true
		}
	}
	return false
}

// applies says of the reasons for which a Kustomization is not ready whether it has applied all. With any other it is not
// known. Source: kustomization_controller.go of kustomize-controller 1.9.4, at each MarkFalse of Ready.
var applies = map[string]bool{
	"HealthCheckFailed": true, "HealthCheckCanceled": true, "PruneFailed": true,
	"ArtifactFailed": false, "BuildFailed": false, "DependencyNotReady": false, "ReconciliationFailed": false, "AccessDenied": false,
	"InvalidCELExpression": false, "FeatureGateDisabled": false, "DirectoryCreationFailed": false,
}

// uncommitted returns the Kustomization by which no commit reaches a release, or may not; none if there is none.
// One that is suspended is meant to be.
func (c *Cluster) uncommitted(n *node) []wait {
	by := c.nodes[n.by]
	if by == nil || !by.read || by.remote || by.suspended {
		return nil
	}
	ready := by.condition("Ready")
	all, known := applies[ready.Reason]
	switch {
	case ready.Status != "False" || all:
		return nil
	case known:
		return []wait{{commits, by}}
	}
	return []wait{{perhaps, by}}
}

func objectOf(kind, name string) Object {
	namespace, name, _ := strings.Cut(name, "/")
	return Object{kind, release.Name{Namespace: namespace, Name: name}}
}
