package variables

import (
	"fmt"

	"github.com/fluxcd/pkg/envsubst"
	"github.com/fluxcd/pkg/envsubst/parse"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// eval substitutes the variables in a text, unless the result may be larger than any
// object.
func eval(text string, value func(name string) (string, bool)) (string, error) {
	tree, err := parse.Parse(text)
	if err == nil && textSize(tree.Root, value) > object.MaxSize {
		return "", fmt.Errorf("the result may be larger than %d MiB", object.MaxSize>>20)
	}
	return envsubst.Eval(text, value)
}

// textSize returns the size up to which a text with variables may grow, at most a little
// more than may be.
func textSize(node parse.Node, value func(name string) (string, bool)) int {
	size := 0
	switch node := node.(type) {
	case *parse.TextNode:
		return len(node.Value)
	case *parse.ListNode:
		for _, inner := range node.Nodes {
			size = min(size+textSize(inner, value), 2*object.MaxSize)
		}
	case *parse.FuncNode:
		for _, arg := range node.Args {
			size = min(size+textSize(arg, value), 2*object.MaxSize)
		}
		text, _ := value(node.Param)
		if node.Name == "//" { // each byte may be replaced
			size *= len(text) + 1
		}
		size += len(text)
	}
	return min(size, 2*object.MaxSize)
}
