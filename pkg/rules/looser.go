package rules

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Milder returns the rules that weigh less in some tier, or are gone, than in an engine of before: by their ids, in order.
func (e *Engine) Milder(before *Engine) (ids []string) {
	for _, was := range before.Rules() {
		rule, is := e.Rule(was.ID)
		if slices.ContainsFunc(release.Tiers, func(t release.Tier) bool {
			old := before.Severity(was, t)
			return old != Off && (!is || !e.Severity(rule, t).AtLeast(old))
		}) {
			ids = append(ids, was.ID)
		}
	}
	return ids
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
// it covers, by their rule, what they match and their last day, and limits that it sets and this one does not, or not as strictly.
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
	if was.ReasonPattern != "" && is.ReasonPattern == "" {
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

func (a AcceptEntry) covers(other AcceptEntry) bool {
	paths, releases := a.AllPaths(), a.AllReleases()
	return a.Source == other.Source && !a.Until.midnight.Before(other.Until.midnight) && strings.Contains(other.Message, a.Message) &&
		!slices.ContainsFunc(other.AllPaths(), func(p string) bool {
			return !slices.ContainsFunc(paths, func(glob string) bool { return covers(glob, p) })
		}) &&
		(len(releases) == 0 || len(other.AllReleases()) > 0 && !slices.ContainsFunc(other.AllReleases(), func(r string) bool { return !slices.Contains(releases, r) }))
}

// Narrow reports whether an entry names what it accepts: why it is not judged, and where, without globs.
func (a AcceptEntry) Narrow() bool {
	return a.Message != "" && !slices.ContainsFunc(a.AllPaths(), isGlob)
}

// covers reports whether a glob, or none, surely matches all that another one does, or none.
func covers(glob, other string) bool {
	switch {
	case glob == "" || glob == other:
		return true
	case other == "" || isGlob(other) && strings.ContainsAny(glob, `?[{\`):
		return false
	}
	return matchAny([]string{glob}, strings.ReplaceAll(other, "**", "*/*"))
}

func isGlob(text string) bool { return strings.ContainsAny(text, `*?[{\`) }

// MilderTiers returns where a place that spec.tiers or spec.clusters may match is in a milder tier than by a configuration of
// before: a place for each of their globs and, by defaultTier, one that nothing matches. What is there already is known of the
// tree, and of no interest here.
func (c *Config) MilderTiers(before *Config, there func(Place) bool) (out []release.Path) {
	milder := func(place Place) bool {
		return !there(place) && slices.Index(release.Tiers, c.tierAt(place)) > slices.Index(release.Tiers, before.tierAt(place))
	}
	for _, all := range [][]TierRule{c.Spec.Tiers, before.Spec.Tiers} {
		for _, rule := range all {
			if slices.ContainsFunc(rule.places(), milder) {
				out = append(out, release.Path{"tiers"})
			}
		}
	}
	for _, declared := range slices.Concat(c.Spec.Clusters, before.Spec.Clusters) {
		if declared.Tier != "" && milder(Place{Cluster: declared.Name}) {
			out = append(out, release.Path{"clusters"})
		}
	}
	if slices.Index(release.Tiers, c.DefaultTier()) > slices.Index(release.Tiers, before.DefaultTier()) {
		out = append(out, release.Path{"defaultTier"})
	}
	if c.Spec.TierMarkers == release.AllowMarkers && before.Spec.TierMarkers != release.AllowMarkers {
		out = append(out, release.Path{"tierMarkers"})
	}
	return out
}

// tierAt returns the tier of a release of which nothing is known but where it is.
func (c *Config) tierAt(place Place) release.Tier {
	e := release.Evidence{Object: map[string]any{"metadata": map[string]any{"namespace": place.Namespace}}, Cluster: release.Cluster{Name: place.Cluster}}
	return release.TierOf(c.Evidence(e, place)).Tier
}

// places returns a place for each glob that it has, which it matches.
func (m Match) places() (out []Place) {
	one := func(globs []string, i int) string {
		if len(globs) == 0 {
			return ""
		}
		return matchedBy(globs[min(i, len(globs)-1)])
	}
	for i := range max(len(m.Paths), len(m.Namespaces), len(m.Clusters)) {
		if place := (Place{one(m.Paths, i), one(m.Namespaces, i), one(m.Clusters, i)}); m.matches(place) {
			out = append(out, place)
		}
	}
	return out
}

var globSigns = regexp.MustCompile(`\*+|\?|\[([^\]])[^\]]*\]|\{([^,}]*)[^}]*\}`)

// matchedBy returns a text that a glob matches; of sets that are left out, perhaps not.
func matchedBy(glob string) string {
	return globSigns.ReplaceAllStringFunc(glob, func(sign string) string {
		switch sign[0] {
		case '*':
			return "any"
		case '?':
			return "a"
		}
		return globSigns.ReplaceAllString(sign, "$1$2")
	})
}
