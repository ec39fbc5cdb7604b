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

// loosening is a change by which the policy lets more pass than that of the base, and how bad that may be.
type loosening struct {
	by       report.PolicyChange
	severity rules.Severity
}

// loosened lists the changes by which the policy lets more pass.
func (c *comparison) loosened() ([]loosening, error) {
	out, err := c.looseSettings()
	out = append(out, c.looseTiers()...)
	if !c.opts.Unwaived {
		out = append(out, c.looseWaivers()...)
	}
	return out, err
}

// looseFindings makes one finding for each change by which the policy lets more pass, but for those of which there is one: the next
// change may use it, and would be judged by it.
func (c *comparison) looseFindings(loose []loosening, known []report.Finding) (out []report.Finding) {
	for _, by := range words.Distinct(words.Of(loose, func(l loosening) report.PolicyChange { return l.by })) {
		if !slices.ContainsFunc(known, func(f report.Finding) bool {
			return f.File == by.File && f.Line == by.Line && strings.HasPrefix(f.Message, by.String())
		}) {
			out = append(out, c.weakened(by, "this excuses nothing yet, but may excuse what later changes bring", worstOf(loose, by)))
		}
	}
	return out
}

// worstOf returns how bad that may be which a change lets pass.
func worstOf(loose []loosening, by report.PolicyChange) rules.Severity {
	worst := rules.Off
	for _, l := range loose {
		if l.by == by {
			worst = worst.AtWorst(l.severity)
		}
	}
	return worst
}

// looseSettings lists the changes of the configuration, and of rules, that let more pass. A base without a configuration has
// the defaults. What one says of clusters and of what is undetermined as it is, as that of "config init" does, lets no more pass.
func (c *comparison) looseSettings() (out []loosening, err error) {
	if c.base.Engine == c.now.Engine && !c.hasSettings() {
		return nil, nil
	}
	now := c.now.Config.Config
	base, err := c.baseSeen()
	if err != nil {
		return nil, err
	}
	files := ruleChanges(c.base.Rules, c.now.Rules)
	before, err := c.base.Engine.Under(base)
	after, err2 := c.now.Engine.Under(now)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	for _, id := range after.Milder(before) {
		if change, changed := ruleChange(files, id); changed {
			out = append(out, loosening{change, rules.Error})
		} else {
			out = append(out, loosening{c.settingOf(excuse{Finding: rules.Finding{Rule: id}}.names(c)...), rules.Error})
		}
	}
	var at []release.Path
	if after.RaisedLaw(before) {
		at = append(at, release.Path{"law"})
	}
	if !c.opts.Unwaived {
		at = append(at, now.FurtherWaivers(base, c.opts.Now)...)
	}
	at = append(at, now.FurtherIgnored(base)...)
	for _, path := range now.MilderTiers(base) {
		if i, isRule := path[len(path)-1].(int); !isRule || !c.isInTier(now.Spec.Tiers[i]) {
			at = append(at, path)
		}
	}
	for _, i := range now.FurtherAccepted(base, c.opts.Now) {
		if !c.acceptsAll(i) || now.Prolongs(base, i) {
			at = append(at, release.Path{"undetermined", "accept", i})
		}
	}
	for _, path := range at {
		severity := rules.Error
		if i, isEntry := path[len(path)-1].(int); isEntry && path[0] == "waivers" {
			severity = c.worst(now.Spec.Waivers.Entries[i].Rule)
		}
		out = append(out, loosening{c.settingOf(path, path[:min(2, len(path))], path[:1]), severity})
	}
	return out, nil
}

// baseSeen returns the configuration of the base as the folder of the new one would have it.
func (c *comparison) baseSeen() (*rules.Config, error) {
	base, was, is := c.base.Config.Config, c.base.Config.Dir(), c.now.Config.Dir()
	if was == "" || is == "" || was == is {
		return base, nil
	}
	return base.Seen(was, is)
}

// isInTier reports whether a rule names clusters that there are, of which a base without rules has each release in this tier, or would
// have it there.
func (c *comparison) isInTier(rule rules.TierRule) bool {
	config, dir := c.base.Config.Config, c.base.Config.Dir()
	return len(config.Spec.Tiers) == 0 && rule.NamesClusters() && !slices.ContainsFunc(rule.Clusters, func(name string) bool {
		one := rules.Config{Spec: rules.ConfigSpec{Tiers: []rules.TierRule{{Tier: rule.Tier, Match: rules.Match{Clusters: []string{name}}}}}}
		found := false
		return slices.ContainsFunc(c.tree.Releases, func(r *effective.Release) bool {
			_, in := one.TierOf(rules.Place{Cluster: r.Cluster})
			found = found || in
			return in && r.TierBy(config, dir) != rule.Tier
		}) || !found
	})
}

// acceptsAll reports whether an entry of spec.undetermined.accept names what is undetermined, and nothing else.
func (c *comparison) acceptsAll(i int) bool {
	entry, used := c.now.Config.Spec.Undetermined.Accept[i], c.now.Tree.Accepting[i]
	return used != nil && len(used) == len(entry.Paths)+len(entry.Releases) && entry.Narrow()
}

// looseTiers lists the changes that put releases which were there in a milder tier.
func (c *comparison) looseTiers() (out []loosening) {
	c.stayed(func(r, was *effective.Release) {
		if compareTiers(was.Tier, r.Tier) < 0 {
			out = append(out, loosening{c.tierOf(r, was.Tier), rules.Error})
		}
	})
	return out
}

// looseWaivers lists the waivers in annotations and comments that hold, and held not, or not as long.
func (c *comparison) looseWaivers() (out []loosening) {
	for _, r := range c.now.Tree.Releases {
		was := c.standing.was[keyOf(r)]
		before := was
		if was == nil {
			before = c.standing.as(r)
		}
		held, holds := c.ownWaivers(c.base, before), c.ownWaivers(c.now, r)
		for _, rule := range sortedKeys(holds) {
			if before, did := held[rule]; !did || longer(holds[rule], before) {
				out = append(out, loosening{c.waiverChange(r, was, rule), c.worst(rule)})
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
			out = append(out, loosening{c.commentChange(one.Waiver), c.worst(one.Rule)})
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
