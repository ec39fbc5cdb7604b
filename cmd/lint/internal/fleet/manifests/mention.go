package manifests

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// applies matches how a Kustomization names the folder that it applies, and lists an item of a kustomization.yaml, in
// a text that is no YAML.
var (
	applies = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bpath["']?:\s*["']?([^\s"',{}#]+)`) })
	lists   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|[\s\[,])(?:- *)?["']?([^\s"',\[\]{}#:]+)`) })
)

// filesBelow lists the manifests in a folder that is not the root.
func filesBelow(s *build.Source, dir string) (out []string) {
	for _, name := range s.Files().Paths() {
		if dir != "." && build.IsManifest(name) && strings.HasPrefix(name, dir+"/") {
			out = append(out, name)
		}
	}
	return out
}

// failMentioned records what a file of a failed build that cannot be read seems to name: the build may be of it.
func (c *Coverage) failMentioned(s *build.Source, name, reason string, inner func(name string) bool, mentioned map[string]bool) {
	if mentioned[name] {
		return
	}
	mentioned[name] = true
	named, below := applies(), ""
	if build.IsKustFile(name) {
		named, below = lists(), path.Dir(name)
	}
	for line := range strings.Lines(string(s.Files().File(name).Again())) {
		line, _, _ = strings.Cut(" "+line, " #")
		for _, m := range named.FindAllStringSubmatch(line, -1) {
			known, _, cut := strings.Cut(m[1], "$")
			at := object.CleanPath(path.Join(below, known))
			switch {
			case cut: // a variable
				c.failAll(s, &build.Walk{Files: filesBelow(s, path.Dir(object.CleanPath(path.Join(below, known+"x"))))}, reason, true, inner, mentioned)
			case at == "" || at == below:
			case s.IsDir(at):
				c.failAll(s, s.Walk(at, nil), reason, true, inner, mentioned)
			case s.Files().File(at) != nil && build.IsManifest(at):
				c.failAll(s, &build.Walk{Files: []string{at}}, reason, true, inner, mentioned)
			}
		}
	}
}
