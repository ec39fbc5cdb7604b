package repair

import (
	"fmt"
	"slices"
)

// The reasons why a repair is not tried.
const (
	needsUnsafe = "the setting may be intended; --fix=unsafe repairs it"
	noRepair    = "no repair is known; flux-remedy rules %s says what to do"
)

// Left lists the findings that were asked for and are found still, each with the reason.
func (a *attempt) Left() []refusal {
	var out []refusal
	for _, r := range a.state.Releases {
		for _, t := range targetsOf(r) {
			if a.planner.selects(t) {
				out = append(out, refusal{t, a.planner.reason(t)})
			}
		}
	}
	return out
}

// reason says why a finding is not repaired.
func (p *planner) reason(t target) string {
	switch {
	case t.finding.Fix == nil:
		return fmt.Sprintf(noRepair, t.finding.Rule)
	case !t.finding.Fix.Safe && !p.Unsafe:
		return needsUnsafe
	}
	if i := slices.IndexFunc(p.refused, func(r refusal) bool { return r.is(t) }); i >= 0 {
		return p.refused[i].reason
	}
	return "too many repairs depend on each other; run it again"
}

// untried reports whether no repair of a finding was tried.
func (r refusal) untried() bool {
	return r.finding.Fix == nil || r.reason == needsUnsafe
}
