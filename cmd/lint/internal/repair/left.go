package repair

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// The reasons why a repair is not tried.
const (
	needsSelect = "the setting may well be intended; --fix=unsafe --select %s repairs it"
	noRepair    = "no repair is known; flux-remedy rules %s says what to do"
)

// Left lists the findings that were asked for and are found still, each with the reason. Of
// infos these are only those whose rule is selected by name.
func (a *attempt) Left() []refusal {
	var out []refusal
	for _, r := range a.state.Releases {
		for _, t := range targetsOf(r) {
			switch p := a.planner; {
			case p.selects(t):
				out = append(out, untangled(p.refusalOf(t)))
			case p.reaches(t) && t.finding.Severity != rules.Info:
				out = append(out, refusal{t, fmt.Sprintf(needsSelect, t.finding.Rule), true})
			}
		}
	}
	return out
}

// untangled returns a refusal that promises no repair by --fix=unsafe where the file does not allow that.
func untangled(r refusal) refusal {
	if r.reason != needsUnsafe {
		return r
	}
	if edits, err := editsOf(r.of, r.finding.Fix); err == nil {
		if why := tangled(r.of, edits); why != "" {
			return refusal{target: r.target, reason: why}
		}
	}
	return r
}

// refusalOf says why a finding that is selected is not repaired.
func (p *planner) refusalOf(t target) refusal {
	switch {
	case t.finding.Fix == nil:
		return refusal{t, cmp.Or(t.finding.Help, fmt.Sprintf(noRepair, t.finding.Rule)), true}
	case !t.finding.Fix.Safe && !p.Unsafe:
		return refusal{t, needsUnsafe, true}
	}
	if i := slices.IndexFunc(p.refused, func(r refusal) bool { return r.is(t) }); i >= 0 {
		why := p.refused[i].reason
		return refusal{t, why, why == needsUnsafe}
	}
	return refusal{target: t, reason: "too many repairs depend on each other; run it again"}
}
