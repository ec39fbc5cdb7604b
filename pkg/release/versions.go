package release

import (
	"regexp"
	"strings"
	"sync"
)

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

// WithoutVersions returns a reason with the versions in its addresses alike, so that what is undetermined stays so for the
// same reason when a version changes.
func WithoutVersions(text string) string {
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
