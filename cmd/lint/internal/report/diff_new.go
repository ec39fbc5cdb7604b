package report

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

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
	return withoutVersions(was.Reason) == withoutVersions(is.Reason)
}

// notBuilt stands in each reason of a build that fails.
const notBuilt = " cannot be built"

// versions match what names a version in an address, with what stands for it: parameters that say
// which one kustomize takes, a usual branch, the newest release, v1.2.3, 2.0, a hash.
var versions = sync.OnceValue(func() []versionOf {
	return []versionOf{
		{regexp.MustCompile(`[?&](ref|version|timeout|submodules)=[^&\s]*`), ""},
		{regexp.MustCompile(`/(refs/heads/)?(main|master|HEAD)/`), "/*/"},
		{regexp.MustCompile(`/refs/(heads|tags)/`), "/"},
		{regexp.MustCompile(`/releases/latest/download/`), "/releases/download/*/"},
		{regexp.MustCompile(`\bv?[0-9]+(\.[0-9]+)+([-+][0-9A-Za-z.-]+)?\b|\bv[0-9]+\b|\b[0-9a-f]{7,64}\b`), "*"},
	}
})

type versionOf struct {
	at *regexp.Regexp
	to string
}

func withoutVersions(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if isAddress(word) {
			at := origin().FindStringIndex(word)[1]
			rest := word[at:]
			for _, v := range versions() {
				rest = v.at.ReplaceAllString(rest, v.to)
			}
			words[i] = word[:at] + rest
		}
	}
	return strings.Join(words, " ")
}

// origin matches whose an address is: its host, and the owner of a repository. A version there is a name,
// and another one is somebody else's.
var origin = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\w+::)?(\w+://)?[^/?#]*(/+[^/?#:@]*)?`)
})

// isAddress reports whether a word is the address of something remote: with a scheme, a host
// before the first slash, or a user.
func isAddress(word string) bool {
	host, _, _ := strings.Cut(word, "/")
	return strings.Contains(word, "://") || strings.Contains(word, "@") || host != word && strings.Contains(strings.TrimLeft(host, "."), ".")
}

// rootOf returns what says why a release is undetermined, of a build that fails; nil if
// nothing does.
func rootOf(u release.Undetermined, all []release.Undetermined) *release.Undetermined {
	i := slices.IndexFunc(all, func(root release.Undetermined) bool {
		return u.Release != "" && root.Release == "" && strings.HasPrefix(root.Reason, u.Reason+": ") && (u.Cluster == "" || root.Cluster == u.Cluster)
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}
