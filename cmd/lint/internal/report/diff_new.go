package report

import (
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// newlyUndetermined leaves out what was as unknown before, wherever it stood:
//
//   - the same reason, also in another file if the cluster is known;
//   - in the place of one that is gone, the same thing with another version, in a file that
//     has moved, or a build that fails for another reason or under another name;
//   - a release of a build that could not be built before either.
func newlyUndetermined(before, after []release.Undetermined) []release.Undetermined {
	known := map[release.Undetermined]bool{}
	for _, u := range before {
		known[u.Identity()] = true
	}
	still := map[release.Undetermined]bool{}
	for _, u := range after {
		still[u.Identity()] = true
	}
	gone := slices.DeleteFunc(slices.Clone(before), func(u release.Undetermined) bool { return still[u.Identity()] })
	out, old := []release.Undetermined{}, []release.Undetermined{}
	for _, u := range after {
		if known[u.Identity()] {
			old = append(old, u)
		} else if i := slices.IndexFunc(gone, func(was release.Undetermined) bool { return asUnknown(was, u) }); i >= 0 {
			old, gone = append(old, u), slices.Delete(gone, i, i+1)
		} else {
			out = append(out, u)
		}
	}
	return slices.DeleteFunc(out, func(u release.Undetermined) bool { return rootOf(u, old) != nil })
}

// edited returns those of what no cluster applies that are not new, and made of something else than before.
func edited(before, after, added []release.Undetermined) []release.Undetermined {
	type version struct{ release, content string }
	known := map[version]bool{}
	for _, u := range before {
		known[version{u.Release, u.Content}] = true
	}
	return slices.DeleteFunc(slices.Clone(after), func(u release.Undetermined) bool {
		return u.Content == "" || known[version{u.Release, u.Content}] || slices.Contains(added, u)
	})
}

// underNewNames returns what is undetermined in clusters under the names that these have now. Renamed holds the
// former name of each that has another one.
func underNewNames(all []release.Undetermined, renamed map[string]string) []release.Undetermined {
	out := slices.Clone(all)
	for now, was := range renamed {
		for i, u := range all {
			if u.Cluster == was {
				out[i].Cluster = now
			}
		}
	}
	return out
}

// asUnknown reports whether one thing is as undetermined as another was: the version differs, the file has moved,
// or a build fails for another reason or, where no source is missing, has another name.
func asUnknown(was, is release.Undetermined) bool {
	if was.Release != is.Release || was.Cluster != is.Cluster || was.Cluster == "" && path.Base(was.File) != path.Base(is.File) {
		return false
	}
	name, reason, failed := strings.Cut(was.Reason, notBuilt)
	now, why, fails := strings.Cut(is.Reason, notBuilt)
	if failed && fails {
		return name == now || reason == why && reason != "" && is.Source == ""
	}
	return release.WithoutVersions(was.Reason) == release.WithoutVersions(is.Reason)
}

// notBuilt stands in each reason of a build that fails.
const notBuilt = " cannot be built"

// rootOf returns what says why a release is undetermined, at the place of the Kustomization that is to blame; nil if
// nothing does.
func rootOf(u release.Undetermined, all []release.Undetermined) *release.Undetermined {
	i := slices.IndexFunc(all, func(root release.Undetermined) bool {
		return u.Release != "" && root.Release == "" && strings.HasPrefix(root.Reason+": ", u.Reason+": ") && (u.Cluster == "" || root.Cluster == u.Cluster)
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}
