package main

import (
	"context"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// ratchet moves from the denied findings to the inherited ones what the
// replaced object had already: an update is denied for what it makes worse,
// never for what it leaves as it was.
func (p *policy) ratchet(ctx context.Context, d *decision, r *review, now time.Time) error {
	old, err := p.release(r.old, d.tier, r.Namespace)
	if err != nil {
		return err
	}
	verdict, err := p.engine.Evaluate(ctx, old, now)
	if err != nil {
		return err
	}
	d.denied, d.inherited = split(d.denied, verdict.Findings)
	return nil
}

// split tells the findings that are new from those that an old object had.
func split(findings, old []rules.Finding) (fresh, inherited []rules.Finding) {
	for _, finding := range findings {
		if slices.ContainsFunc(old, func(before rules.Finding) bool { return covers(before, finding) }) {
			inherited = append(inherited, finding)
		} else {
			fresh = append(fresh, finding)
		}
	}
	return fresh, inherited
}

// covers tells whether a finding of the old object stands for one of the new:
// the same rule at the same field, or one of the same category at a field
// around it, as when half of what was wrong with spec has been repaired.
func covers(before, now rules.Finding) bool {
	if before.Severity != rules.Error || !within(now.Path, before.Path) {
		return false
	}
	return before.Category == now.Category && len(before.Path) < len(now.Path) ||
		before.Rule == now.Rule && len(before.Path) == len(now.Path)
}

// within tells whether path is outer or a field below it.
func within(path, outer rules.Path) bool {
	return len(path) >= len(outer) && slices.Equal(path[:len(outer)], outer)
}
