package effective

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Doubt makes undetermined in a changed tree what its base shows to be so: the clusters
// whose Flux may apply something else than the change says, because it was installed with
// the entry of the base, and what the first entry of all leaves out, of which nothing
// said before whether Flux applies it. The options are those that the tree was loaded with.
func (t *Tree) Doubt(base *Tree, opts Options) {
	l := &loader{opts: opts, tree: t}
	now, before := t.starts(), base.starts()
	for _, s := range before {
		if reason := s.Departs(now, opts.holds); reason != "" {
			l.doubt(release.Undetermined{
				File: s.File, Line: s.Line, Cluster: s.Cluster, Tier: base.strictest(s.Cluster), Reason: reason,
			})
		}
		for _, n := range now {
			known := slices.ContainsFunc(before, func(b fleet.Start) bool { return b.Folder == n.Folder })
			if reason := s.Moves(n, opts.holds); reason != "" && !known && t.takesOver(n.Cluster, base, s.Cluster) {
				l.doubt(release.Undetermined{
					File: n.File, Line: n.Line, Cluster: n.Cluster, Tier: t.strictest(n.Cluster), Reason: reason,
				})
			}
		}
	}
	if len(before) == 0 && len(now) > 0 && len(base.Releases) > 0 {
		for _, u := range slices.Clone(t.Unapplied) {
			u.Reason = noCluster + " since the change, which has the first entry of a cluster: Flux may apply it all the same"
			l.doubt(u)
		}
	}
	l.lostControllers(base)
	t.Undetermined = sorted(t.Undetermined)
}

// takesOver reports whether a cluster has most of the releases that another one had in the base.
func (t *Tree) takesOver(cluster string, base *Tree, former string) bool {
	had, has := base.namesIn(former), t.namesIn(cluster)
	same := 0
	for name := range had {
		if has[name] {
			same++
		}
	}
	return 2*same > len(had)
}

// namesIn returns the full names of the releases of a cluster, and of those below it.
func (t *Tree) namesIn(cluster string) map[string]bool {
	out := map[string]bool{}
	for _, r := range t.Releases {
		if below, ok := strings.CutPrefix(r.Cluster+"/", cluster+"/"); ok {
			out[below+object.FullName(r.Object)] = true
		}
	}
	return out
}

// lostControllers says of each cluster that the base shows which helm-controller reconciles its
// releases, and the change does not. It would not do to take the newest then.
func (l *loader) lostControllers(base *Tree) {
	before := map[string]release.Controller{}
	for _, r := range base.Releases {
		before[r.Cluster+" "+object.FullName(r.Object)] = r.found
	}
	told := map[string]bool{}
	for _, r := range l.tree.Releases {
		was, there := before[r.Cluster+" "+object.FullName(r.Object)]
		if !there {
			was, _ = base.Controller(r.Cluster)
		}
		was = r.ControllerBy(l.opts.Config, l.opts.ConfigDir, was)
		if was.Version == "" || !r.Controller.Assumed || told[r.Cluster] {
			continue
		}
		told[r.Cluster] = true
		reason := "it is no longer known which helm-controller reconciles " + object.FullName(r.Object) + ": it was " + was.Version
		if r.ControllerFrom != "" {
			reason += ", and " + r.ControllerFrom
		}
		l.doubt(release.Undetermined{File: r.File, Line: r.Line, Cluster: r.Cluster, Tier: l.tree.strictest(r.Cluster), Reason: reason})
	}
}

// doubt adds something undetermined.
func (l *loader) doubt(u release.Undetermined) {
	if l.opts.wants(u.Cluster) {
		l.tree.Undetermined = append(l.tree.Undetermined, l.tree.accepted(u, l.opts.ConfigPath(u.File, l.opts.path(u.File))))
	}
}

// starts lists what the Flux of each cluster begins with.
func (t *Tree) starts() []fleet.Start {
	var out []fleet.Start
	for _, c := range t.clusters {
		if start, ok := c.Start(); ok {
			out = append(out, start)
		}
	}
	return out
}

// strictest returns the strictest tier of the releases of a cluster, and of clusters whose
// names begin with its name and a slash; "" if there are none.
func (t *Tree) strictest(cluster string) release.Tier {
	for _, tier := range release.Tiers {
		if slices.ContainsFunc(t.Releases, func(r *Release) bool {
			return r.Tier == tier && (r.Cluster == cluster || strings.HasPrefix(r.Cluster, cluster+"/"))
		}) {
			return tier
		}
	}
	return ""
}

// holds reports whether the inputs have a file in a folder, by its name.
func (o *Options) holds(folder string) bool {
	return slices.ContainsFunc(o.Inputs, func(in Input) bool {
		at, ok := in.Files.Path(folder)
		return ok && in.Files.IsDir(at)
	})
}
