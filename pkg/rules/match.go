package rules

import (
	"errors"
	"fmt"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
)

// Match selects releases; each list that is given must have a glob that
// matches, and ** crosses folders.
type Match struct {
	// Paths are globs of the file's path relative to the root.
	Paths []string `json:"paths,omitempty"`
	// Namespaces are globs of the release's namespace.
	Namespaces []string `json:"namespaces,omitempty"`
	// Clusters are globs of the name of the cluster that applies the release.
	Clusters []string `json:"clusters,omitempty"`
}

// Place is where a release is, for matching. Path is relative to the root, with
// slashes; empty fields match no glob.
type Place struct{ Path, Namespace, Cluster string }

func (m Match) matches(place Place) bool {
	return (len(m.Paths) == 0 || matchAny(m.Paths, place.Path)) &&
		(len(m.Namespaces) == 0 || matchAny(m.Namespaces, place.Namespace)) &&
		(len(m.Clusters) == 0 || matchAny(m.Clusters, place.Cluster))
}

func matchAny(globs []string, s string) bool {
	return s != "" && slices.ContainsFunc(globs, func(glob string) bool {
		return doublestar.MatchUnvalidated(glob, s)
	})
}

func (m Match) validate() error {
	if len(m.Paths)+len(m.Namespaces)+len(m.Clusters) == 0 {
		return errors.New("matches nothing: give paths, namespaces or clusters")
	}
	return validGlobs(m.Paths, m.Namespaces, m.Clusters)
}

func validGlobs(lists ...[]string) error {
	for _, glob := range slices.Concat(lists...) {
		if !doublestar.ValidatePattern(glob) {
			return fmt.Errorf("%q is no valid glob", glob)
		}
	}
	return nil
}

func globOrAny(glob, s string) bool {
	return glob == "" || matchAny([]string{glob}, s)
}
