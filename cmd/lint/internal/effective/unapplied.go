package effective

import (
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
)

const noCluster = "no cluster here applies it"

// leftover adds what a cluster would apply that nothing applies.
func (l *loader) leftover(c *fleet.Resolved) {
	for _, applied := range c.Releases {
		chain := applied.By.Chain()
		outermost := chain[len(chain)-1]
		r := &Release{origins: origins{table: l.opts.Builder.Table}}
		l.own(r, applied)
		content := hashOf(variables.UnmarkAll(trace.Without(applied.Object)))
		l.unapplied(release.Undetermined{
			File: outermost.File, Line: outermost.Line, Release: object.FullName(applied.Object), Reason: noCluster, Content: l.compared(content),
			Elsewhere: l.elsewhere[document{r.File, r.Line, content}],
		}, outermost.File, r.File)
	}
	for _, u := range c.Failed {
		u.Cluster, u.Reason = "", u.Reason+"; "+noCluster
		l.unapplied(u, u.File)
	}
}

// document is where an object is written, and a hash of what it is in a cluster.
type document struct {
	file    string
	line    int
	content string
}

// hashOf returns a hash of an object; empty if it has none.
func hashOf(obj any) string {
	text, err := json.Marshal(obj)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return string(sum[:])
}

// compared returns the hash of an object; empty if nothing is compared.
func (l *loader) compared(hash string) string {
	if l.opts.Lean {
		return ""
	}
	return hash
}

// accepts reports whether the configuration accepts what is not applied.
func (l *loader) accepts(u release.Undetermined) bool {
	rel, _ := l.relative(u.File)
	return l.tree.accepted(l.told(u), l.opts.ConfigPath(u.File, rel)).Accepted != ""
}

// unapplied adds what no cluster applies, if one of its files is asked for.
func (l *loader) unapplied(u release.Undetermined, files ...string) {
	asked := slices.ContainsFunc(files, func(file string) bool {
		rel, inside := l.relative(file)
		return (inside || l.in.Below == "") && l.inBelow(rel) && !l.opts.Config.Ignores(l.opts.ConfigPath(file, rel))
	})
	if asked && l.opts.Wants("") {
		rel, _ := l.relative(u.File)
		l.tree.Unapplied = append(l.tree.Unapplied, l.tree.accepted(l.told(u), l.opts.ConfigPath(u.File, rel)))
	}
}
