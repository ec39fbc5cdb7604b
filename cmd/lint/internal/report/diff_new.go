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
//     has moved, or a build that fails for another reason;
//   - a release of a build that could not be built before either.
func newlyUndetermined(before, after []release.Undetermined) []release.Undetermined {
	known, gone := map[release.Undetermined]bool{}, map[release.Undetermined]int{}
	for _, u := range before {
		known[u.Identity()] = true
	}
	still := map[release.Undetermined]bool{}
	for _, u := range after {
		still[u.Identity()] = true
	}
	for _, u := range before {
		if !still[u.Identity()] {
			gone[likenessOf(u)]++
		}
	}
	out, old := []release.Undetermined{}, []release.Undetermined{}
	for _, u := range after {
		like := likenessOf(u)
		switch {
		case known[u.Identity()]:
			old = append(old, u)
		case gone[like] > 0:
			gone[like]--
			old = append(old, u)
		default:
			out = append(out, u)
		}
	}
	return slices.DeleteFunc(out, func(u release.Undetermined) bool { return rootOf(u, old) != nil })
}

// likenessOf returns what stays of something undetermined when its version changes, its
// file moves, or a build fails for another reason.
func likenessOf(u release.Undetermined) release.Undetermined {
	out := release.Undetermined{Release: u.Release, Cluster: u.Cluster, Reason: withoutVersions(u.Reason)}
	if head, _, fails := strings.Cut(u.Reason, notBuilt); fails {
		out.Reason = head + notBuilt
	}
	if u.Cluster == "" {
		out.File = path.Base(u.File)
	}
	return out
}

// notBuilt stands in each reason of a build that fails.
const notBuilt = " cannot be built"

// version matches what names a version in an address: v1.2.3, 2.0, a hash.
var version = regexp.MustCompile(`\bv?[0-9]+(\.[0-9]+)+([-+][0-9A-Za-z.-]+)?\b|\bv[0-9]+\b|\b[0-9a-f]{7,64}\b`)

// withoutVersions returns a text without the versions in the addresses in it.
func withoutVersions(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if isAddress(word) {
			at := origin().FindStringIndex(word)[1]
			words[i] = word[:at] + version.ReplaceAllString(word[at:], "*")
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
