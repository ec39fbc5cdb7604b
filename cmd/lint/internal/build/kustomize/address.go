package kustomize

import (
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// IsAddress reports whether an entry of a generator is to be fetched. All others
// are files, whatever they look like.
// Source: sigs.k8s.io/kustomize/api, internal/loader/fileloader.go.
func IsAddress(entry string) bool {
	if key, file, ok := strings.Cut(entry, "="); ok && !strings.ContainsAny(key, ":/?") {
		entry = file
	}
	u, err := url.Parse(entry)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// IsRemote reports whether an entry of a kustomization.yaml names something to
// be fetched from the network. Everything that kustomize would fetch is remote.
func IsRemote(entry string) bool {
	return entry != "" && !path.IsAbs(entry) && (!IsLocalPath(entry) ||
		strings.Contains(entry, "://") || strings.Contains(entry, "?ref=") ||
		strings.Contains(entry, ".git//") || strings.HasSuffix(entry, ".git") || userAt().MatchString(entry))
}

var userAt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\w.-]+@[\w.-]+[:/]`) })

// remotePrefixes are what kustomize takes for the beginning of an address.
// Source: sigs.k8s.io/kustomize/api, internal/git/repospec.go.
var remotePrefixes = []string{"git::", "gh:", "ssh://", "https://", "http://", "git@", "github.com:", "github.com/"}

// IsLocalPath reports whether Flux takes a path for local and relative.
// Source: github.com/fluxcd/pkg/kustomize, IsLocalRelativePath.
func IsLocalPath(name string) bool {
	lower := strings.ToLower(name)
	remote := slices.ContainsFunc(remotePrefixes, func(prefix string) bool {
		return len(prefix) < len(name) && strings.HasPrefix(lower, prefix)
	})
	return !remote && !filepath.IsAbs(name) && !filepath.IsAbs(strings.TrimPrefix(lower, "file://"))
}
