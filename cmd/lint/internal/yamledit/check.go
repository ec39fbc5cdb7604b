package yamledit

import (
	"fmt"

	"go.yaml.in/yaml/v3"
)

// fault is a node that the cluster would refuse, and why.
type fault struct {
	node    *yaml.Node
	message string
}

// extent is how much a node holds with its aliases expanded.
type extent struct{ nodes, depth int }

// checker walks each node once; aliases reuse the extent of their anchor, so
// that a small file that expands without bound is found in linear time.
type checker struct {
	anchors map[*yaml.Node]extent
	open    map[*yaml.Node]bool
}

// check finds what no later step should meet: keys twice (kustomize refuses
// them), keys that are no scalars, anchors inside themselves, and more depth or
// nodes than the limits.
func (t *tree) check() *fault {
	if t.root == nil {
		return nil
	}
	c := checker{anchors: map[*yaml.Node]extent{}, open: map[*yaml.Node]bool{}}
	_, fault := c.check(t.root)
	return fault
}

func (c *checker) check(n *yaml.Node) (extent, *fault) {
	if n.Kind == yaml.AliasNode {
		if c.open[n.Alias] {
			return extent{}, &fault{n, fmt.Sprintf("anchor %q contains itself", n.Value)}
		}
		return c.anchors[n.Alias], nil
	}
	if n.Kind == yaml.MappingNode {
		if fault := checkKeys(n); fault != nil {
			return extent{}, fault
		}
	}
	if n.Anchor != "" {
		c.open[n] = true
	}
	sum := extent{nodes: 1}
	for _, item := range n.Content {
		e, fault := c.check(item)
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
	return sum, limit(n, sum)
}

func limit(n *yaml.Node, e extent) *fault {
	switch {
	case e.depth > MaxDepth:
		return &fault{n, fmt.Sprintf("nested deeper than %d levels", MaxDepth)}
	case e.nodes > MaxNodes:
		return &fault{n, fmt.Sprintf("more than %d keys and values, with aliases expanded", MaxNodes)}
	}
	return nil
}

// checkKeys looks at the keys that stand in a mapping itself.
func checkKeys(mapping *yaml.Node) *fault {
	seen := make(map[string]*yaml.Node, len(mapping.Content)/2)
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		name, err := keyName(key)
		if err != nil {
			return &fault{key, err.Error()}
		}
		if isMerge(key) {
			name = "<< " // no plain key has this name
			if !mergeable(mapping.Content[i+1]) {
				return &fault{key, "a merge key needs a mapping or a list of mappings"}
			}
		}
		if first := seen[name]; first != nil {
			return &fault{key, fmt.Sprintf("key %q is already defined in this mapping", key.Value)}
		}
		seen[name] = key
	}
	return nil
}

func mergeable(value *yaml.Node) bool {
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
