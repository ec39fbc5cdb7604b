package standstill

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Chain says why an object stands still: one thing waits for the next, and the last one is the root.
type Chain struct {
	Root Object `json:"root"`
	// State says how the root is.
	State string `json:"state"`
	// Path is the way to the root in words, from the object on: "depends on HelmRelease apps/db".
	Path string `json:"path"`
}

// between is what separates the steps of a path.
const between = ", which "

// Direct reports whether nothing is between the object and the root.
func (c Chain) Direct() bool { return !strings.Contains(c.Path, between) }

// Unsure reports whether it is not known that the root holds up the object: the Kustomization that applies it is not Ready
// for a reason that is not known here.
func (c Chain) Unsure() bool { return strings.HasPrefix(c.Path, string(perhaps)) }

// String says what holds up the object, after the word held.
func (c Chain) String() string {
	text := "up by " + c.Root.String() + ", " + c.State
	if c.Unsure() {
		return "perhaps " + text + ": a reason unknown to this program, so whether it has applied the last commit is not known"
	}
	return text
}

// Above returns what holds a release up: a chain to each root, the shortest. Empty if nothing does.
func (c *Cluster) Above(name release.Name) []Chain {
	c.link()
	n := c.nodes[Object{helmRelease, name}]
	if n == nil || n.suspended {
		return nil
	}
	return c.chains(n)
}

// chains follows what an object waits for to the roots, breadth first. No commit that fixes what fails for a
// reason of its own reaches it from a Kustomization that applies nothing: that counts for the release
// that is asked about, and for no other, or each root would be the victim of its own victims.
func (c *Cluster) chains(n *node) []Chain {
	first := slices.Concat(n.waits, c.uncommitted(n))
	type step struct {
		at   *node
		path []string
	}
	var queue []step
	seen := map[*node]bool{} // in a circle it comes back to itself
	next := func(waits []wait, path []string) {
		for _, w := range waits {
			if !seen[w.on] {
				seen[w.on] = true
				queue = append(queue, step{w.on, append(slices.Clone(path), string(w.why)+" "+w.on.Object.String())})
			}
		}
	}
	next(first, nil)
	var out []Chain
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if root, state := c.root(s.at); root {
			out = append(out, Chain{s.at.Object, state, strings.Join(s.path, between)})
		}
		next(s.at.waits, s.path)
	}
	return out
}

// First returns the releases that must be Ready before a request for a release reaches it: those of its
// dependencies that are not, also where the release itself fails for another reason.
func (c *Cluster) First(name release.Name) []release.Name {
	n := c.nodes[Object{helmRelease, name}]
	if n == nil {
		return nil
	}
	var out []release.Name
	for _, d := range n.on {
		if on := c.nodes[objectOf(helmRelease, d.Name)]; on != nil && !on.ready() && !d.Expressed {
			out = append(out, on.Object.Name)
		}
	}
	return out
}

// root reports whether nothing outside of a circle holds up an object, and how it is. Of a circle the
// first in the order of names is the root.
func (c *Cluster) root(n *node) (bool, string) {
	if len(n.waits) == 0 {
		return true, n.words()
	}
	for _, member := range n.circle {
		for _, w := range member.waits {
			if !slices.Contains(n.circle, w.on) {
				return false, ""
			}
		}
	}
	if n != n.circle[0] {
		return false, ""
	}
	names := words.Of(n.circle, func(member *node) string { return member.Object.String() })
	return true, "in a circle: " + words.First(names, most, "") + " hold each other up"
}

// most is how many objects of a circle are named.
const most = 5

// circles finds for each object those that hold it up and that it holds up, itself included, in the order of
// their names. It is Tarjan's algorithm.
func (c *Cluster) circles() {
	index, low := map[*node]int{}, map[*node]int{}
	var stack []*node
	var visit func(n *node)
	visit = func(n *node) {
		index[n] = len(index) + 1
		low[n] = index[n]
		stack = append(stack, n)
		for _, w := range n.waits {
			if index[w.on] == 0 {
				visit(w.on)
			}
			if w.on.circle == nil { // it is on the stack
				low[n] = min(low[n], low[w.on])
			}
		}
		if low[n] < index[n] {
			return
		}
		from := slices.Index(stack, n)
		members := slices.SortedFunc(slices.Values(stack[from:]), func(a, b *node) int { return strings.Compare(a.Object.String(), b.Object.String()) })
		for _, member := range members {
			member.circle = members
		}
		stack = stack[:from]
	}
	for _, n := range c.order {
		n.circle = nil
	}
	for _, n := range c.order {
		if index[n] == 0 {
			visit(n)
		}
	}
}
