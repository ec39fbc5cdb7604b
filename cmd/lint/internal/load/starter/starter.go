// Package starter writes the first configuration of a tree. It lists the
// clusters with the tier that each has without a configuration.
package starter

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/template"

	_ "embed"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

//go:embed config.yaml.tmpl
var text string

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New(rules.ConfigFile).Funcs(template.FuncMap{"line": plain.Line}).Parse(text))
})

// Configuration is what a first configuration is written from.
type Configuration struct {
	Clusters []cluster
	// Elsewhere are the folders of clusters whose entries are not in the tree, by their names.
	Elsewhere map[string]string
	// Unjudged are the clusters of which no release could be judged.
	Unjudged []string
	Version  string // of the helm-controller that is assumed
	// Baseline is the file of what is found; empty if nothing is.
	Baseline string
	// Accept are entries of spec.undetermined.accept.
	Accept accepted

	found, judged string // for people
}

// Of returns the configuration that changes nothing for a tree, which was judged without one, but
// for what it knows.
func Of(run *judge.Run, result report.Report) Configuration {
	c := Configuration{Clusters: clustersOf(run.Tree), Elsewhere: run.Tree.Elsewhere(), Version: release.DefaultControllerVersion, Accept: acceptedOf(run), found: result.Found(), judged: result.JudgedBy()}
	c.Unjudged = slices.DeleteFunc(run.Tree.Entered(), func(name string) bool {
		return slices.ContainsFunc(c.Clusters, func(known cluster) bool { return known.Name == name })
	})
	if result.Worst(rules.Info) > 0 {
		c.Baseline = judge.BaselineName
	}
	return c
}

// Write writes the configuration as YAML with comments.
func (c Configuration) Write(w io.Writer) error { return page().Execute(w, c) }

// Summary says what was found, and what is to be looked at.
func (c Configuration) Summary() []string {
	applied, assumed := 0, 0
	for _, found := range c.Clusters {
		if found.Applied {
			applied++
		}
		if found.assumed() {
			assumed++
		}
	}
	wrote, where := fmt.Sprintf("wrote %s: %s", rules.ConfigFile, words.Count(applied, "cluster")), ""
	switch {
	case len(c.Unjudged) > 0 && applied > 0:
		wrote += ", and " + c.OfUnjudged()
	case len(c.Unjudged) > 0:
		wrote = fmt.Sprintf("wrote %s: %s", rules.ConfigFile, c.OfUnjudged())
	case applied == 0:
		wrote, where = fmt.Sprintf("wrote %s: no cluster entry found, each folder was judged by itself", rules.ConfigFile), " of these folders"
	}
	if assumed > 0 {
		wrote += fmt.Sprintf("; %d%s without the name of an environment, judged as %s: look for \"check it\"", assumed, where, release.Production)
	}
	lines := []string{wrote, c.judged}
	if c.Baseline != "" {
		lines = append(lines, fmt.Sprintf("wrote %s, which accepts %s", c.Baseline, c.found))
	}
	if open := c.Accept.open(); len(open) > 0 {
		lines = append(lines, fmt.Sprintf("%s; %s accepts that %s (spec.undetermined.accept)", strings.Join(open, "; "), rules.ConfigFile, c.Accept.ends()))
	}
	if c.Accept.Archive != nil {
		lines = append(lines, fmt.Sprintf("%v: spec.ignore, a comment at the end of %s, leaves it out", c.Accept.Archive, rules.ConfigFile))
	}
	return lines
}

// OfUnjudged says that nothing was judged of the clusters that [Configuration.Unjudged] lists.
func (c Configuration) OfUnjudged() string {
	if len(c.Unjudged) == 1 {
		return fmt.Sprintf("no release of cluster %s could be judged", plain.Line(c.Unjudged[0]))
	}
	return "no release of clusters " + plain.Line(words.First(c.Unjudged, 3, "cluster")) + " could be judged"
}

// tierClusters are the clusters of a tier.
type tierClusters struct {
	Tier     release.Tier
	Clusters []cluster
}

// Tiers groups the clusters whose releases are all of one tier.
func (c Configuration) Tiers() []tierClusters {
	var groups []tierClusters
	for _, tier := range release.Tiers {
		g := tierClusters{Tier: tier}
		for _, found := range c.Clusters {
			if !found.Mixed() && found.releases[0].Tier == tier {
				g.Clusters = append(g.Clusters, found)
			}
		}
		if len(g.Clusters) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// Mixed are the clusters with releases of several tiers.
func (c Configuration) Mixed() []cluster {
	return slices.DeleteFunc(slices.Clone(c.Clusters), func(found cluster) bool { return !found.Mixed() })
}

// Applied reports whether the clusters are applied by something in the tree. If
// not, they are folders.
func (c Configuration) Applied() bool { return len(c.Clusters) > 0 && c.Clusters[0].Applied }

// cluster is what a new configuration says of a cluster.
type cluster struct {
	Name     string
	Applied  bool                 // by a Flux Kustomization
	releases []*effective.Release // at least one
}

// clustersOf lists the clusters of a tree in their order; of a tree of which
// nothing is applied, as of bases for other repositories, the folders.
func clustersOf(tree *effective.Tree) []cluster {
	var clusters []cluster
	for _, r := range tree.Releases {
		if r.Cluster == "" {
			continue
		}
		i := slices.IndexFunc(clusters, func(c cluster) bool { return c.Name == r.Cluster })
		if i < 0 {
			i = len(clusters)
			clusters = append(clusters, cluster{Name: r.Cluster, Applied: len(r.AppliedBy) > 0})
		}
		clusters[i].releases = append(clusters[i].releases, r)
	}
	if slices.ContainsFunc(clusters, func(c cluster) bool { return c.Applied }) {
		return slices.DeleteFunc(clusters, func(c cluster) bool { return !c.Applied })
	}
	return clusters
}

// Glob returns the pattern that matches the name and no other.
func (c cluster) Glob() string { return escape.Replace(c.Name) }

// escape writes a text as the glob that matches it and nothing else.
var escape = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "]", `\]`, "{", `\{`, "}", `\}`)

// Mixed reports whether the releases are of several tiers.
func (c cluster) Mixed() bool {
	return slices.ContainsFunc(c.releases, func(r *effective.Release) bool { return r.Tier != c.releases[0].Tier })
}

// assumed reports whether the tier of the cluster is only the default.
func (c cluster) assumed() bool { return !c.Mixed() && c.releases[0].TierFrom == "default" }

// String says what was found of the cluster.
func (c cluster) String() string {
	parts := []string{c.size()}
	switch first := c.releases[0]; {
	case c.Mixed():
	case c.assumed():
		parts = append([]string{"check it: nothing names its environment"}, parts...)
	default:
		parts = append(parts, first.TierFrom)
	}
	if found := c.controller(); found != "" {
		parts = append(parts, found)
	}
	return strings.Join(parts, "; ")
}

// size counts the releases, for each tier if there are several.
func (c cluster) size() string {
	if !c.Mixed() {
		if len(c.releases) == 1 {
			return "1 release"
		}
		return fmt.Sprintf("%d releases", len(c.releases))
	}
	n := map[release.Tier]int{}
	for _, r := range c.releases {
		n[r.Tier]++
	}
	var parts []string
	for _, tier := range release.Tiers {
		if n[tier] > 0 {
			parts = append(parts, fmt.Sprintf("%d in %s", n[tier], tier))
		}
	}
	return strings.Join(parts, ", ")
}

// controller names the helm-controller if it is not the one that is assumed.
func (c cluster) controller() string {
	found := c.releases[0].Controller
	gate := found.Gates.DefaultToRetryOnFailure()
	switch {
	case gate:
		return "helm-controller " + found.Version + " with DefaultToRetryOnFailure"
	case found.Version != release.DefaultControllerVersion:
		return "helm-controller " + found.Version
	}
	return ""
}
