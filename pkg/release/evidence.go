package release

import (
	"cmp"
	"strings"
)

// Evidence is what is known of a release that can decide its tier. A fact that
// is not known, or not to be believed, stays empty.
type Evidence struct {
	// Object is the HelmRelease.
	Object map[string]any
	// Namespace is the Namespace object that the release is in.
	Namespace map[string]any
	// Markers says which markers on these two are followed; empty means
	// [RaiseMarkers].
	Markers Markers
	// Configured is the tier that the configuration sets for the release.
	Configured Tier
	// Variables are those of postBuild, from all Kustomizations that lead to
	// the release.
	Variables map[string]string
	// Cluster is the cluster that the release runs on. A remote cluster has no
	// folder of its own.
	Cluster Cluster
	// Folders lead to the release, outermost first.
	Folders []Folder
	// Hub is the cluster whose Flux applies the release to Cluster; empty
	// unless Cluster is remote. The name of Cluster begins with that of Hub.
	Hub Cluster
	// Default is the tier if no other fact decides; empty means [Production].
	Default Tier
}

// Cluster is what is known of a cluster.
type Cluster struct {
	Name string
	// Folder is where the tree holds what the cluster applies first.
	Folder string
}

// Classification is the tier of a release and why it is that one.
type Classification struct {
	Tier Tier
	// From is the fact that decided, in words.
	From string
	// Ignored says which marker is not followed; empty if there is none.
	Ignored string
}

// TierOf classifies a release. The configuration decides, or else what is known of
// the cluster, the folders that lead there, or the hub. What anybody may choose who
// adds a release only raises the tier: the name of its namespace and, unless the
// configuration follows them, markers.
func TierOf(e Evidence) Classification {
	return e.unmarked().marked(e.markers(), e.Markers)
}

func (e Evidence) unmarked() Classification {
	if e.Configured != "" {
		return Classification{Tier: e.Configured, From: "configuration"}
	}
	found := cmp.Or(strictest(e.cluster()), strictest(e.folders()), strictest(e.hub()),
		Classification{Tier: cmp.Or(e.Default, Production), From: "default"})
	namespace := metadata(e.Object, "namespace")
	if tier, ok := tierOfWords(namespace); ok && tier.stricter(found.Tier) {
		return Classification{Tier: tier, From: "namespace " + namespace}
	}
	return found
}

// cluster lists what the variables, the folder and the name of the cluster say. They
// are about one environment, so that the strictest decides if they contradict.
func (e Evidence) cluster() []Classification {
	var out []Classification
	for _, name := range tierVars {
		if tier, ok := tierOfWords(e.Variables[name]); ok {
			out = append(out, Classification{Tier: tier, From: "variable " + name + "=" + e.Variables[name]})
		}
	}
	if tier, ok := tierOfPath(e.Cluster.Folder); ok {
		out = append(out, Classification{Tier: tier, From: "cluster folder " + e.Cluster.Folder})
	}
	if tier, ok := tierOfWords(strings.TrimPrefix(e.Cluster.Name, e.Hub.Name)); ok {
		out = append(out, Classification{Tier: tier, From: "cluster name " + e.Cluster.Name})
	}
	return out
}

func (e Evidence) folders() []Classification {
	var out []Classification
	for _, folder := range e.Folders {
		if tier, ok := folder.tier(); ok {
			out = append(out, Classification{Tier: tier, From: "folder " + folder.Path})
		}
	}
	return out
}

func (e Evidence) hub() []Classification {
	if tier, ok := tierOfPath(e.Hub.Folder); ok {
		return []Classification{{Tier: tier, From: "cluster folder of the hub " + e.Hub.Folder}}
	}
	return nil
}

// strictest returns the first of the strictest; the zero value if there is none.
func strictest(all []Classification) Classification {
	var found Classification
	for _, c := range all {
		if found.Tier == "" || c.Tier.stricter(found.Tier) {
			found = c
		}
	}
	return found
}
