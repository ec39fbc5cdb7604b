package report

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"

	"golang.org/x/mod/semver"
)

// mostRemarks is how many facts of one kind are remarked upon for people; JSON has all.
const mostRemarks = 8

// remarks say for people what verdicts rest on that a reader would not expect: which
// releases Flux does not apply, which are not judged as production, and why, which markers are not followed, and
// which controllers, of all that act on them, are assumed.
func remarks(releases []Release, by []HelmController) []string {
	var ignored, blocked, alerted []string
	from := map[release.Tier][]string{}
	for _, r := range releases {
		if r.TierFrom != "" {
			from[r.Tier] = append(from[r.Tier], r.TierFrom)
		}
		if r.BlockedBy != "" {
			blocked = append(blocked, " not applied as written here: "+r.BlockedBy)
		}
		if r.AlertedBy != "" {
			alerted = append(alerted, " without an Alert of Flux, but with one on metrics: "+r.AlertedBy)
		}
		if r.TierIgnored != "" {
			ignored = append(ignored, ": "+r.TierIgnored)
		}
	}
	return slices.Concat(remarksOf(blocked), lowered(release.Staging, from), lowered(release.Development, from),
		remarksOf(ignored), remarksOf(alerted), controllerRemarks(by))
}

// byFrequency joins equal texts, the most frequent first.
func byFrequency(all []string) [][]string {
	out := words.Alike[[]string](all, strings.Clone)
	slices.SortStableFunc(out, func(a, b []string) int { return len(b) - len(a) })
	return out
}

// lowered says in a line what makes releases less than production.
func lowered(tier release.Tier, from map[release.Tier][]string) []string {
	reasons := byFrequency(from[tier])
	if len(reasons) == 0 {
		return nil
	}
	parts := words.Of(reasons, func(of []string) string {
		if len(reasons) == 1 {
			return of[0]
		}
		return fmt.Sprintf("%s (%d)", of[0], len(of))
	})
	line := fmt.Sprintf("%s judged as %s: %s", words.Count(len(from[tier]), "release"), tier, words.First(parts, mostNames, ""))
	if len(parts) > mostNames+1 {
		line += ": see tierFrom in the JSON report"
	}
	return []string{line}
}

// remarksOf counts the releases of each text in a line.
func remarksOf(all []string) []string {
	var out []string
	rest := 0
	for i, of := range byFrequency(all) {
		if i < mostRemarks {
			out = append(out, words.Count(len(of), "release")+of[0])
		} else {
			rest += len(of)
		}
	}
	if rest > 0 {
		out = append(out, words.Count(rest, "release")+" more of this kind: see tierIgnored and blockedBy in the JSON report")
	}
	return out
}

// controllerRemarks say which versions are assumed, and what contradicts.
func controllerRemarks(all []HelmController) []string {
	type remark struct{ text, cluster string }
	var remarks []remark
	for _, c := range all {
		if !c.Known {
			minor := strings.TrimPrefix(semver.MajorMinor("v"+c.Version), "v")
			remarks = append(remarks, remark{"assuming helm-controller " + minor + ".x%s: " + c.reason() + "; spec.controller.version sets it", c.Cluster})
		}
		if c.Known && !(release.Controller{Version: c.Version}).Modelled() {
			remarks = append(remarks, remark{"forecasts follow helm-controller 0.37: " + c.Version + "%s sets no condition Stalled, read it as no retries left", c.Cluster})
		}
		for _, note := range c.Notes {
			remarks = append(remarks, remark{"controller%s: " + note, c.Cluster})
		}
	}
	return words.Of(words.Alike[[]remark](remarks, func(r remark) string { return r.text }), func(of []remark) string {
		return strings.Replace(of[0].text, "%s", inClusters(words.Of(of, func(r remark) string { return r.cluster })), 1)
	})
}

func (c HelmController) reason() string {
	if c.From == "" {
		return "no version of Flux was found"
	}
	return c.From
}

// inClusters names some clusters, for the middle of a sentence; those without a name are
// left out.
func inClusters(all []string) string {
	const most = 5
	all = union(all, nil)
	switch {
	case len(all) == 0:
		return ""
	case len(all) == 1 || all[0] == "":
		return words.InCluster(all[0])
	}
	return " in clusters " + words.First(all, most, "")
}

// asWritten says that no cluster is known to apply what was judged. What has the name of a cluster
// was built from a Kustomization or a folder that nothing in the repository applies.
func asWritten(releases []Release) string {
	if slices.ContainsFunc(releases, func(r Release) bool { return r.Cluster != "" }) {
		return "no entry of a cluster was found in this repository: each folder or Kustomization that nothing applies was judged as a cluster"
	}
	return "no cluster entry found in this repository: releases were judged as they are written"
}

// unapplied says how many releases no cluster applies, and in which folders; "" if
// there are none.
func unapplied(all []release.Undetermined) string {
	if len(all) == 0 {
		return ""
	}
	then := "--unapplied judges them"
	if undecided(all) > 0 {
		then += "; --strict fails on them"
	}
	return fmt.Sprintf("%s not applied by any cluster in this repository: %s. %s.", isOrAre(all), folders(all), then)
}

// folders counts by folder: "apps/old (2, which a cluster has by another entry), apps/tests (1)".
func folders(all []release.Undetermined) string {
	elsewhere := map[string]int{}
	dirs := byFrequency(words.Of(all, func(u release.Undetermined) string {
		dir := path.Dir(filepath.ToSlash(u.File))
		if u.Elsewhere {
			elsewhere[dir]++
		}
		return dir
	}))
	return words.First(words.Of(dirs, func(of []string) string {
		text, n := fmt.Sprintf("%s (%d", of[0], len(of)), elsewhere[of[0]]
		switch {
		case n == len(of):
			text += ", which a cluster has by another entry"
		case n > 0:
			text += fmt.Sprintf(", %d of which a cluster has by another entry", n)
		}
		return text + ")"
	}), some, "folder")
}

// passedOver says what of a change is not judged, because no cluster applies it; in no line if there is nothing.
func passedOver(all []release.Undetermined) []string {
	if len(all) == 0 {
		return nil
	}
	were, them := "were", "them"
	if len(all) == 1 {
		were, them = "was", "it"
	}
	return []string{fmt.Sprintf("%s of this change %s not judged, as no cluster in this repository applies %s: %s. --unapplied judges %s.", unappliedCount(all), were, them, folders(all), them)}
}

// unappliedCount counts releases, and what would apply some: "2 releases and 1 other object".
func unappliedCount(all []release.Undetermined) string {
	releases := count(all, func(u release.Undetermined) bool { return u.Release != "" })
	var parts []string
	if releases > 0 {
		parts = append(parts, words.Count(releases, "release"))
	}
	switch rest := len(all) - releases; {
	case releases == 0:
		parts = append(parts, words.Count(rest, "object"))
	case rest > 0:
		parts = append(parts, words.Count(rest, "other object"))
	}
	return strings.Join(parts, " and ")
}

func isOrAre(all []release.Undetermined) string {
	if len(all) == 1 {
		return unappliedCount(all) + " is"
	}
	return unappliedCount(all) + " are"
}

// unappliedPlaces joins what no cluster applies by its place.
func unappliedPlaces(all []release.Undetermined) []release.Undetermined {
	type key struct {
		file, reason string
		line         int
	}
	return words.Of(words.Alike[gap](all, func(u release.Undetermined) key {
		if u.Release != "" {
			return key{u.File, "", u.Line}
		}
		return key{u.File, u.Reason, u.Line}
	}), func(g gap) release.Undetermined {
		u := release.Undetermined{File: g[0].File, Line: g[0].Line, Reason: g[0].Text()}
		if g[0].Release != "" {
			u.Reason = "not applied by any cluster in this repository: " + words.First(words.Of(g, func(u release.Undetermined) string { return u.Release }), some, "release")
		}
		return u
	})
}
