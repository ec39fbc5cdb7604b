package policy

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// listing lists every change of the policy, each once.
func (c *comparison) listing() []report.PolicyChange {
	settings := words.Of(c.settings, func(s setting) report.PolicyChange { return s.PolicyChange })
	return words.Distinct(slices.Concat(settings, ruleChanges(c.base.Rules, c.now.Rules), signerChanges(c.base.Signers, c.now.Signers), c.clusters(), c.tiers(), c.controllers(), c.waivers(), c.comments(), baselines(c.base.Inputs, c.now.Inputs, c.lines)))
}

// stayed calls f with each release that was there, and what it was.
func (c *comparison) stayed(f func(r, was *effective.Release)) {
	for _, r := range c.now.Tree.Releases {
		if was := c.standing.was[keyOf(r)]; was != nil {
			f(r, was)
		}
	}
}

// tiers lists the changes of the tiers of releases that were there.
func (c *comparison) tiers() []report.PolicyChange {
	names := map[report.PolicyChange][]string{}
	var all []report.PolicyChange
	c.stayed(func(r, was *effective.Release) {
		if r.Tier != was.Tier {
			change := c.tierOf(r, was.Tier)
			all, names[change] = append(all, change), append(names[change], r.ID().String())
		}
	})
	return words.Of(words.Distinct(all), func(change report.PolicyChange) report.PolicyChange {
		if of := names[change]; change.What == "tier" {
			change.What = "tier of " + some(slices.Compact(slices.Sorted(slices.Values(of))))
		}
		return change
	})
}

// controllers lists the changes of the controllers of releases that were there: that of another cluster is another one.
func (c *comparison) controllers() []report.PolicyChange {
	var out []report.PolicyChange
	c.stayed(func(r, was *effective.Release) {
		if r.Cluster == was.Cluster && !sameController(r.Controller, was.Controller) {
			out = append(out, c.controllerOf(r, was.Controller))
		}
	})
	slices.SortStableFunc(out, func(a, b report.PolicyChange) int { return cmp.Compare(a.What, b.What) })
	return firstOfEach(out)
}

// firstOfEach drops what says the same of another place.
func firstOfEach(all []report.PolicyChange) []report.PolicyChange {
	return slices.CompactFunc(all, func(a, b report.PolicyChange) bool {
		return a.What == b.What && a.Before == b.Before && a.After == b.After
	})
}

// waivers lists the waivers that annotations of releases add, change or remove.
func (c *comparison) waivers() []report.PolicyChange {
	var out []report.PolicyChange
	for _, r := range c.now.Tree.Releases {
		was := c.standing.was[keyOf(r)]
		before, after := c.standing.waivers(r), r.Annotations(rules.WaiverAnnotation)
		for _, key := range keysOf(before, after) {
			if !reflect.DeepEqual(before[key], after[key]) {
				out = append(out, c.waiverChange(r, was, strings.TrimPrefix(key, rules.WaiverAnnotation)))
			}
		}
	}
	return out
}

// comments lists the waivers in comments that are new, changed or gone.
func (c *comparison) comments() []report.PolicyChange {
	before, after := commentsOf(c.base.Tree.Comments), commentsOf(c.now.Tree.Comments)
	var out []report.PolicyChange
	for _, one := range c.now.Tree.Comments {
		if one.Err == nil && after[commentKey(one)] > before[commentKey(one)] {
			out = append(out, c.commentChange(one.Waiver))
		}
	}
	for _, one := range c.base.Tree.Comments {
		gone := one.Err == nil && before[commentKey(one)] > after[commentKey(one)]
		replaced := slices.ContainsFunc(out, func(p report.PolicyChange) bool { return p.Before == commentText(one.Waiver) && p.File == one.File })
		if gone && !replaced {
			out = append(out, report.PolicyChange{What: "waiver of " + one.Rule + " in a comment", Before: commentText(one.Waiver), File: one.File, Line: one.Line})
		}
	}
	return out
}

// commentKey is what a comment is known by over two states of its file.
func commentKey(c *effective.Comment) [3]string {
	return [3]string{c.File, c.Rule, commentText(c.Waiver)}
}

// commentsWithout returns the comments of a side but for those that another one has; what is there twice must be twice there.
func commentsWithout(side, other effective.Comments) (out []*effective.Comment) {
	there := commentsOf(other)
	for _, c := range side {
		if key := commentKey(c); c.Err == nil && there[key] > 0 {
			there[key]--
		} else if c.Err == nil {
			out = append(out, c)
		}
	}
	return out
}

// commentsOf counts comments by what they are known by.
func commentsOf(all effective.Comments) map[[3]string]int {
	out := map[[3]string]int{}
	for _, c := range all {
		if c.Err == nil {
			out[commentKey(c)]++
		}
	}
	return out
}

// clusters lists the clusters that have come or gone, with the tiers of their releases.
func (c *comparison) clusters() []report.PolicyChange {
	before, after := byCluster(c.base.Tree.Releases), byCluster(c.now.Tree.Releases)
	var out []report.PolicyChange
	for _, name := range keysOf(before, after) {
		old, now := before[name], after[name]
		_, was := c.base.Tree.Controller(name)
		_, is := c.now.Tree.Controller(name)
		if name == "" || old != nil && now != nil || was && is { // that nothing of it is judged is said elsewhere
			continue
		}
		change := report.PolicyChange{What: "cluster " + name, Before: cmp.Or(tiersText(old), "not there"), After: cmp.Or(tiersText(now), "gone")}
		first := slices.Concat(now, old)[0]
		change.File, change.Line = first.File, first.Line
		if n := len(first.AppliedBy); n > 0 {
			change.File, change.Line = first.AppliedBy[n-1].File, first.AppliedBy[n-1].Line
		}
		out = append(out, change)
	}
	return out
}

func byCluster(all []*effective.Release) map[string][]*effective.Release {
	out := map[string][]*effective.Release{}
	for _, r := range all {
		out[r.Cluster] = append(out[r.Cluster], r)
	}
	return out
}

// tiersText says in which tiers releases are, and why: "development by cluster folder
// clusters/dev".
func tiersText(all []*effective.Release) string {
	var out []string
	for _, tier := range release.Tiers {
		i := slices.IndexFunc(all, func(r *effective.Release) bool { return r.Tier == tier })
		if i >= 0 {
			out = append(out, string(tier)+" by "+all[i].TierFrom)
		}
	}
	return strings.Join(out, ", ")
}
