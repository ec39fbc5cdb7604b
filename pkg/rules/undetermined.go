package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// UndeterminedConfig is what becomes of releases that cannot be judged from the
// tree.
type UndeterminedConfig struct {
	// Accept lists what need not be judged, for a reason and a time. What no
	// entry accepts fails a strict run, and a change that brings it to production.
	Accept []AcceptEntry `json:"accept,omitempty"`
}

// AcceptEntry accepts that something is not judged: what is in a file, or what
// needs a Flux source that is not in the tree. It has a path or a source, and
// should have a message, so that it does not hide what becomes undetermined later.
type AcceptEntry struct {
	// Path is a glob of the file's path relative to the root.
	Path string `json:"path,omitempty"`
	// Paths are several of them.
	Paths []string `json:"paths,omitempty"`
	// Source is the Flux source, as KIND/NAMESPACE/NAME.
	Source string `json:"source,omitempty"`
	// Release is namespace/name of the release that it is about. Without one, it is of any, and of what is of none.
	Release string `json:"release,omitempty"`
	// Releases are several of them.
	Releases []string `json:"releases,omitempty"`
	// Message is a part of what reports say of it: why it is not judged. Versions in addresses may
	// change. Without one, all that is undetermined there is accepted, for whatever reason.
	Message string `json:"message,omitempty"`
	// Reason says why it is accepted.
	Reason string `json:"reason"`
	// Until is the last day on which it is, YYYY-MM-DD in UTC.
	Until Date `json:"until"`
}

// Accepts returns the acceptances that match something undetermined, by their
// places in spec.undetermined.accept, and which of them is the first that has
// not expired: -1 if none is. The path is relative to the root.
func (c *Config) Accepts(u release.Undetermined, path string, now time.Time) (matching []int, valid int) {
	valid = -1
	for i, entry := range c.Spec.Undetermined.Accept {
		if !entry.matches(u, path) {
			continue
		}
		matching = append(matching, i)
		if valid < 0 && !entry.Until.Over(now) {
			valid = i
		}
	}
	return matching, valid
}

func (a AcceptEntry) matches(u release.Undetermined, path string) bool {
	if a.Source != "" && a.Source != u.Source || a.Source == "" && !matchAny(a.AllPaths(), path) {
		return false
	}
	if releases := a.AllReleases(); len(releases) > 0 && !slices.Contains(releases, u.Release) {
		return false
	}
	return strings.Contains(u.Reason, a.Message) || strings.Contains(release.WithoutVersions(u.Reason), release.WithoutVersions(a.Message))
}

// Members returns the items of its lists that match something undetermined, as paths[1] and releases[0].
func (a AcceptEntry) Members(u release.Undetermined, path string) (all []string) {
	for i, glob := range a.Paths {
		if matchAny([]string{glob}, path) {
			all = append(all, fmt.Sprintf("paths[%d]", i))
		}
	}
	for i, name := range a.Releases {
		if name == u.Release {
			all = append(all, fmt.Sprintf("releases[%d]", i))
		}
	}
	return all
}

// AllPaths returns its globs.
func (a AcceptEntry) AllPaths() []string { return with(a.Paths, a.Path) }

// AllReleases returns the names of its releases; none are any.
func (a AcceptEntry) AllReleases() []string { return with(a.Releases, a.Release) }

// with returns several texts and one that may be empty.
func with(several []string, one string) []string {
	if one == "" {
		return several
	}
	return append([]string{one}, several...)
}

func (a AcceptEntry) validate() error {
	var errs []error
	switch paths := a.AllPaths(); {
	case len(paths) == 0 && a.Source == "":
		errs = append(errs, errors.New("accepts nothing: give path, paths or source"))
	case len(paths) > 0 && a.Source != "":
		errs = append(errs, errors.New("has path and source: give one, and another entry for the other"))
	case len(paths) > 0:
		errs = append(errs, validGlobs(paths))
	case a.Source != "" && strings.Count(a.Source, "/") != 2:
		errs = append(errs, errors.New("source "+a.Source+": want KIND/NAMESPACE/NAME, as GitRepository/flux-system/apps"))
	}
	if a.Until == (Date{}) {
		errs = append(errs, errors.New("until is missing: it is accepted until a day, YYYY-MM-DD"))
	}
	if strings.TrimSpace(a.Reason) == "" {
		errs = append(errs, errors.New("reason is missing"))
	}
	return errors.Join(errs...)
}
