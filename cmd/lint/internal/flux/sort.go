package flux

import (
	"cmp"
	"slices"
)

// sort puts everything in a stable order.
func (t *Tree) sort() {
	slices.SortFunc(t.Releases, func(a, b *Release) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	slices.SortFunc(t.Undetermined, func(a, b Undetermined) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Cluster, b.Cluster),
			cmp.Compare(a.Release, b.Release), cmp.Compare(a.Reason, b.Reason))
	})
	t.Undetermined = slices.Compact(t.Undetermined)
	slices.SortFunc(t.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	t.Problems = slices.CompactFunc(t.Problems, func(a, b Problem) bool {
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column && a.Err.Error() == b.Err.Error()
	})
}
