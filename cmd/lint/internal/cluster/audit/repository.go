package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/release"
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
	var names []string
	for _, r := range tree.Releases {
		if !slices.Contains(names, r.Cluster) {
			names = append(names, r.Cluster)
		}
	}
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

func nameOf(object map[string]any) release.Name {
	meta, _ := object["metadata"].(map[string]any)
	var n release.Name
	n.Namespace, _ = meta["namespace"].(string)
	n.Name, _ = meta["name"].(string)
	return n
}

// compare notes what of a release is not as Git says.
func (c *collector) compare(at place, object map[string]any, r *Release) {
	if at.repo == nil {
		return
	}
	at.repo.seen[r.Name] = true
	written := at.repo.releases[nameOf(object)]
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
