package report

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

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
	var dirs []string
	n := map[string]int{}
	for _, u := range all {
		dir := path.Dir(filepath.ToSlash(u.File))
		if n[dir]++; n[dir] == 1 {
			dirs = append(dirs, dir)
		}
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return n[b] - n[a] })
	return fmt.Sprintf("%s applied by no cluster here: %s. --unapplied judges them.", unappliedCount(all),
		someOf(dirs, "folder", func(dir string) string { return fmt.Sprintf("%s (%d)", dir, n[dir]) }))
}

// unappliedCount counts releases, and what would apply some: "2 releases and 1 other object
// are".
func unappliedCount(all []release.Undetermined) string {
	releases := 0
	for _, u := range all {
		if u.Release != "" {
			releases++
		}
	}
	var parts []string
	if releases > 0 {
		parts = append(parts, count(releases, "release"))
	}
	if rest := len(all) - releases; rest > 0 {
		parts = append(parts, count(rest, "other object"))
	}
	if len(all) == 1 {
		return parts[0] + " is"
	}
	return strings.Join(parts, " and ") + " are"
}

// unappliedPlaces joins what no cluster applies by its place.
func unappliedPlaces(all []release.Undetermined) []release.Undetermined {
	var out []release.Undetermined
	names := []string{}
	end := func() {
		if len(names) > 0 {
			last := &out[len(out)-1]
			last.Reason = "applied by no cluster here: " + someOf(names, "release", func(name string) string { return name })
		}
		names = nil
	}
	for _, u := range all {
		if len(out) == 0 || out[len(out)-1].File != u.File || out[len(out)-1].Line != u.Line || u.Release == "" {
			end()
			out = append(out, release.Undetermined{File: u.File, Line: u.Line, Reason: u.Reason})
		}
		if u.Release != "" {
			names = append(names, u.Release)
		}
	}
	end()
	return out
}
