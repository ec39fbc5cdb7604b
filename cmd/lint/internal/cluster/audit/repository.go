package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
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

// repositoryOf returns the releases of a cluster: of the one that has its name or, if there
// is only one, of that.
func repositoryOf(tree *effective.Tree, cluster string) (*repository, error) {
	names := words.Distinct(words.Of(tree.Releases, func(r *effective.Release) string { return r.Cluster }))
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
func (p *repository) compare(object map[string]any, r *overview.Release) {
	p.seen[r.Name] = true
	written := p.releases[incident.NameOf(object)]
	if written == nil {
		r.NotInGit = p.whole
		return
	}
	r.Drift = driftOf(written, object)
}

// missing lists what the cluster does not have, of a namespace or of all.
func (p *repository) missing(cluster, namespace string) []overview.Missing {
	var all []overview.Missing
	for name, r := range p.releases {
		if !p.seen[name] && (namespace == "" || name.Namespace == namespace) {
			all = append(all, overview.Missing{Name: name, Cluster: cluster, File: r.File, Line: r.Line})
		}
	}
	slices.SortFunc(all, func(a, b overview.Missing) int { return strings.Compare(a.String(), b.String()) })
	return all
}

func written(r judge.Release) overview.Release {
	out := overview.Release{
		Subject: overview.Subject{Name: r.ID(), Cluster: r.Cluster, Tier: r.Tier, Class: r.Verdict.Class},
	}
	if len(r.AppliedBy) > 0 {
		out.AppliedBy = r.AppliedBy[0].What
	}
	out.Findings = words.Of(r.Verdict.Findings, func(f rules.Finding) overview.Finding {
		f.Message = r.Mask(f.Message)
		return overview.FindingOf(f)
	})
	return out
}

// fromTree says what would be refused of what a repository has.
func fromTree(state judge.State, config *rules.Config, engine *rules.Engine) overview.Report {
	all := words.Of(state.Releases, written)
	report := overview.Of([]overview.Release{}, nil, []string{})
	report.Readiness = overview.Admission(all, config, engine)
	report.Readiness.Undetermined = len(state.Tree.Undetermined)
	for _, p := range state.Tree.Problems {
		report.Problems = append(report.Problems, fmt.Sprintf("read %s: %v", cmp.Or(p.File, "the repository"), p.Err))
	}
	return report
}
