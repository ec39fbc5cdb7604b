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
	entry, elsewhere := (*fleet.Resolved).Start, (*fleet.Resolved).Elsewhere
	now, before := t.starts(entry), base.starts(entry)
	former, lost := base.clusterOf(), map[string]bool{}
	for _, c := range t.clusters {
		was := former(c.Cluster)
		if was == nil {
			continue
		}
		if reason := c.LosesSource(was); reason != "" {
			at := c.Entries[0]
			lost[c.Name] = true
			l.doubt(release.Undetermined{File: at.File, Line: at.Line, Cluster: c.Name, Tier: t.strictest(c.Name), Reason: reason})
		}
	}
	for _, s := range before {
		if reason := s.Departs(now, opts.holds); reason != "" && !lost[s.Cluster] {
			l.doubt(release.Undetermined{
				File: s.File, Line: s.Line, Cluster: s.Cluster, Tier: base.strictest(s.Cluster), Reason: reason,
			})
		}
	}
	for _, m := range t.moves(slices.Concat(now, t.starts(elsewhere)), base, slices.Concat(before, base.starts(elsewhere)), opts.holds) {
		l.doubt(release.Undetermined{
			File: m.to.File, Line: m.to.Line, Cluster: m.to.Cluster, Tier: t.strictest(m.to.Cluster), Reason: m.from.Moved(m.to),
		})
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

// move is a cluster whose entry is at another place, and whose former folder is gone.
type move struct{ from, to fleet.Start }

// moves pairs each cluster of the base whose folder is gone with the one that it is now: of the same name or, if there is
// none, with half of the releases of either.
func (t *Tree) moves(now []fleet.Start, base *Tree, before []fleet.Start, holds func(folder string) bool) []move {
	var out []move
	in := func(all []fleet.Start, folder string) bool {
		return slices.ContainsFunc(all, func(s fleet.Start) bool { return s.Folder == folder })
	}
	left := slices.DeleteFunc(slices.Clone(before), func(s fleet.Start) bool { return holds(s.Folder) || in(now, s.Folder) })
	free := slices.DeleteFunc(slices.Clone(now), func(s fleet.Start) bool { return in(before, s.Folder) })
	if len(left) == 0 || len(free) == 0 {
		return nil
	}
	had, has := base.releasesByCluster(), t.releasesByCluster()
	for _, same := range []func(from, to fleet.Start) bool{
		func(from, to fleet.Start) bool { return from.Cluster == to.Cluster },
		func(from, to fleet.Start) bool { return resembles(had[from.Cluster], has[to.Cluster]) },
	} {
		left = slices.DeleteFunc(left, func(from fleet.Start) bool {
			i := slices.IndexFunc(free, func(to fleet.Start) bool { return same(from, to) })
			if i >= 0 {
				out = append(out, move{from, free[i]})
				free = slices.Delete(free, i, i+1)
			}
			return i >= 0
		})
	}
	return out
}

// resembles reports whether half of the fewer names are among the others.
func resembles(names, others map[string]bool) bool {
	same := 0
	for name := range names {
		if others[name] {
			same++
		}
	}
	return same > 0 && 2*same >= min(len(names), len(others))
}

// releasesByCluster returns the full names of the releases of each cluster.
func (t *Tree) releasesByCluster() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, r := range t.Releases {
		if out[r.Cluster] == nil {
			out[r.Cluster] = map[string]bool{}
		}
		out[r.Cluster][object.FullName(r.Object)] = true
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
	if l.opts.Wants(u.Cluster) {
		l.tree.Undetermined = append(l.tree.Undetermined, l.tree.accepted(u, l.opts.ConfigPath(u.File, l.opts.path(u.File))))
	}
}

// starts lists what the Flux of each cluster begins with, as [fleet.Resolved.Start] or [fleet.Resolved.Elsewhere] knows it.
func (t *Tree) starts(of func(*fleet.Resolved) (fleet.Start, bool)) []fleet.Start {
	var out []fleet.Start
	for _, c := range t.clusters {
		if start, ok := of(c); ok {
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
