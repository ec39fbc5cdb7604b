package charts

import (
	"fmt"
	"iter"
	"maps"

	"github.com/flux-remedy/remedy/pkg/loss"
)

// parse reads manifests as helm template prints them.
func parse(name string, files []string) (*Result, error) {
	out := &Result{Chart: name}
	for _, text := range files {
		for _, part := range loss.Split(text) {
			documents, err := loss.Documents(part)
			if err != nil {
				return nil, fmt.Errorf("%s gives no YAML: %w", name, err)
			}
			if ofDefinitions.MatchString(part) {
				out.Definitions = append(out.Definitions, documents...)
			} else {
				out.Documents = append(out.Documents, documents...)
			}
		}
	}
	return out, nil
}

func keys(files map[string][]byte) iter.Seq[string] { return maps.Keys(files) }
