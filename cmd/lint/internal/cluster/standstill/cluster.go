package standstill

import (
	"iter"
	"slices"
)

// Cluster are the Kustomizations and HelmReleases of a cluster. The zero value has none.
type Cluster struct {
	nodes  map[Object]*node
	order  []*node
	linked bool
	causes []Cause // nil until they are asked for
}

// Of returns the cluster of objects.
func Of(all ...[]map[string]any) *Cluster {
	c := &Cluster{}
	for _, object := range slices.Concat(all...) {
		c.Add(object)
	}
	return c
}

// Add adds an object as the cluster has it. Objects of other kinds, and those that were added before,
// change nothing.
func (c *Cluster) Add(object map[string]any) {
	if n := read(object); n != nil && (c.nodes[n.Object] == nil || !c.nodes[n.Object].read) {
		c.put(n)
		c.linked, c.causes = false, nil
	}
}

// Adding adds objects as they are read by somebody else.
func (c *Cluster) Adding(objects iter.Seq2[map[string]any, error]) iter.Seq2[map[string]any, error] {
	return func(yield func(map[string]any, error) bool) {
		for object, err := range objects {
			if err == nil {
				c.Add(object)
			}
			if !yield(object, err) {
				return
			}
		}
	}
}

// unread returns an object that is known by a message.
func (c *Cluster) unread(o Object, state string) *node {
	if n := c.nodes[o]; n != nil {
		return n
	}
	n := &node{Object: o, state: state}
	c.put(n)
	return n
}

func (c *Cluster) put(n *node) {
	if c.nodes == nil {
		c.nodes = map[Object]*node{}
	}
	c.nodes[n.Object] = n
	c.order = append(c.order, n)
}
