package policy

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Options are the options of [Compare].
type Options struct {
	Now time.Time
	// Reread loads the new tree as a configuration has it read, RereadBase that of the base.
	Reread, RereadBase func(judge.Configuration) (*effective.Tree, error)
	// Allowed makes what is weakened an info.
	Allowed bool
	// Charge counts what new releases inherit as new.
	Charge bool
	// Unwaived takes waivers for none, on both sides.
	Unwaived bool
}

// comparison is one call of [Compare].
type comparison struct {
	opts      Options
	base, now Side
	settings  []setting
	tree      *effective.Tree // the new one, as the base has it read
	standing  *standing
	lines     *lines
}

// Compare returns what changes in the policy from the base to now, and what only the
// new policy excuses. If a change is allowed, it returns what changes under the policy of each side alone, too.
func Compare(ctx context.Context, base, now Side, opts Options) (report.Policy, []report.Diff, error) {
	c := &comparison{opts: opts, base: base, now: now, settings: settings(base.Config, now.Config), tree: now.Tree}
	if c.readsOtherwise() {
		var err error
		if c.tree, err = opts.Reread(base.Config); err != nil {
			return report.Policy{}, nil, err
		}
		c.keepUndetermined()
	}
	c.standing = standingOf(base, c.tree)
	c.lines = newLines(base.Inputs, now.Inputs)
	under, err := c.underBase(ctx)
	if err != nil {
		return report.Policy{}, nil, err
	}
	excused, err := c.explain(ctx, c.excused(under))
	if err != nil {
		return report.Policy{}, nil, err
	}
	loose, err := c.loosened()
	if err != nil {
		return report.Policy{}, nil, err
	}
	weakened := append(c.findings(excused, loose), c.signerFindings()...)
	weakened = append(weakened, c.looseFindings(loose, weakened)...)
	alone, err := c.alone(ctx)
	return report.Policy{InForce: now.InForce, Base: base.InForce, Changes: c.listing(), Weakened: weakened}, alone, err
}

// reading are the fields of spec that decide what is read.
var reading = []any{"ignore", "clusters", "sources"}

// readsOtherwise reports whether the configurations have different things read.
func (c *comparison) readsOtherwise() bool {
	moved := c.base.Config.Dir() != c.now.Config.Dir() && len(c.base.Config.Spec.Ignore) > 0
	return moved || slices.ContainsFunc(c.settings, func(s setting) bool {
		return len(s.path) > 0 && slices.Contains(reading, s.path[0])
	})
}

// keepUndetermined adds to the new tree what is undetermined there as the base has it read:
// no change says by itself what a source holds. The rest of the tree is read as it says.
func (c *comparison) keepUndetermined() {
	if c.opts.Allowed {
		return
	}
	known := map[release.Undetermined]bool{}
	for _, u := range slices.Concat(c.base.Tree.Undetermined, c.now.Tree.Undetermined) {
		known[u.Identity()] = true
	}
	for _, u := range c.tree.Undetermined {
		if !known[u.Identity()] {
			c.now.Tree.Undetermined = append(c.now.Tree.Undetermined, u)
		}
	}
}

// judged is a release of the change with both verdicts.
type judged struct {
	*effective.Release                    // under the new policy, unless that has it not read
	as                 *effective.Release // under that of the base
	under              rules.Verdict
	now                *rules.Verdict // nil if the new policy has the release not read
}

// underBase judges the releases for which the policy of the base differs.
func (c *comparison) underBase(ctx context.Context) ([]judged, error) {
	same := c.base.Engine == c.now.Engine && len(c.settings) == 0 && len(c.now.Tree.Comments) == 0 &&
		!slices.ContainsFunc(c.base.Config.Spec.Waivers.Entries, rules.WaiverEntry.OnlyInTree)
	now := map[key]*judge.Release{}
	for i, r := range c.now.Releases {
		now[keyOf(r.Release)] = &c.now.Releases[i]
	}
	var out []judged
	for _, r := range c.tree.Releases {
		j := judged{Release: r, as: c.standing.as(r)}
		if own := now[keyOf(r)]; own != nil {
			verdict := own.Then().Verdict
			j.Release, j.now = own.Release, &verdict
		}
		if !same || !alike(j.Release, j.as) {
			out = append(out, j)
		}
	}
	all := make([]*effective.Release, len(out))
	for i, j := range out {
		all[i] = j.as
	}
	state, err := c.judge(ctx, c.base, all)
	for i := range state.Releases {
		out[i].under = state.Releases[i].Then().Verdict
	}
	return out, err
}

// judge judges releases by the rules and the configuration of a side.
func (c *comparison) judge(ctx context.Context, side Side, all []*effective.Release) (judge.State, error) {
	if len(all) == 0 {
		return judge.State{}, nil
	}
	state, err := judge.Evaluate(ctx, side.Engine, side.Config, &effective.Tree{Releases: all}, c.opts.Now)
	if c.opts.Unwaived {
		state.Unwaive()
	}
	return state, err
}

// alike reports whether two policies have a release in the same tier, under the same
// controller and with the same waivers.
func alike(a, b *effective.Release) bool {
	return a.Tier == b.Tier && sameController(a.Controller, b.Controller) &&
		reflect.DeepEqual(a.Annotations(rules.WaiverAnnotation), b.Annotations(rules.WaiverAnnotation))
}

// sameController compares controllers; a gate that is off is as one that is not set.
func sameController(a, b release.Controller) bool {
	return a.Version == b.Version && maps.Equal(on(a.Gates), on(b.Gates))
}

func on(gates release.Gates) release.Gates {
	out := maps.Clone(gates)
	maps.DeleteFunc(out, func(_ string, on bool) bool { return !on })
	return out
}
