package report

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

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
	dirs := byFrequency(words.Of(all, func(u release.Undetermined) string { return path.Dir(filepath.ToSlash(u.File)) }))
	folders := words.Of(dirs, func(of []string) string { return fmt.Sprintf("%s (%d)", of[0], len(of)) })
	then := "--unapplied judges them"
	if undecided(all) > 0 {
		then += "; --strict fails on them"
	}
	return fmt.Sprintf("%s not applied by any cluster in this repository: %s. %s.", unappliedCount(all), words.First(folders, some, "folder"), then)
}

// unappliedCount counts releases, and what would apply some: "2 releases and 1 other object
// are".
func unappliedCount(all []release.Undetermined) string {
	releases := count(all, func(u release.Undetermined) bool { return u.Release != "" })
	var parts []string
	if releases > 0 {
		parts = append(parts, words.Count(releases, "release"))
	}
	if rest := len(all) - releases; rest > 0 {
		parts = append(parts, words.Count(rest, "other object"))
	}
	if len(all) == 1 {
		return parts[0] + " is"
	}
	return strings.Join(parts, " and ") + " are"
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
		u := release.Undetermined{File: g[0].File, Line: g[0].Line, Reason: g[0].Reason}
		if g[0].Release != "" {
			u.Reason = "not applied by any cluster in this repository: " + words.First(words.Of(g, func(u release.Undetermined) string { return u.Release }), some, "release")
		}
		return u
	})
}
