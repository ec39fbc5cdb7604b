package policy

import (
	"errors"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// looseFindings makes one finding for each change by which the policy lets more pass than that of the base, but for those that
// excuse something already: the next change may use it, and would be judged by it.
func (c *comparison) looseFindings(known []report.Finding) ([]report.Finding, error) {
	settings, err := c.looseSettings()
	all := slices.Concat(settings, c.looseTiers())
	if !c.opts.Unwaived {
		all = append(all, c.looseWaivers()...)
	}
	all = slices.DeleteFunc(words.Distinct(all), func(change report.PolicyChange) bool {
		return slices.ContainsFunc(known, func(f report.Finding) bool {
			return f.File == change.File && f.Line == change.Line && strings.HasPrefix(f.Message, change.String())
		})
	})
	return words.Of(all, func(change report.PolicyChange) report.Finding {
		return c.weakened(change, "this excuses nothing yet, but may excuse what later changes bring", rules.Error)
	}), err
}

// looseSettings lists the changes of the configuration, and of rules, that let more pass. What a first one says of what
// there is, as that of "config init" does, is not among them: what it excuses is found.
func (c *comparison) looseSettings() (out []report.PolicyChange, err error) {
	if c.base.Engine == c.now.Engine && !c.hasSettings() {
		return nil, nil
	}
	base, now := c.base.Config.Config, c.now.Config.Config
	files := ruleChanges(c.base.Rules, c.now.Rules)
	before, err := c.base.Engine.Under(base)
	after, err2 := c.now.Engine.Under(now)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	for _, id := range after.Milder(before) {
		if change, changed := ruleChange(files, id); changed {
			out = append(out, change)
		} else {
			out = append(out, c.settingOf(excuse{Finding: rules.Finding{Rule: id}}.names(c)...))
		}
	}
	var at []release.Path
	if after.RaisedLaw(before) {
		at = append(at, release.Path{"law"})
	}
	if !c.opts.Unwaived {
		at = append(at, now.FurtherWaivers(base, c.opts.Now)...)
	}
	if c.base.Config.File != "" {
		at = append(at, now.MilderTiers(base)...)
		for _, i := range now.FurtherAccepted(base, c.opts.Now) {
			if len(c.now.Tree.Accepting[i]) == 0 || !now.Spec.Undetermined.Accept[i].Narrow() {
				at = append(at, release.Path{"undetermined", "accept", i})
			}
		}
	}
	for _, path := range at {
		out = append(out, c.settingOf(path, path[:min(2, len(path))], path[:1]))
	}
	return out, nil
}

// looseTiers lists the changes that put releases which were there in a milder tier.
func (c *comparison) looseTiers() (out []report.PolicyChange) {
	c.stayed(func(r, was *effective.Release) {
		if compareTiers(was.Tier, r.Tier) < 0 && (c.base.Config.File != "" || r.TierBy(c.base.Config.Config, c.base.Config.Dir()) == r.Tier) {
			out = append(out, c.tierOf(r, was.Tier))
		}
	})
	return out
}

// looseWaivers lists the waivers in annotations and comments that hold, and held not, or not as long.
func (c *comparison) looseWaivers() (out []report.PolicyChange) {
	for _, r := range c.now.Tree.Releases {
		was := c.standing.was[keyOf(r)]
		before := was
		if was == nil {
			before = c.standing.as(r)
		}
		held, holds := c.ownWaivers(c.base, before), c.ownWaivers(c.now, r)
		for _, rule := range sortedKeys(holds) {
			if before, did := held[rule]; !did || longer(holds[rule], before) {
				out = append(out, c.waiverChange(r, was, rule))
			}
		}
	}
	gone := commentsWithout(c.base.Tree.Comments, c.now.Tree.Comments)
	for _, one := range commentsWithout(c.now.Tree.Comments, c.base.Tree.Comments) {
		at := slices.IndexFunc(gone, func(was *effective.Comment) bool {
			return was.Rule == one.Rule && !longer(one.Waiver, was.Waiver) && c.isFile(was.File, one.File)
		})
		if at >= 0 {
			gone = slices.Delete(gone, at, at+1)
		} else if !one.Expired(c.opts.Now) {
			out = append(out, c.commentChange(one.Waiver))
		}
	}
	return out
}

// isFile reports whether a file is one of the base, or a new one that has its content or a release that was in it.
func (c *comparison) isFile(before, after string) bool {
	was, is := fileOf(c.base.Inputs, before), fileOf(c.now.Inputs, after)
	if before == after || was == nil || is == nil || fileOf(c.base.Inputs, after) != nil {
		return before == after
	}
	moved := was.Hash() == is.Hash() && fileOf(c.now.Inputs, before) == nil
	c.stayed(func(r, was *effective.Release) {
		moved = moved || r.ID() == was.ID() && r.File == after && was.File == before
	})
	return moved
}

// ownWaivers returns the waivers in the annotations of a release that hold under the policy of a side, by their rules.
func (c *comparison) ownWaivers(side Side, r *effective.Release) map[string]rules.Waiver {
	out := map[string]rules.Waiver{}
	all, _ := side.Config.Waivers(r.Release, c.opts.Now)
	for _, w := range all {
		if len(w.Path) > 0 && !w.Expired(c.opts.Now) {
			out[w.Rule] = w
		}
	}
	return out
}
