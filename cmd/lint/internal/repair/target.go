package repair

import (
	"iter"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// patchTargets yields the targets of a patch for the releases of a candidate, the widest first:
// all that the place reaches, their namespace, a label, and last their names. Only names leave
// out the release that is added next, and a patch for one or two of them is no shorter than what
// they need themselves. Kustomizations are always named: of one that applies no release nobody objects.
func (c centralCandidate) patchTargets() iter.Seq[effective.Target] {
	return func(yield func(effective.Target) bool) {
		if !c.above() && !c.narrow {
			if !yield(effective.Target{}) {
				return
			}
			for _, narrow := range c.selectors() {
				if !yield(narrow) {
					return
				}
			}
		}
		if c.above() || !c.few() {
			yield(effective.Target{Names: c.names()})
		}
	}
}

// selectors lists the targets that select the releases of a candidate, and no other one that its
// place reaches, by what they have in common.
func (c centralCandidate) selectors() []effective.Target {
	others := c.others()
	if len(others) == 0 {
		return nil
	}
	var out []effective.Target
	namespace := object.Namespace(c.subject(c.releases[0]).Object)
	elsewhere := func(r judge.Release) bool { return object.Namespace(c.subject(r).Object) != namespace }
	if !slices.ContainsFunc(c.releases, elsewhere) && all(others, elsewhere) {
		out = append(out, effective.Target{Namespace: namespace})
	}
	some, rest := c.labels(c.releases), c.labels(others)
	if selector := selectorOf(some, rest, "="); selector != "" {
		out = append(out, effective.Target{Labels: selector})
	} else if selector := selectorOf(rest, some, "!="); selector != "" {
		out = append(out, effective.Target{Labels: selector})
	}
	return out
}

// others lists the releases that a patch in the place of a candidate reaches, and that it does not repair.
func (c centralCandidate) others() []judge.Release {
	mine := map[identity]bool{}
	for _, r := range c.releases {
		mine[identityOf(r)] = true
	}
	return slices.DeleteFunc(slices.Clone(c.reached), func(r judge.Release) bool { return mine[identityOf(r)] })
}

// labels returns the labels of what is edited of releases.
func (c centralCandidate) labels(releases []judge.Release) []map[string]any {
	out := make([]map[string]any, len(releases))
	for i, r := range releases {
		out[i] = c.subject(r).WrittenLabels()
	}
	return out
}

func all[T any](list []T, is func(T) bool) bool {
	return !slices.ContainsFunc(list, func(v T) bool { return !is(v) })
}

// selectorOf returns a selector of the first label that each of some has, with its value, and none
// of others; empty if there is none.
func selectorOf(some, others []map[string]any, sign string) string {
	for _, key := range slices.Sorted(maps.Keys(some[0])) {
		value, ok := some[0][key].(string)
		has := func(labels map[string]any) bool { return labels[key] == value }
		if ok && isLabel(value) && all(some, has) && !slices.ContainsFunc(others, has) {
			return key + sign + value
		}
	}
	return ""
}

// isLabel reports whether a value can stand in a selector as it is.
func isLabel(value string) bool {
	return value != "" && !slices.ContainsFunc([]rune(value), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' && c != '.'
	})
}
