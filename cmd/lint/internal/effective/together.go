package effective

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Together is a Flux Kustomization as what applies releases together: if Flux cannot apply
// one, it applies none. The zero value applies nothing. It is comparable.
type Together struct {
	by *entries.Kustomization
	in *fleet.Resolved
}

// Together returns what applies the release; nothing if that is not known, or if a
// ResourceSet does.
func (r *origins) Together() Together {
	if len(r.AppliedBy) == 0 || r.own.Doc == nil || r.templated() {
		return Together{}
	}
	return Together{r.chain[0], r.cluster}
}

// Name returns namespace/name of the Kustomization.
func (t Together) Name() string { return t.by.FullName() }

// Releases counts the releases that it applies.
func (t Together) Releases() int {
	seen := map[string]bool{}
	for _, applied := range t.in.Releases {
		if applied.By == t.by {
			seen[object.FullName(applied.Object)] = true
		}
	}
	return len(seen)
}

// Blocked says which variable of it is not defined, so that Flux applies nothing of it;
// empty if all are, or if Flux does not mind.
func (t Together) Blocked() string {
	if t.by == nil {
		return ""
	}
	return t.by.Blocked
}
