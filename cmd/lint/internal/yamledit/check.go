package yamledit

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// extent is the size of a node with its aliases expanded.
type extent struct{ nodes, depth int }

// checker visits each node once. An alias has the extent of its anchor, so that
// a small document that expands without bound is found in linear time.
type checker struct {
	*tree
	anchors map[*yaml.Node]extent
	open    map[*yaml.Node]bool // anchors that hold the current node
}

// check returns the first mistake that would make the document unusable: a
// duplicate key (which kustomize refuses), a key that is not a scalar, an
// anchor that contains itself, or more depth or nodes than the limits.
func check(t *tree) *fault {
	if t.root == nil {
		return nil
	}
	c := checker{tree: t, anchors: map[*yaml.Node]extent{}, open: map[*yaml.Node]bool{}}
	_, fault := c.visit(t.root)
	return fault
}

func (c *checker) visit(n *yaml.Node) (extent, *fault) {
	if n.Kind == yaml.AliasNode {
		if c.open[n.Alias] {
			return extent{}, c.fault(n, fmt.Sprintf("anchor %q contains itself", n.Value))
		}
		return c.anchors[n.Alias], nil
	}
	if n.Kind == yaml.MappingNode {
		if fault := c.checkKeys(n); fault != nil {
			return extent{}, fault
		}
	}
	if n.Anchor != "" {
		c.open[n] = true
	}
	sum := extent{nodes: 1}
	for _, item := range n.Content {
		e, fault := c.visit(item)
		if fault != nil {
			return extent{}, fault
		}
		sum.nodes += e.nodes
		sum.depth = max(sum.depth, e.depth)
	}
	if n.Kind != yaml.ScalarNode {
		sum.depth++
	}
	if n.Anchor != "" {
		delete(c.open, n)
		c.anchors[n] = sum
	}
	return sum, c.checkExtent(n, sum)
}

func (c *checker) checkExtent(n *yaml.Node, e extent) *fault {
	switch {
	case e.depth > MaxDepth:
		return c.fault(n, fmt.Sprintf("nested deeper than %d levels", MaxDepth))
	case e.nodes > MaxNodes:
		return c.fault(n, fmt.Sprintf("more than %d keys and values, with aliases expanded", MaxNodes))
	}
	return nil
}

// checkKeys checks the keys of a mapping without those that it merges.
func (c *checker) checkKeys(mapping *yaml.Node) *fault {
	seen := make(map[string]bool, len(mapping.Content)/2)
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		name, err := keyName(key)
		if err != nil {
			return c.fault(key, err.Error())
		}
		if isMerge(key) {
			name = "<< " // no plain key has this name
			if !isMergeable(mapping.Content[i+1]) {
				return c.fault(key, "a merge key needs a mapping or a list of mappings")
			}
		}
		if seen[name] {
			return c.fault(key, fmt.Sprintf("key %q is already defined in this mapping", key.Value))
		}
		seen[name] = true
	}
	return nil
}

// isMergeable reports whether a merge key may have a value.
func isMergeable(value *yaml.Node) bool {
	value = target(value)
	if value.Kind != yaml.SequenceNode {
		return value.Kind == yaml.MappingNode
	}
	for _, item := range value.Content {
		if target(item).Kind != yaml.MappingNode {
			return false
		}
	}
	return true
}
