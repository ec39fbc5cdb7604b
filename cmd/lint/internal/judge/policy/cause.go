package policy

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// explained is an excuse with the change of the policy that makes it.
type explained struct {
	excuse
	by report.PolicyChange
}

// explain finds for each excuse the change that makes it. Where several parts of the
// policy differ, it is the one without which the finding counts again.
func (c *comparison) explain(ctx context.Context, all []excuse) ([]explained, error) {
	inTier, err := c.exchanged(ctx, all, func(j judged) *effective.Release { return j.with(j.as.Tier, j.Controller) })
	if err != nil {
		return nil, err
	}
	underController, err := c.exchanged(ctx, all, func(j judged) *effective.Release { return j.with(j.Tier, j.as.Controller) })
	if err != nil {
		return nil, err
	}
	var out []explained
	changes := ruleChanges(c.base.Rules, c.now.Rules)
	for _, e := range all {
		tier := e.Tier != e.as.Tier
		controller := !sameController(e.Controller, e.as.Controller)
		var by report.PolicyChange
		rule, ruleChanged := ruleChange(changes, e.Rule)
		switch {
		case e.now == nil:
			by = c.ignoredBy(e)
		case e.waiver != nil:
			by = c.waivedBy(e)
		case tier && e.counts(inTier):
			by = c.tierChange(e)
		case controller && e.counts(underController):
			by = c.controllerChange(e)
		case ruleChanged:
			by = rule
		case c.hasSettings():
			by = c.settingOf(e.names(c)...)
		case tier:
			by = c.tierChange(e)
		default:
			by = c.controllerChange(e)
		}
		out = append(out, explained{e, by})
	}
	return out, nil
}

// with returns the release under the new policy, but for its tier and controller.
func (j judged) with(tier release.Tier, controller release.Controller) *effective.Release {
	return j.As(tier, controller, rules.WaiverAnnotation, j.Annotations(rules.WaiverAnnotation))
}

// exchanged judges releases under the new policy with one part of it exchanged.
func (c *comparison) exchanged(ctx context.Context, all []excuse, with func(judged) *effective.Release) (map[key]rules.Verdict, error) {
	out := map[key]rules.Verdict{}
	var releases []*effective.Release
	for _, e := range all {
		_, seen := out[keyOf(e.judged.Release)]
		if as := with(e.judged); !seen && e.now != nil && !alike(as, e.judged.Release) {
			out[keyOf(as)] = rules.Verdict{}
			releases = append(releases, as)
		}
	}
	state, err := c.judge(ctx, c.now, releases)
	for _, r := range state.Releases {
		out[keyOf(r.Release)] = r.Then().Verdict
	}
	return out, err
}

// counts reports whether the finding is there again, and nothing accepts it.
func (e excuse) counts(verdicts map[key]rules.Verdict) bool {
	found := find(verdicts[keyOf(e.judged.Release)], e.Rule, e.Path)
	return found != nil && found.Waiver == nil && found.Severity.AtLeast(e.Severity) && (found.CountsFrom == "" || e.CountsFrom != "")
}

func (c *comparison) hasSettings() bool { return len(c.settings) > 0 }

// names are the fields of the configuration that may decide a finding, the likeliest
// first.
func (e excuse) names(c *comparison) [][]any {
	var out [][]any
	for _, name := range c.now.Engine.Names(e.Rule) {
		out = append(out, []any{"rules", name})
	}
	return append(out, []any{"rulesAsOf"}, []any{"law"}, []any{"rules"}, []any{"fix"})
}

// settingOf returns the first change of the configuration at or below one of some paths,
// or else the first of all.
func (c *comparison) settingOf(paths ...[]any) report.PolicyChange {
	for _, path := range paths {
		if i := slices.IndexFunc(c.settings, func(s setting) bool { return s.is(path...) }); i >= 0 {
			return c.settings[i].PolicyChange
		}
	}
	if c.hasSettings() {
		return c.settings[0].PolicyChange
	}
	return report.PolicyChange{What: "policy", File: c.now.Config.Name()}
}

// ignoredBy returns the entry of spec.ignore by which a release is not read.
func (c *comparison) ignoredBy(e excuse) report.PolicyChange {
	at := e.Place(c.now.Config.Dir()).Path
	for _, s := range c.settings {
		glob := &rules.Config{Spec: rules.ConfigSpec{Ignore: []string{s.After}}}
		if s.is("ignore") && glob.Ignores(at) {
			return s.PolicyChange
		}
	}
	return c.settingOf([]any{"ignore"}, []any{"clusters"}, []any{"sources"})
}

// waivedBy returns the waiver that is new, or what lets one count.
func (c *comparison) waivedBy(e excuse) report.PolicyChange {
	if e.waiver.File != "" {
		return c.commentChange(*e.waiver)
	}
	if len(e.waiver.Path) == 0 && !c.hasSettings() { // a release comes under an entry that the base has for others
		change := report.PolicyChange{What: "waiver of " + e.waiver.Rule + " in spec.waivers", After: commentText(*e.waiver)}
		change.File, change.Line = c.now.Config.Place("spec", "waivers", "entries", e.waiver.Entry)
		return change
	}
	if len(e.waiver.Path) == 0 {
		return c.settingOf([]any{"waivers", "entries", e.waiver.Entry}, []any{"waivers"})
	}
	r, was := e.judged.Release, c.standing.was[keyOf(e.judged.Release)]
	if c.standing.vague[keyOf(e.judged.Release)] {
		was = nil
	}
	key, _ := e.waiver.Path[len(e.waiver.Path)-1].(string)
	if was != nil && reflect.DeepEqual(was.Annotations(key)[key], r.Annotations(key)[key]) {
		return c.settingOf([]any{"waivers", "annotations"}, []any{"waivers"})
	}
	return c.waiverChange(r, was, strings.TrimPrefix(key, rules.WaiverAnnotation))
}

// commentChange describes a waiver in a comment that the base does not have so, or not there.
func (c *comparison) commentChange(w rules.Waiver) report.PolicyChange {
	change := report.PolicyChange{What: "waiver of " + w.Rule + " in a comment", After: commentText(w), File: w.File, Line: w.Line}
	now := commentsOf(c.now.Tree.Comments)
	for _, was := range c.base.Tree.Comments {
		if was.Err == nil && was.File == w.File && was.Rule == w.Rule && now[commentKey(was)] < commentsOf(c.base.Tree.Comments)[commentKey(was)] {
			change.Before = commentText(was.Waiver)
		}
	}
	return change
}

func commentText(w rules.Waiver) string { return w.Until.String() + " " + w.Reason }

// waiverChange describes a waiver in an annotation of a release that was another one.
func (c *comparison) waiverChange(r, was *effective.Release, rule string) report.PolicyChange {
	annotation := rules.WaiverAnnotation + rule
	change := report.PolicyChange{What: "waiver of " + rule + " for " + r.ID().String()}
	change.After = text(r.MaskValue(r.Annotations(rules.WaiverAnnotation)[annotation]))
	at := r.Locate(release.Path{"metadata", "annotations", annotation})
	if was != nil {
		change.Before = text(was.MaskValue(was.Annotations(rules.WaiverAnnotation)[annotation]))
	}
	change.File, change.Line = at.File, at.Line
	return change
}

// tierChange returns what puts a release in another tier.
func (c *comparison) tierChange(e excuse) report.PolicyChange {
	return c.tierOf(e.judged.Release, e.as.Tier)
}

func (c *comparison) tierOf(r *effective.Release, before release.Tier) report.PolicyChange {
	config := c.base.Config
	configured := []string{"tiers", "defaultTier", "tierMarkers", "clusters"}
	if r.TierBy(config.Config, config.Dir()) == before {
		for _, name := range configured {
			if i := slices.IndexFunc(c.settings, func(s setting) bool { return s.is(name) }); i >= 0 {
				return c.settings[i].PolicyChange
			}
		}
	}
	change := report.PolicyChange{What: "tier", Before: string(before), After: fmt.Sprintf("%s by %s", r.Tier, r.TierFrom)}
	at, known := r.TierPlace()
	change.File, change.Line = at.File, at.Line
	if found, ok := findLine(c.lines.added(), entryDir(r), release.TierKey); !known && ok {
		change.File, change.Line = found.file, found.number
	} else if !known {
		change.File, change.Line = r.File, r.Line
	}
	return change
}

// controllerChange returns what puts a release under another controller.
func (c *comparison) controllerChange(e excuse) report.PolicyChange {
	return c.controllerOf(e.judged.Release, e.as.Controller)
}

func (c *comparison) controllerOf(r *effective.Release, before release.Controller) report.PolicyChange {
	config := c.base.Config
	configured := r.As(r.Tier, r.ControllerBy(config.Config, config.Dir(), r.ControllerFound()), rules.WaiverAnnotation, nil)
	if sameController(configured.Controller, before) {
		for _, s := range c.settings {
			if s.is("controller") || s.is("clusters") {
				return s.PolicyChange
			}
		}
	}
	change := report.PolicyChange{What: "helm-controller", Before: controllerText(before), After: controllerText(r.Controller), File: r.File, Line: r.Line}
	if r.Cluster != "" {
		change.What += " of cluster " + r.Cluster
	}
	if at, ok := c.controllerLine(entryDir(r), before, r.Controller); ok {
		change.File, change.Line = at.file, at.number
	}
	return change
}

// controllerLine returns the added line, or else the removed one, that names a gate, or else a version, that
// differs.
func (c *comparison) controllerLine(dir string, before, after release.Controller) (line, bool) {
	var words [][]string
	for _, name := range sortedKeys(release.KnownGates) {
		if before.Gates[name] != after.Gates[name] {
			words = append(words, []string{name})
		}
	}
	if before.Version != after.Version {
		words = append(words, []string{"helm-controller", after.Version}, []string{"helm-controller"}, []string{"version:"})
	}
	for _, among := range []func() []line{c.lines.added, c.lines.removed} {
		for _, all := range words {
			if at, ok := findLine(among(), dir, all...); ok {
				return at, true
			}
		}
	}
	return line{}, false
}

// controllerText describes a controller: "1.6.3 with DefaultToRetryOnFailure".
func controllerText(controller release.Controller) string {
	if gates := sortedKeys(on(controller.Gates)); len(gates) > 0 {
		return controller.Version + " with " + strings.Join(gates, ", ")
	}
	return controller.Version
}
