package repair

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// withMajority leaves out the changes that replace what a patch sets for many Kustomizations, if it is as it should
// be for most of them: those few want a patch of their own.
func (p *planner) withMajority(plan []change, all []judge.Release) []change {
	return slices.DeleteFunc(plan, func(c change) bool {
		if fix := c.targets[0].finding.Fix; c.central != nil || fix.OfRelease() || !replaces(c.edits) {
			return false
		}
		others := c.bystanders(all)
		if others <= len(c.targets) {
			return false
		}
		p.refuse(fmt.Sprintf("the Kustomizations of %d other releases have this value from there, too: set it for this one alone, by a patch after that one", others), c.targets...)
		return true
	})
}

// bystanders counts the releases whose Kustomization is changed although the change is not for them.
func (c change) bystanders(all []judge.Release) int {
	fix := rules.Fix{Set: effective.Unnamed(c.targets[0].finding.Fix.Set)}
	n := 0
	for _, r := range all {
		if slices.ContainsFunc(c.targets, func(t target) bool { return t.release == identityOf(r) }) {
			continue
		}
		if edits, err := editsOf(r, &fix); err == nil && reflect.DeepEqual(edits, c.edits) {
			n++
		}
	}
	return n
}
