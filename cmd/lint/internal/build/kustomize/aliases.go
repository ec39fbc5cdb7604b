package kustomize

import (
	"errors"
	"regexp"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

var errAliases = errors.New("its YAML aliases expand to more values than a file may have")

// maxEmbedded is how deep texts in texts are looked into: a patch in a transformer in a
// kustomization.yaml.
const maxEmbedded = 3

// CheckAliases returns an error if aliases expand to more values than a file may have,
// in a file of any name or in a text in it, such as a patch. Kustomize expands them all.
func CheckAliases(data []byte) error { return checkText(data, maxEmbedded) }

func checkText(data []byte, depth int) error {
	if depth == 0 || !MayAlias(data) {
		return nil
	}
	nodes, _ := trace.Nodes(data) // up to what is not YAML
	e := expansion{sizes: map[*yaml.Node]int{}}
	added := 0
	for _, node := range nodes {
		if added += e.size(node) - 1; added > yamledit.MaxNodes+len(e.sizes) {
			return errAliases
		}
	}
	for node := range e.sizes {
		if node.Kind == yaml.ScalarNode {
			if err := checkText([]byte(node.Value), depth-1); err != nil {
				return err
			}
		}
	}
	return nil
}

// An anchor and an alias have a name. A "&&" in a text, or a "* " before an item of prose, is neither.
var (
	anchor = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`&[\w-]`) })
	alias  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\*[\w-]`) })
)

// MayAlias reports whether a text may have aliases.
func MayAlias(data []byte) bool { return anchor().Match(data) && alias().Match(data) }

// expansion counts nodes as often as aliases repeat them.
type expansion struct{ sizes map[*yaml.Node]int }

// size returns the number of nodes at and below one, at most a little more than may be.
func (e expansion) size(n *yaml.Node) int {
	if size, known := e.sizes[n]; known {
		return size
	}
	const most = 1 << 30
	if n.Kind == yaml.AliasNode {
		return e.size(n.Alias)
	}
	e.sizes[n] = most // what contains itself is endless
	size := 1
	for _, child := range n.Content {
		size = min(size+e.size(child), most)
	}
	e.sizes[n] = size
	return size
}
