package effective

import (
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// undetermined adds something that cannot be judged, with its tier, and whether
// the configuration accepts it.
func (l *loader) undetermined(u release.Undetermined) {
	if !l.opts.Wants(u.Cluster) {
		return
	}
	rel, _ := l.relative(u.File)
	at := rules.Place{Path: l.opts.ConfigPath(u.File, rel), Cluster: u.Cluster}
	at.Namespace, _, _ = strings.Cut(u.Release, "/")
	if u.Tier == "" {
		u.Tier = l.tierAt(at, rel)
	}
	l.tree.Undetermined = append(l.tree.Undetermined, l.tree.accepted(l.told(u), at.Path))
}

// told returns what is undetermined without what Secrets supply.
func (l *loader) told(u release.Undetermined) release.Undetermined {
	u.Reason, u.Release, u.Source = l.secrets.Mask(u.Reason), l.secrets.Mask(u.Release), l.secrets.Mask(u.Source)
	return u
}

// Confirm takes back what another state of the tree accepts and the configuration
// of these options does not: no change accepts by itself what it makes unknown.
func (o *Options) Confirm(changed *Tree) {
	for _, list := range [][]release.Undetermined{changed.Undetermined, changed.Resumed, changed.Unapplied} {
		for i, u := range list {
			if _, valid := o.Config.Accepts(u, o.ConfigPath(u.File, o.path(u.File)), o.Now); valid < 0 {
				list[i].Accepted = ""
			}
		}
	}
}

// path returns the path of a file in its tree, or the name if it is in none.
func (o *Options) path(name string) string {
	for _, in := range o.Inputs {
		if inner, ok := in.Files.Path(name); ok {
			return inner
		}
	}
	return name
}

// tierAt returns the tier that a release at a place would have, as far as the
// names there say. The path is relative to the root.
func (l *loader) tierAt(at rules.Place, rel string) release.Tier {
	e := release.Evidence{
		Object:  map[string]any{"metadata": map[string]any{"namespace": at.Namespace}},
		Folders: []release.Folder{{Path: path.Dir(rel), Entries: l.in.Files.Entries}},
	}
	switch c := l.clusterOf(at.Cluster); {
	case c == nil:
	case c.Name != at.Cluster:
		e.Cluster.Name, e.Hub.Name = at.Cluster, c.Name
		if c.Named(c.Dir) {
			e.Hub.Folder = c.Dir
		}
	case c.Named(c.Dir):
		e.Cluster = release.Cluster{Name: c.Name, Folder: c.Dir}
	default:
		e.Folders = slices.Insert(e.Folders, 0, release.Folder{Path: c.Dir, Entries: l.in.Files.Entries})
	}
	return release.TierOf(l.opts.Config.Evidence(e, at)).Tier
}

// clusterOf returns the cluster of a name, or the one whose Flux applies objects
// to a remote cluster of that name; nil if there is none.
func (l *loader) clusterOf(name string) *fleet.Resolved {
	var out *fleet.Resolved
	for _, c := range l.fleet.Clusters {
		switch {
		case name == "" || c.Name == "":
		case c.Name == name:
			return c
		case strings.HasPrefix(name, c.Name+"/"):
			out = c
		}
	}
	return out
}
