package effective

import (
	"fmt"
	"reflect"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// appliedTwice holds what a cluster applies, by cluster and name of the release: each time
// that it is applied with other content. Metadata counts: a waiver, a tier and a shard stand there.
type appliedTwice map[[2]string][]fleet.Applied

// add records a release and reports whether it is applied with the same content already.
// It returns what applied it first, if that has other content.
func (t appliedTwice) add(target string, applied fleet.Applied) (first *fleet.Applied, again bool) {
	key := [2]string{target, object.FullName(applied.Object)}
	for _, other := range t[key] {
		if sameField("spec", other, applied) && sameField("metadata", other, applied) {
			return nil, true
		}
	}
	t[key] = append(t[key], applied)
	if len(t[key]) > 1 {
		first = &t[key][0]
	}
	return first, false
}

func sameField(name string, a, b fleet.Applied) bool {
	return reflect.DeepEqual(a.Object[name], b.Object[name])
}

// contradicts says that two Kustomizations apply one release with other content. Both
// are judged: which one is in force changes with each reconciliation.
func (l *loader) contradicts(c *fleet.Resolved, first, second fleet.Applied) {
	if first.IsOutcome() || second.IsOutcome() {
		return // only one of them is on the cluster
	}
	what := "settings"
	if sameField("spec", first, second) {
		what = "labels or annotations"
	}
	r := &Release{}
	r.table = l.opts.Builder.Table
	l.own(r, second)
	by := []string{first.By.FullName(), second.By.FullName()}
	who := fmt.Sprintf("by Kustomization %s and by Kustomization %s, and each undoes the other", by[0], by[1])
	if by[0] == by[1] {
		who = fmt.Sprintf("Kustomization %s is applied twice, too", by[0])
	}
	u := release.Undetermined{
		File: r.File, Line: r.Line, Cluster: c.Target(second.By),
		Reason: fmt.Sprintf("%s is applied twice, with different %s: %s", object.FullName(second.Object), what, who),
	}
	if rel, ok := l.in.Files.Path(u.File); l.inBelow(c.Dir) || ok && l.inBelow(rel) {
		l.undetermined(u)
	}
}
