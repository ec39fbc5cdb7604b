package rules

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Milder returns the rules that weigh less in some tier than in an engine of before, allow more or are gone: by their ids, in order.
func (e *Engine) Milder(before *Engine) (ids []string) {
	for _, was := range before.Rules() {
		rule, is := e.Rule(was.ID)
		if slices.ContainsFunc(release.Tiers, func(t release.Tier) bool {
			old, least := before.Severity(was, t), before.raised(was, t, min(was.Raise, 0))
			return old != Off && (!is || !e.Severity(rule, t).AtLeast(old) || !e.raised(rule, t, min(rule.Raise, 0)).AtLeast(least) || e.allowsMore(rule, before, was, t))
		}) {
			ids = append(ids, was.ID)
		}
	}
	return ids
}

// allowsMore reports whether a number of a rule lets more pass in a tier than one of before: a higher one, or a lower one whose name
// begins with min.
func (e *Engine) allowsMore(rule Rule, before *Engine, was Rule, tier release.Tier) bool {
	for name, param := range rule.Params {
		old := was.Params[name].number(before.Param(was, name, tier))
		now := param.number(e.Param(rule, name, tier))
		if strings.HasPrefix(name, "min") && now < old || !strings.HasPrefix(name, "min") && now > old {
			return true
		}
	}
	return false
}

// RaisedLaw reports whether the law allows more in some tier than that of an engine of before: more retries, or the
// uninstall of charts that it names no more.
func (e *Engine) RaisedLaw(before *Engine) bool {
	return slices.ContainsFunc(release.Tiers, func(t release.Tier) bool {
		was, is := before.Law(t), e.Law(t)
		return is.MaxRetries > was.MaxRetries || slices.ContainsFunc(was.StatefulCharts, func(chart string) bool { return !slices.Contains(is.StatefulCharts, chart) })
	})
}

// FurtherWaivers returns where spec.waivers accepts what that of a configuration of before does not: entries that no entry of
// it covers, by their rule, what they match and their last day, and limits that it sets and this one does not, or not as strictly; of two
// patterns of reasons it is not known which one is.
func (c *Config) FurtherWaivers(before *Config, now time.Time) (out []release.Path) {
	was, is := before.Spec.Waivers, c.Spec.Waivers
	for i, e := range is.Entries {
		if !e.Until.Over(now) && !slices.ContainsFunc(was.Entries, func(b WaiverEntry) bool { return b.covers(e) }) {
			out = append(out, release.Path{"waivers", "entries", i})
		}
	}
	for _, tier := range release.Tiers {
		if was.Annotations[tier] == "forbid" && is.Annotations[tier] != "forbid" {
			out = append(out, release.Path{"waivers", "annotations"})
		}
	}
	if was.MaxDays > 0 && (is.MaxDays == 0 || is.MaxDays > was.MaxDays) {
		out = append(out, release.Path{"waivers", "maxDays"})
	}
	if was.ReasonPattern != "" && is.ReasonPattern != was.ReasonPattern {
		out = append(out, release.Path{"waivers", "reasonPattern"})
	}
	return out
}

func (e WaiverEntry) covers(other WaiverEntry) bool {
	return e.Rule == other.Rule && !e.Until.midnight.Before(other.Until.midnight) && (e.Field == "" || e.Field == other.Field) &&
		covers(e.Namespace, other.Namespace) && covers(e.Name, other.Name) && covers(e.Cluster, other.Cluster) && covers(e.File, other.File)
}

// FurtherAccepted returns the entries of spec.undetermined.accept that accept what no entry of a configuration of before does.
func (c *Config) FurtherAccepted(before *Config, now time.Time) (out []int) {
	for i, e := range c.Spec.Undetermined.Accept {
		if !e.Until.Over(now) && !slices.ContainsFunc(before.Spec.Undetermined.Accept, func(b AcceptEntry) bool { return b.covers(e) }) {
			out = append(out, i)
		}
	}
	return out
}

// Prolongs reports whether an entry of spec.undetermined.accept accepts for longer what one of a configuration of before does.
func (c *Config) Prolongs(before *Config, i int) bool {
	e := c.Spec.Undetermined.Accept[i]
	return slices.ContainsFunc(before.Spec.Undetermined.Accept, func(b AcceptEntry) bool {
		if !b.Until.midnight.Before(e.Until.midnight) || !strings.Contains(b.Message, e.Message) && !strings.Contains(e.Message, b.Message) {
			return false
		}
		b.Until, b.Message = e.Until, ""
		return b.covers(e)
	})
}

func (a AcceptEntry) covers(other AcceptEntry) bool {
	releases := a.AllReleases()
	return a.Source == other.Source && !a.Until.midnight.Before(other.Until.midnight) && strings.Contains(other.Message, a.Message) &&
		allCovered(a.AllPaths(), other.AllPaths()) &&
		(len(releases) == 0 || len(other.AllReleases()) > 0 && !slices.ContainsFunc(other.AllReleases(), func(r string) bool { return !slices.Contains(releases, r) }))
}

// Narrow reports whether an entry names what it accepts: why it is not judged, and where, without globs.
func (a AcceptEntry) Narrow() bool {
	return a.Message != "" && !slices.ContainsFunc(a.AllPaths(), func(glob string) bool { return isGlob(escapes.Replace(glob)) })
}

// escapes are the signs of globs that stand for themselves.
var escapes = strings.NewReplacer(`\\`, "", `\*`, "", `\?`, "", `\[`, "", `\]`, "", `\{`, "", `\}`, "")

// NamesClusters reports whether a rule is of clusters alone, by their names.
func (r TierRule) NamesClusters() bool {
	return len(r.Paths)+len(r.Namespaces) == 0 && !slices.ContainsFunc(r.Clusters, func(glob string) bool { return isGlob(escapes.Replace(glob)) })
}

// FurtherIgnored returns the globs of spec.ignore that no glob of a configuration of before covers.
func (c *Config) FurtherIgnored(before *Config) (out []release.Path) {
	for i, glob := range c.Spec.Ignore {
		if !allCovered(before.Spec.Ignore, []string{glob}) || len(before.Spec.Ignore) == 0 {
			out = append(out, release.Path{"ignore", i})
		}
	}
	return out
}

// Seen returns the configuration of a folder as another folder would have it: with globs of paths from there.
func (c *Config) Seen(folder, from string) (*Config, error) {
	raw, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	seen := &Config{}
	if err := json.Unmarshal(raw, seen); err != nil {
		return nil, err
	}
	seen.Spec.eachGlob(func(of GlobOf, glob *string, _ ...any) {
		if rel, err := filepath.Rel(from, filepath.Join(folder, *glob)); err == nil && of.isPath() && *glob != "" {
			*glob = filepath.ToSlash(rel)
		}
	})
	return seen, nil
}

// covers reports whether a glob, or none, surely matches all that another one does, or none: without folders for **, with one
// and with more than it names.
func covers(glob, other string) bool {
	switch {
	case glob == "" || glob == other:
		return true
	case other == "" || strings.ContainsAny(other, `[{\`) || isGlob(other) && strings.ContainsAny(glob, `?[{\`):
		return false
	}
	none, one := strings.TrimSuffix(strings.ReplaceAll(other, "**/", ""), "/**"), strings.ReplaceAll(other, "**", "*")
	many := strings.ReplaceAll(other, "**", "*"+strings.Repeat("/*", len(glob)))
	return globOrAny(glob, none) && globOrAny(glob, one) && globOrAny(glob, many)
}

func isGlob(text string) bool { return strings.ContainsAny(text, `*?[{\`) }

// MilderTiers returns what may put a release in a milder tier than a configuration of before: entries of a milder tier that no
// entry of it covers, or that come before a stricter one, and stricter entries that are gone.
func (c *Config) MilderTiers(before *Config) (out []release.Path) {
	was, is := before.Spec.Tiers, c.Spec.Tiers
	kept := func(b TierRule, among []TierRule) bool {
		return slices.ContainsFunc(among, func(r TierRule) bool { return !milder(r.Tier, b.Tier) && r.covers(b.Match) })
	}
	for i, r := range is {
		at := slices.IndexFunc(was, func(b TierRule) bool { return !milder(r.Tier, b.Tier) && b.covers(r.Match) })
		passed := slices.ContainsFunc(was[:max(at, 0)], func(b TierRule) bool { return milder(r.Tier, b.Tier) && !kept(b, is[:i]) })
		if milder(r.Tier, release.Production) && (at < 0 || passed) {
			out = append(out, release.Path{"tiers", i})
		}
	}
	for _, b := range was {
		if milder(release.Development, b.Tier) && !kept(b, is) {
			out = append(out, release.Path{"tiers"})
		}
	}
	for _, declared := range slices.Concat(c.Spec.Clusters, before.Spec.Clusters) {
		if declared.Tier != "" && milder(c.tierIn(declared.Name), before.tierIn(declared.Name)) {
			out = append(out, release.Path{"clusters"})
		}
	}
	if milder(c.DefaultTier(), before.DefaultTier()) {
		out = append(out, release.Path{"defaultTier"})
	}
	if c.Spec.TierMarkers == release.AllowMarkers && before.Spec.TierMarkers != release.AllowMarkers {
		out = append(out, release.Path{"tierMarkers"})
	}
	return out
}

func milder(tier, than release.Tier) bool {
	return slices.Index(release.Tiers, tier) > slices.Index(release.Tiers, than)
}

// tierIn returns the tier of a release of which nothing is known but its cluster.
func (c *Config) tierIn(cluster string) release.Tier {
	return release.TierOf(c.Evidence(release.Evidence{Cluster: release.Cluster{Name: cluster}}, Place{Cluster: cluster})).Tier
}

// covers reports whether it surely matches all places that another one does.
func (m Match) covers(other Match) bool {
	return allCovered(m.Paths, other.Paths) && allCovered(m.Namespaces, other.Namespaces) && allCovered(m.Clusters, other.Clusters)
}

// allCovered reports whether some globs, or none, surely match all that others do, or none.
func allCovered(globs, others []string) bool {
	return len(globs) == 0 || len(others) > 0 && !slices.ContainsFunc(others, func(other string) bool {
		return !slices.ContainsFunc(globs, func(glob string) bool { return covers(glob, other) })
	})
}
