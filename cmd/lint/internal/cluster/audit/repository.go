package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// repository are the releases of one cluster as Git has them.
type repository struct {
	releases map[release.Name]*effective.Release
	// whole is true if the repository holds no more than what is known of it.
	whole bool
	seen  map[release.Name]bool
}

// Missing is a release that Git has and the cluster has not.
type Missing struct {
	release.Name
	Cluster string `json:"cluster,omitempty"`
	File    string `json:"file"`
	Line    int    `json:"line"`
}

// repositoryOf returns the releases of a cluster: of the one that has its name or, if there
// is only one, of that.
func repositoryOf(tree *effective.Tree, cluster string) (*repository, error) {
	names := unique(words.Of(tree.Releases, func(r *effective.Release) string { return r.Cluster }))
	switch {
	case slices.Contains(names, cluster):
	case len(names) == 1:
		cluster = names[0]
	default:
		slices.Sort(names)
		return nil, fmt.Errorf("--repo: no cluster of the repository is called %q: choose with --cluster one of %s", cluster, strings.Join(names, ", "))
	}
	repo := &repository{releases: map[release.Name]*effective.Release{}, seen: map[release.Name]bool{}, whole: len(tree.Undetermined) == 0 && len(tree.Problems) == 0}
	for _, r := range tree.Releases {
		if r.Cluster == cluster {
			repo.releases[r.ID()] = r
		}
	}
	return repo, nil
}

// written returns how a release is judged; nil if the repository does not have it.
func (p *repository) written(name release.Name, by *incident.Source, config judge.Configuration) *incident.Written {
	if r := p.releases[name]; r != nil {
		return by.WrittenAs(r, config)
	}
	return nil
}

// compare notes what of a release is not as Git says.
func (c *collector) compare(at place, object map[string]any, r *Release) {
	if at.repo == nil {
		return
	}
	at.repo.seen[r.Name] = true
	written := at.repo.releases[incident.NameOf(object)]
	if written == nil {
		r.NotInGit = at.repo.whole
		return
	}
	r.Drift = driftOf(written, object)
}

// missing lists what the cluster does not have, of a namespace or of all.
func (p *repository) missing(cluster, namespace string) []Missing {
	var all []Missing
	for name, r := range p.releases {
		if !p.seen[name] && (namespace == "" || name.Namespace == namespace) {
			all = append(all, Missing{Name: name, Cluster: cluster, File: r.File, Line: r.Line})
		}
	}
	slices.SortFunc(all, func(a, b Missing) int { return strings.Compare(a.String(), b.String()) })
	return all
}

// appliers are the labels by which a controller marks what it applies, and its kind.
var appliers = []struct{ prefix, kind string }{
	{"kustomize.toolkit.fluxcd.io/", "Kustomization"},
	{"resourceset.fluxcd.controlplane.io/", "ResourceSet"},
	{"fluxcd.controlplane.io/", "FluxInstance"},
	{"helm.toolkit.fluxcd.io/", "HelmRelease"},
}

// appliedBy returns what applies an object of a cluster, by its labels; empty if they do
// not say.
func appliedBy(of map[string]any) string {
	for _, a := range appliers {
		label := func(key string) string { return object.String(of, "metadata", "labels", a.prefix+key) }
		if name := label("name"); name != "" {
			return a.kind + " " + strings.TrimPrefix(label("namespace")+"/"+name, "/")
		}
	}
	return ""
}

func written(r judge.Release) Release {
	out := Release{
		Name: r.ID(), Cluster: r.Cluster, Tier: r.Tier, Class: r.Verdict.Class, Findings: []Finding{},
	}
	if len(r.AppliedBy) > 0 {
		out.AppliedBy = r.AppliedBy[0].What
	}
	out.Findings = words.Of(r.Verdict.Findings, func(f rules.Finding) Finding {
		f.Message = r.Mask(f.Message)
		return findingOf(f)
	})
	return out
}

// fromTree says what would be refused of what a repository has.
func fromTree(state judge.State, config *rules.Config, engine *rules.Engine) Report {
	all := words.Of(state.Releases, written)
	report := newReport([]Release{}, nil, []string{})
	report.Readiness = readiness(all, config, engine)
	report.Readiness.Undetermined = len(state.Tree.Undetermined)
	for _, p := range state.Tree.Problems {
		report.Problems = append(report.Problems, fmt.Sprintf("read %s: %v", cmp.Or(p.File, "the repository"), p.Err))
	}
	return report
}
